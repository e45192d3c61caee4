package gate

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
)

// TestAnOutageIsLoggedOnce holds that the log has one line when an outage begins,
// one every ten seconds while it lasts, and one when it is over, with how long it
// was and how many were refused, even if the database answered some meanwhile.
func TestAnOutageIsLoggedOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var said strings.Builder
		plain := func(_ []string, a slog.Attr) slog.Attr {
			if a.Key == slog.TimeKey || a.Key == "since" {
				return slog.Attr{}
			}
			return a
		}
		o, gone := &Outage{}, errors.New("gone")
		var away atomic.Bool
		o.Attend(slog.New(slog.NewTextHandler(&said, &slog.HandlerOptions{ReplaceAttr: plain})),
			func(ctx context.Context) error {
				if away.Load() {
					// a check refuses nobody
					return o.Note(context.WithValue(ctx, checkKey{}, true), gone)
				}
				return nil
			})
		defer o.Close()
		outage := func(refusals int) {
			away.Store(true)
			for n := range refusals {
				if err := o.Note(t.Context(), gone); !errors.Is(err, ErrAway) {
					t.Errorf("note = %v; want %v", err, ErrAway)
				}
				time.Sleep(1100 * time.Millisecond) // never when a check is made
				if n%3 == 2 {                       // somebody is answered, and the next is not
					away.Store(false)
					time.Sleep(2 * time.Second)
					away.Store(true)
				}
			}
			away.Store(false)
			time.Sleep(time.Minute)
			synctest.Wait()
		}
		outage(9)
		if err := o.Note(t.Context(), &pgconn.PgError{Message: "idle", Code: "25P03"}); !errors.Is(err, ErrAway) {
			t.Errorf("note = %v; want %v", err, ErrAway)
		}
		outage(1)
		want := `level=ERROR msg="the database is away" error=gone
level=ERROR msg="the database is still away" error=gone answers=6
level=INFO msg="the database is back" away=14s answers=9
level=WARN msg="the database ended a transaction, since this process was paused in it" error=": idle (SQLSTATE 25P03)"
level=ERROR msg="the database is away" error=gone
level=INFO msg="the database is back" away=2s answers=1
`
		if said.String() != want {
			t.Errorf("the log has\n%s\nwant\n%s", said.String(), want)
		}
	})
}
