package crew_test

import (
	"strings"
	"testing"
	"time"

	"gangway/internal/gangway"
	"gangway/internal/web/app/apptest"
	"gangway/internal/web/app/flights"
)

// TestEveryPageSaysTheSame holds that pages say of one person what the judgement says, as time passes and the plan
// changes: as planned, under way, under way to the old plan, landed.
func TestEveryPageSaysTheSame(t *testing.T) {
	s := apptest.NewClockedSite(t)
	c := s.SignedIn(t, gangway.Booker)
	people := []gangway.CrewMember{apptest.Sailors(5)[0], apptest.Sailors(5)[4]} // who live at the same place
	s.Upload(t, "2036-12-05", people)
	path := c.BookEverybody("BRU")
	b := s.Bookings(t)[0]
	for _, b := range s.Bookings(t) {
		c.Submit("/bookings/" + b.ID + "/issue")
	}
	const list = "/crew-changes?from=2036-11-20"
	pages := []string{path + "?wait=1", flights.CrewChangePath("id:GEN-00"), "/bookings", "/bookings/" + b.ID}
	says := func(standing gangway.Standing, green bool, words ...string) {
		t.Helper()
		c := s.SignedIn(t, gangway.Booker)
		for _, at := range pages {
			page := c.Get(at).Has(words...)
			shown, _, _ := strings.Cut(page.Body, `class="history"`) // which tells what was
			if standing != gangway.Fits || !strings.HasPrefix(at, "/bookings/") {
				page.Has(`data-standing="` + string(standing) + `"`)
			}
			if is := strings.Contains(shown, `class="badge good" data-state="issued"`); is != green {
				t.Errorf("%s, %s: green is %v; want %v", at, standing, is, green)
			}
		}
		if all := strings.Contains(c.Get(list).Body, `<span class="badge good">`); all != green {
			t.Errorf("the list, %s: green is %v; want %v", standing, all, green)
		}
	}
	passes := func(to time.Time) { s.Passed.Store(int64(to.Sub(apptest.Today))) }
	says(gangway.Fits, true)
	leaves, lands := b.Itinerary.Departure(), b.Itinerary.Arrival()
	passes(leaves.Add(-gangway.SetsOut))
	says(gangway.UnderWay, false, "under way · lands BRU "+lands.Format("Mon 15:04"))
	s.Upload(t, "2036-12-09", people)
	says(gangway.UnderWay, false, "too early · ")
	s.Upload(t, "2036-12-05", people)
	passes(lands)
	says(gangway.Arrived, false, "arrived")
}

// TestStandingOfThoseNotBooked holds that a person without a booking for this is said to be booked elsewhere where they
// are, and that the hour of a day is said where days are the same.
func TestStandingOfThoseNotBooked(t *testing.T) {
	s := apptest.NewSite(t)
	c := s.SignedIn(t, gangway.Booker)
	people := apptest.Sailors(6)
	s.Upload(t, "2036-12-05", people[:1])
	c.BookEverybody("BRU")
	other := gangway.CrewChange{Vessel: "NORDLYS", TravelRequestID: "NOR-1", ChangeDate: "2036-12-06",
		ChangeAirport: "AMS", OnSigners: people[:2]}
	s.SendChanges(t, apptest.Today, other)
	c.Get(flights.CrewChangePath("id:NOR-1")).Has(`data-standing="booked_elsewhere"`, "booked elsewhere",
		`data-standing="not_booked"`, "0 of 2 booked")
}
