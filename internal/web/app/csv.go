package app

import (
	"encoding/csv"
	"net/http"
	"strings"

	"gangway"
	"gangway/internal/store"
)

// exportBatch is how many rows are read at a time: a file may be long, the
// memory it takes is not.
const exportBatch = 500

// beginCSV begins a file of comma-separated values (RFC 4180), named for what
// it has and for the day.
func (a *App) beginCSV(w http.ResponseWriter, what string, columns ...string) *csv.Writer {
	head := w.Header()
	head.Set("Content-Type", "text/csv; charset=utf-8; header=present")
	head.Set("Content-Disposition", `attachment; filename="`+what+`-`+string(gangway.DateOf(a.now().UTC()))+`.csv"`)
	out := csv.NewWriter(w)
	out.UseCRLF = true
	out.Write(columns)
	return out
}

// harmless keeps a spreadsheet from running a text that came from outside as a
// formula.
func harmless(s string) string {
	if s == "" || !strings.ContainsRune("=+-@\t\r", rune(s[0])) {
		return s
	}
	return "'" + s
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
