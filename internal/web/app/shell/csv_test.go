package shell

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"gangway/internal/calltest"
	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/store/storetest"
)

// A brokenLine is a connection that breaks with the second thing sent.
type brokenLine struct {
	*httptest.ResponseRecorder
	breaks func()
	sent   int
}

func (l *brokenLine) Write(p []byte) (int, error) {
	if l.sent++; l.sent > 1 {
		l.breaks()
		return 0, errors.New("connection reset by peer")
	}
	return l.ResponseRecorder.Write(p)
}

// The audit log says how much of a downloaded file went out, even where it broke off.
func TestExportIsToldToItsEnd(t *testing.T) {
	db := storetest.New(t)
	in := db.In(storetest.Account(t, db).Scope())
	sh := &Shell{Now: func() time.Time { return storetest.Began }}
	batches := func() Export {
		left := 3
		return Export{
			What: gangway.BookingsExported, Name: "bookings", Columns: []string{"locator"},
			Filters: map[string]any{"find": true},
			Next: func(ctx context.Context) (rows [][]string, more bool, err error) {
				left--
				return [][]string{{"QWERTY"}, {"ASDFGH"}}, left > 0, ctx.Err()
			},
		}
	}
	take := func(t *testing.T, broken bool) (begun, ended map[string]any, err error) {
		ctx, leave := context.WithCancel(context.WithValue(t.Context(), visitorKey{},
			Visitor{User: gangway.User{ID: "ana", Email: "ana@halcyon.example"}}))
		defer leave()
		var w http.ResponseWriter = httptest.NewRecorder()
		if broken {
			w = &brokenLine{httptest.NewRecorder(), leave, 0}
		}
		err = sh.Export(w, httptest.NewRequestWithContext(ctx, http.MethodGet, "/", nil), in, batches())
		list, failed := db.Audit(t.Context(), store.AuditQuery{What: gangway.BookingsExported, Newest: true}, 2)
		if failed != nil || len(list) != 2 {
			t.Fatalf("the log has %v, %v; want the beginning and the end", list, failed)
		}
		return list[1].After, list[0].After, err
	}
	is := func(t *testing.T, about map[string]any, finished bool, rows any) {
		t.Helper()
		if about["finished"] != finished || about["rows"] != rows || about["find"] != true {
			t.Errorf("the log says %v; want finished %v, rows %v and the filter", about, finished, rows)
		}
	}

	t.Run("a whole one", func(t *testing.T) {
		begun, ended, err := take(t, false)
		calltest.Done(t, err)
		is(t, begun, false, nil)
		is(t, ended, true, 6.0)
	})
	t.Run("one whose connection broke", func(t *testing.T) {
		begun, ended, err := take(t, true)
		if err == nil || !strings.Contains(err.Error(), "connection reset") {
			t.Fatalf("err = %v; want that the connection broke", err)
		}
		is(t, begun, false, nil)
		is(t, ended, false, 2.0)
	})
}
