package book_test

import (
	"testing"

	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/store/storetest"
)

// TestEraseOld checks that an account's bookings lose their travellers
// automatically, once the account has a retention period.
func TestEraseOld(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		c := open(t, db)
		b := c.booked(t, any1)
		b = must(c.Issue(t.Context(), c.in, c.booker, b.ID, b.Price.Total))(t)
		wantErased := func(want bool) {
			t.Helper()
			done(t, c.EraseOld(t.Context()))
			now, err := c.in.Booking(t.Context(), b.ID)
			if err != nil || now.Passenger.Erased() != want || now.State != gangway.Issued || now.Price != b.Price {
				t.Fatalf("booking = %+v, %v; want erased %v, and its figures as they were", now, err, want)
			}
		}
		c.clock.to(b.Itinerary.Arrival().AddDate(2, 0, 1))
		wantErased(false) // no retention period yet
		storetest.Settings(t, c.in, gangway.Settings{Keep: 24})
		c.clock.to(b.Itinerary.Arrival().AddDate(2, 0, -1))
		wantErased(false)
		c.clock.to(b.Itinerary.Arrival().AddDate(2, 0, 1))
		wantErased(true)
		wantErased(true)
		done(t, c.Tick(t.Context()))
	})
}
