package app

import (
	"encoding/csv"
	"net/http"
	"time"

	"gangway"
	"gangway/internal/store"

	"github.com/go-json-experiment/json"
)

// exportAudit writes the entries that the filters select as a file of
// comma-separated values, newest first. Taking it away is an entry itself.
func (a *App) exportAudit(w http.ResponseWriter, r *http.Request, in store.Scoped) error {
	v, _ := visitorOf(r.Context())
	q := readAuditQuery(r.URL.Query())
	q.Customer, q.After = v.User.Customer, store.AuditPlace{}
	if err := a.recordExport(r, in, gangway.AuditExported, "who", "what", "from", "to"); err != nil {
		return err
	}
	list, err := a.db.Audit(r.Context(), q, exportBatch)
	if err != nil {
		return err
	}
	head := w.Header()
	head.Set("Content-Type", "text/csv; charset=utf-8; header=present")
	head.Set("Content-Disposition", `attachment; filename="audit-`+string(gangway.DateOf(a.now().UTC()))+`.csv"`)
	head.Set("Cache-Control", "no-store")
	out := csv.NewWriter(w)
	out.UseCRLF = true
	out.Write([]string{"at_utc", "who", "from", "what", "environment", "before", "after"})
	for {
		for _, e := range list {
			record := []string{
				e.At.UTC().Format(time.RFC3339Nano), harmless(e.By.Who()), harmless(e.By.From), string(e.What), string(e.Environment),
				detailsAsJSON(e.Before), detailsAsJSON(e.After),
			}
			out.Write(record)
		}
		if len(list) < exportBatch {
			break
		}
		last := list[len(list)-1]
		q.After = store.AuditPlace{At: last.At, ID: last.ID}
		if list, err = a.db.Audit(r.Context(), q, exportBatch); err != nil {
			return err
		}
	}
	out.Flush()
	return out.Error()
}

// recordExport tells the audit log that somebody takes data away, and by which
// of the filters named it was selected.
func (a *App) recordExport(r *http.Request, in store.Scoped, what gangway.AuditEvent, filters ...string) error {
	about := map[string]any{}
	for name, values := range pick(r.URL.Query(), filters...) {
		about[name] = values[0]
	}
	return in.Record(r.Context(), a.actor(r), what, about, a.now())
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
