package inbox_test

import (
	"testing"
	"time"

	"gangway/internal/gangway"
	"gangway/internal/web/app/apptest"
)

// TestHotelsOfShipsThatMoved holds which hotels are marked once a crew change moves or leaves people out.
func TestHotelsOfShipsThatMoved(t *testing.T) {
	s := apptest.NewSite(t)
	crew := apptest.Sailors(3)
	sent := s.Now()
	send := func(date gangway.Date, people []gangway.CrewMember) {
		t.Helper()
		sent = sent.Add(time.Minute)
		s.SendChanges(t, sent, gangway.CrewChange{TravelRequestID: "CC-1", Vessel: "GENOA STAR", Flag: "PA",
			ChangeDate: date, ChangeAirport: "SIN", OnSigners: people})
		for apptest.Must(s.DB.Trace(t.Context()))(t) {
		}
	}
	request := func(who int, in, out gangway.Date) {
		t.Helper()
		_, err := apptest.Production(s).UpsertTravelRequests(t.Context(), []gangway.TravelRequest{{
			RequestID: "H-" + crew[who].ID, Traveller: crew[who].Traveller,
			Hotel: &gangway.HotelNeed{Location: "Singapore", CheckIn: in, CheckOut: out}}})
		apptest.Done(t, err)
	}
	send("2036-12-03", crew)
	for who := range crew {
		request(who, "2036-12-02", "2036-12-03")
	}
	c, page := s.SignedIn(t, gangway.Booker), "/hotels?from=2036-12-01&to=2036-12-31"
	const moved, removed = `data-state="moved"`, `data-state="removed"`
	c.Get(page).Lacks(moved, removed)
	send("2036-12-06", crew[:2])
	c.Get(page).Has(moved, removed, "moved SIN 3 Dec → SIN 6 Dec", "removed from the crew change of Sat 6 Dec",
		"GENOA STAR", "3 to check")
	request(0, "2036-12-05", "2036-12-06")
	c.Get(page).Has("2 to check")
	request(1, "2036-12-05", "2036-12-06")
	c.Get(page).Has(removed, "1 to check").Lacks(moved)
	send("2036-12-06", crew)
	c.Get(page).Has(moved).Lacks(removed) // back, with a hotel of before the move
}
