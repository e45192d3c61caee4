package shell

import (
	"encoding/csv"
	"net/http"
	"net/url"
	"strings"

	"gangway"
	"gangway/internal/store"
)

// ExportBatch is how many rows are read at a time: a file may be long, the
// memory it takes is not.
const ExportBatch = 500

// BeginCSV begins a file of comma-separated values (RFC 4180), named for what
// it has and for the day.
func (sh *Shell) BeginCSV(w http.ResponseWriter, what string, columns ...string) *csv.Writer {
	head := w.Header()
	head.Set("Content-Type", "text/csv; charset=utf-8; header=present")
	head.Set("Content-Disposition", `attachment; filename="`+what+`-`+string(gangway.DateOf(sh.Now().UTC()))+`.csv"`)
	out := csv.NewWriter(w)
	out.UseCRLF = true
	out.Write(columns)
	return out
}

// Harmless keeps a spreadsheet from running a text that came from outside as a
// formula.
func Harmless(s string) string {
	if s == "" || !strings.ContainsRune("=+-@\t\r", rune(s[0])) {
		return s
	}
	return "'" + s
}

// RecordExport tells the audit log that somebody takes data away, and by which
// of the filters named it was selected.
func (sh *Shell) RecordExport(r *http.Request, in store.Scoped, what gangway.AuditEvent, filters ...string) error {
	about := map[string]any{}
	for name, values := range Pick(r.URL.Query(), filters...) {
		about[name] = values[0]
	}
	return in.Record(r.Context(), sh.Actor(r), what, about, sh.Now())
}

// Pick returns those of the values that are named and not empty.
func Pick(values url.Values, names ...string) url.Values {
	out := url.Values{}
	for _, name := range names {
		if value := values.Get(name); value != "" {
			out.Set(name, value)
		}
	}
	return out
}
