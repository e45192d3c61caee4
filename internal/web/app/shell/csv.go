package shell

import (
	"context"
	"encoding/csv"
	"errors"
	"maps"
	"net/http"
	"net/url"
	"time"

	"gangway/internal/gangway"
	"gangway/internal/store"
)

// ExportBatch is how many rows are read at a time, so that a long file takes no
// more memory than a short one.
const ExportBatch = 500

// An Export is a file of comma-separated values that somebody downloads.
type Export struct {
	What    gangway.AuditEvent
	Name    string         // of its content, for the file's name
	Filters map[string]any // which selected its rows, as the audit log has them
	Columns []string

	// Next returns the rows that come next, and whether more may follow.
	Next func(ctx context.Context) (rows [][]string, more bool, err error)
}

// Export sends the file.
func (sh *Shell) Export(w http.ResponseWriter, r *http.Request, in store.Scoped, e Export) error {
	return sh.Recorded(r, in, e.What, e.Filters, func(ctx context.Context) (int, error) {
		return sh.sendRows(ctx, w, e)
	})
}

// Recorded has a file sent, of which send returns how many rows went out. The audit log gets two
// entries with what the file is about: one before anything is sent, and one with the number of rows,
// even where the file was cut off.
func (sh *Shell) Recorded(r *http.Request, in store.Scoped, what gangway.AuditEvent, about map[string]any,
	send func(context.Context) (rows int, err error)) error {
	ctx := r.Context()
	record := func(ctx context.Context, more map[string]any) error {
		maps.Copy(more, about)
		return in.Record(ctx, sh.Actor(r), what, more, sh.Now())
	}
	if err := record(ctx, map[string]any{"finished": false}); err != nil {
		return err
	}
	n, err := send(ctx)
	// The reader may have left by now, and the log says that too.
	lasting, stop := context.WithTimeout(context.WithoutCancel(ctx), 10*time.Second)
	defer stop()
	return errors.Join(err, record(lasting, map[string]any{"finished": err == nil, "rows": n}))
}

// sendRows sends the rows and returns how many were written to the connection.
func (sh *Shell) sendRows(ctx context.Context, w http.ResponseWriter, e Export) (n int, err error) {
	rows, more, err := e.Next(ctx)
	if err != nil {
		return 0, err
	}
	out := sh.beginCSV(w, e.Name, e.Columns)
	for {
		out.WriteAll(rows) // flushes, so that a reader who has left is noticed here
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

// beginCSV begins a file of comma-separated values (RFC 4180), named after its
// content and the day.
func (sh *Shell) beginCSV(w http.ResponseWriter, what string, columns []string) *csv.Writer {
	head := w.Header()
	head.Set("Content-Type", "text/csv; charset=utf-8; header=present")
	head.Set("Content-Disposition", `attachment; filename="`+what+`-`+string(gangway.DateOf(sh.Now().UTC()))+`.csv"`)
	out := csv.NewWriter(w)
	out.UseCRLF = true
	out.Write(columns)
	return out
}

// Filters returns what the audit log says of the filters in an address. It has the
// values of plain ones; of typed ones it says only that they were set, because
// what somebody typed may be a traveller's name.
func Filters(values url.Values, plain map[string]string, typed ...string) map[string]any {
	logged := map[string]any{}
	for name, value := range plain {
		if value != "" {
			logged[name] = value
		}
	}
	for name := range Pick(values, typed...) {
		logged[name] = true
	}
	return logged
}

// Pick returns the named values that are not empty.
func Pick(values url.Values, names ...string) url.Values {
	out := url.Values{}
	for _, name := range names {
		if value := values.Get(name); value != "" {
			out.Set(name, value)
		}
	}
	return out
}
