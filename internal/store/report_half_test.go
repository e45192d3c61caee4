package store_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"testing"
	"time"

	"gangway/internal/report/query"
	"gangway/internal/store"
	"gangway/internal/store/storetest"
)

// TestHalfOfTheReports holds that an account that asks for more reports than there are connections leaves half of these
// to others, and that a request of its own that waits for longer than it may is told so.
func TestHalfOfTheReports(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		prod, dev := storetest.Accounts(t, db)
		held, free, over := make(chan struct{}), make(chan struct{}), make(chan error)
		errHeld := errors.New("held")
		read := func(ctx context.Context, in store.Scoped) error {
			return in.Report(ctx, query.Request{Query: asked(t, "FlightBookingDetailed", "").Query}, store.ReportAnswer{
				Row: func(query.Row) error {
					select {
					case held <- struct{}{}:
					case <-ctx.Done():
						return ctx.Err()
					}
					<-free
					return errHeld
				}})
		}
		for _, in := range []store.Scoped{db.In(prod.Scope()), db.In(dev.Scope())} {
			must(t, in.SaveReportRows(t.Context(), randomRows(rand.New(rand.NewPCG(1, 2)), 1)))
			for range store.ReportsAtOnce / 2 {
				go func() { over <- read(t.Context(), in) }()
				<-held
			}
			short, cancel := context.WithTimeout(t.Context(), time.Millisecond)
			if err := read(short, in); !errors.Is(err, store.ErrReportTooLong) {
				t.Errorf("one more than half is answered with %v", err)
			}
			cancel()
		}
		close(free)
		for range store.ReportsAtOnce / 2 * 2 {
			if err := <-over; !errors.Is(err, errHeld) {
				t.Error(err)
			}
		}
	})
}
