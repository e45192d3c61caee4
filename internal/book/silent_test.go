package book_test

import (
	"context"
	"testing"
	"time"

	"gangway/internal/book"
	"gangway/internal/book/flight"
	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/store/storetest"
)

// TestSilentSupplier: since when a supplier answers no search is noted until it answers one.
func TestSilentSupplier(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		c := open(t, db)
		s := c.search(t, 2)
		silent := func() time.Time {
			t.Helper()
			done(t, c.Search(t.Context(), c.in, s, func(book.FoundOffers) {}))
			return must(c.in.Account(t.Context()))(t).SilentSince
		}
		if at := silent(); !at.IsZero() {
			t.Fatalf("it answers, and is noted as silent since %s", at)
		}
		c.supplier = mute{c.supplier}
		since := silent()
		if since.IsZero() || silent() != since {
			t.Fatalf("it is silent since %s, and then %s; want the first time", since, silent())
		}
		c.supplier = c.line.Supplier
		if at := silent(); !at.IsZero() {
			t.Fatalf("it answers again, and is noted as silent since %s", at)
		}
	})
}

// mute is a supplier that answers no search.
type mute struct{ flight.Supplier }

func (mute) Search(context.Context, flight.Ask, func([]flight.Offer)) error {
	return gangway.Errorf(gangway.Unavailable, "the line is dead")
}
