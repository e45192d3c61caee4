package shell

import (
	"context"
	"encoding/csv"
	"errors"
	"maps"
	"net/http"
	"net/url"
	"strings"
	"time"

	"gangway"
	"gangway/internal/store"
)

// ExportBatch is how many rows are read at a time: a file may be long, the
// memory it takes is not.
const ExportBatch = 500

// An Export is a file of comma-separated values that somebody takes away.
type Export struct {
	What    gangway.AuditEvent
	Name    string         // what it has, for the file's name
	Filters map[string]any // by which its rows were selected, as the audit log tells it
	Columns []string

	// Next returns the rows that come next, and whether more may follow.
	Next func(ctx context.Context) (rows [][]string, more bool, err error)
}

// Export sends the file. The audit log has it twice: that it was begun, before
// anything is sent, and how many rows went out, also where it was cut off.
func (sh *Shell) Export(w http.ResponseWriter, r *http.Request, in store.Scoped, e Export) error {
	ctx := r.Context()
	record := func(ctx context.Context, more map[string]any) error {
		maps.Copy(more, e.Filters)
		return in.Record(ctx, sh.Actor(r), e.What, more, sh.Now())
	}
	if err := record(ctx, map[string]any{"finished": false}); err != nil {
		return err
	}
	n, err := sh.sendRows(ctx, w, e)
	// Whoever takes the file may be gone by now: that, too, is told.
	lasting, stop := context.WithTimeout(context.WithoutCancel(ctx), 10*time.Second)
	defer stop()
	return errors.Join(err, record(lasting, map[string]any{"finished": err == nil, "rows": n}))
}

// sendRows sends the rows and returns how many were given to the connection.
func (sh *Shell) sendRows(ctx context.Context, w http.ResponseWriter, e Export) (n int, err error) {
	rows, more, err := e.Next(ctx)
	if err != nil {
		return 0, err
	}
	out := sh.beginCSV(w, e.Name, e.Columns)
	for {
		out.WriteAll(rows) // flushes, so that whoever takes nothing any more is noticed here
		if err := out.Error(); err != nil {
			return n, err
		}
		n += len(rows)
		if !more {
			return n, nil
		}
		if rows, more, err = e.Next(ctx); err != nil {
			return n, err
		}
	}
}

// beginCSV begins a file of comma-separated values (RFC 4180), named for what
// it has and for the day.
func (sh *Shell) beginCSV(w http.ResponseWriter, what string, columns []string) *csv.Writer {
	head := w.Header()
	head.Set("Content-Type", "text/csv; charset=utf-8; header=present")
	head.Set("Content-Disposition", `attachment; filename="`+what+`-`+string(gangway.DateOf(sh.Now().UTC()))+`.csv"`)
	out := csv.NewWriter(w)
	out.UseCRLF = true
	out.Write(columns)
	return out
}

// Filters is what the audit log tells of the filters that are set in an
// address. Those that are plain are told as they are; of what somebody typed
// only that it was there: it may be a traveller's name.
func Filters(values url.Values, plain map[string]string, typed ...string) map[string]any {
	told := map[string]any{}
	for name, value := range plain {
		if value != "" {
			told[name] = value
		}
	}
	for name := range Pick(values, typed...) {
		told[name] = true
	}
	return told
}

// Harmless keeps a spreadsheet from running a text that came from outside as a
// formula.
func Harmless(s string) string {
	if s == "" || !strings.ContainsRune("=+-@\t\r", rune(s[0])) {
		return s
	}
	return "'" + s
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
