package audit

import (
	"context"
	"net/http"
	"time"

	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/web/app/shell"

	"github.com/go-json-experiment/json"
)

// ExportAudit writes the entries that match the filters as a CSV file, newest first. The export is
// itself an entry.
func (room *Room) ExportAudit(w http.ResponseWriter, r *http.Request, in store.Scoped) error {
	v, _ := shell.VisitorOf(r.Context())
	values := r.URL.Query()
	q, err := readAuditQuery(values, gangway.DateOf(room.Now().UTC()))
	if err != nil {
		return err
	}
	q.Customer, q.After = v.User.Customer, store.AuditPlace{}
	return room.Export(w, r, in, shell.Export{
		What: gangway.AuditExported, Name: "audit",
		Filters: shell.Filters(values, map[string]string{"what": values.Get("what"), "from": values.Get("from"),
			"to": values.Get("to")}, "who"),
		Columns: []string{"at_utc", "who", "from", "what", "environment", "before", "after"},
		Next: func(ctx context.Context) (rows [][]string, more bool, err error) {
			list, err := room.db.Audit(ctx, q, shell.ExportBatch)
			for _, e := range list {
				q.After = store.AuditPlace{At: e.At, ID: e.ID}
				rows = append(rows, []string{e.At.UTC().Format(time.RFC3339Nano), gangway.Harmless(e.By.Who()),
					gangway.Harmless(e.By.From), string(e.What), string(e.Environment), detailsAsJSON(e.Before),
					detailsAsJSON(e.After)})
			}
			return rows, len(list) == shell.ExportBatch, err
		},
	})
}

// detailsAsJSON begins with a brace, so that no spreadsheet mistakes it for a formula.
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
