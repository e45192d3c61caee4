package settings

import (
	"net/http"
	"time"

	"gangway"
	"gangway/internal/store"
	"gangway/internal/web/app/shell"

	"github.com/go-json-experiment/json"
)

// ExportAudit writes the entries that the filters select as a file of
// comma-separated values, newest first. Taking it away is an entry itself.
func (room *Room) ExportAudit(w http.ResponseWriter, r *http.Request, in store.Scoped) error {
	v, _ := shell.VisitorOf(r.Context())
	q := readAuditQuery(r.URL.Query())
	q.Customer, q.After = v.User.Customer, store.AuditPlace{}
	if err := room.RecordExport(r, in, gangway.AuditExported, "who", "what", "from", "to"); err != nil {
		return err
	}
	list, err := room.db.Audit(r.Context(), q, shell.ExportBatch)
	if err != nil {
		return err
	}
	out := room.BeginCSV(w, "audit", "at_utc", "who", "from", "what", "environment", "before", "after")
	for {
		for _, e := range list {
			out.Write([]string{
				e.At.UTC().Format(time.RFC3339Nano), shell.Harmless(e.By.Who()), shell.Harmless(e.By.From), string(e.What), string(e.Environment),
				detailsAsJSON(e.Before), detailsAsJSON(e.After),
			})
		}
		if len(list) < shell.ExportBatch {
			break
		}
		last := list[len(list)-1]
		q.After = store.AuditPlace{At: last.At, ID: last.ID}
		if list, err = room.db.Audit(r.Context(), q, shell.ExportBatch); err != nil {
			return err
		}
	}
	out.Flush()
	return out.Error()
}

// detailsAsJSON begins with a brace, so that no spreadsheet takes it for a formula.
func detailsAsJSON(details map[string]any) string {
	if details == nil {
		return ""
	}
	doc, err := json.Marshal(details, json.Deterministic(true))
	if err != nil {
		return ""
	}
	return string(doc)
}
