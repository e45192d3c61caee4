package book_test

import (
	"testing"

	"gangway/internal/book"
	"gangway/internal/gangway"
	"gangway/internal/store/storetest"
)

// Crewing systems keep using an airport's old code for years.
func TestAnOldAirportCodeIsFlownAndReturnedAsSent(t *testing.T) {
	c := open(t, storetest.New(t))
	s := book.SearchForCrewChange(gangway.CrewChange{
		Vessel: "Nordlys", Flag: "NO", ChangeDate: "2026-12-01",
		OnSigners: []gangway.CrewMember{{Traveller: maria}, {Traveller: gangway.Traveller{ID: "C-1", LastName: "Rusu",
			FirstName: "Ion", HomeAirport: "RMO"}}},
	}, "KIV", c.booker.Email, c.clock.Now())
	s.Members[0].Wishes = map[string]string{"MNL-KIV_flight_id": "F-9"}
	if len(s.Members[1].Warnings) != 1 || len(s.Members[1].Legs) != 0 {
		t.Errorf("the member who lives at RMO has %v to fly to KIV, warnings %q; want none, and one", s.Members[1].Legs,
			s.Members[1].Warnings)
	}
	s.Members = s.Members[:1]
	done(t, c.in.SaveSearch(t.Context(), s))
	b := must(c.Book(t.Context(), c.in, c.booker, c.ask(s, c.offer(t, s, any1))))(t)
	flights := b.Itinerary.Segments
	if got := flights[len(flights)-1].Destination; got != "RMO" {
		t.Errorf("it is flown to %s; want RMO", got)
	}
	if b.Purpose.Airport != "KIV" || b.Purpose.FlightIDs["MNL-KIV_flight_id"] != "F-9" {
		t.Errorf("the customer gets %s and %v; want KIV and its own flight id", b.Purpose.Airport,
			b.Purpose.FlightIDs)
	}
}
