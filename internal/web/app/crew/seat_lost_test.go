package crew_test

import (
	"testing"
	"time"

	"gangway/internal/book/flight/sim"
	"gangway/internal/gangway"
	"gangway/internal/web/app/apptest"
)

// Seats that end overnight do not vanish from the crew change: it says whose they were, and since when they are gone.
func TestSeatLost(t *testing.T) {
	var s *apptest.Site
	sells, err := sim.New(sim.Config{Now: func() time.Time { // the airlines' clock is the site's
		if s == nil {
			return apptest.Today
		}
		return s.Now()
	}})
	apptest.Done(t, err)
	s = apptest.NewSiteOf(t, sells)
	c := s.SignedIn(t, gangway.Booker)
	s.Upload(t, "2036-12-05", apptest.Sailors(2))
	path := c.BookEverybody("BRU")
	c.Get(path + "?wait=1").Has("2 booked").Lacks("seat lost")
	for _, b := range s.Bookings(t) {
		s.Passed.Store(max(s.Passed.Load(), int64(b.HoldUntil.Sub(apptest.Today)+time.Minute)))
	}
	apptest.Done(t, s.Desk.Tick(t.Context()))
	lost := s.Bookings(t)[0]
	if lost.Passenger.LastName != "Sailora" {
		lost = s.Bookings(t)[1]
	}
	s.SignedIn(t, gangway.Booker).Get(path+"?wait=1&member=0").
		Has("0 of 2 booked · 2 seats lost", "2 seat lost<", "MNL → ", " released "+
			lost.CancelledAt.UTC().Format("2 Jan 15:04 UTC"), "/bookings/"+lost.ID)
}
