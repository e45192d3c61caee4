package book_test

import (
	"errors"
	"sync"
	"testing"

	"gangway/internal/book"
	"gangway/internal/book/flight"
	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/store/storetest"
)

// TestHoldsAtOnce checks that one traveller is held once when many people book at
// the same moment, each in a search of their own, without knowing of the others.
func TestHoldsAtOnce(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		c := open(t, db, func(s flight.Supplier) flight.Supplier { return s })
		var asks []book.BookAsk
		for range 8 {
			s := c.search(t, 1)
			ask := c.ask(s, c.offer(t, s, marine))
			ask.Others = nil
			asks = append(asks, ask)
		}
		errs := make([]error, len(asks))
		var wait sync.WaitGroup
		for i, ask := range asks {
			wait.Go(func() { _, errs[i] = c.Book(t.Context(), c.in, c.booker, ask) })
		}
		wait.Wait()
		held := 0
		for _, err := range errs {
			twice := (*book.TwiceError)(nil)
			switch {
			case err == nil:
				held++
			case !errors.As(err, &twice) && gangway.KindOf(err) != gangway.Conflict:
				t.Errorf("Book = %v; want Conflict", err)
			}
		}
		list, _, err := c.in.Bookings(t.Context(), store.BookingQuery{})
		if held != 1 || len(list) != 1 || err != nil {
			t.Fatalf("%d were held, %d bookings (%v); want one", held, len(list), err)
		}
	})
}
