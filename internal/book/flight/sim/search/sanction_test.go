package search

import (
	"slices"
	"testing"

	"gangway/internal/book/flight"
	"gangway/internal/book/flight/sim/simtest"
	"gangway/internal/book/flight/sim/timetable"
	"gangway/internal/gangway"
	"gangway/internal/world"
)

func sanctioned(o flight.Offer) bool {
	return slices.ContainsFunc(o.Itinerary.Segments, func(s gangway.Segment) bool {
		_, named := world.SanctionOn(s.Carrier)
		return named
	})
}

// Airlines under sanctions are offered only if admitted, even where they would be first.
func TestSanctionedAirlines(t *testing.T) {
	n := open(t)
	offered, marine := 0, 0
	for _, leg := range []gangway.Leg{
		{Origin: "BOM", Destination: "DUR", Date: "2026-12-09"},
		{Origin: "BOM", Destination: "IKA", ArriveOn: "2026-12-09"},
		{Origin: "IST", Destination: "SVO", Date: "2026-12-09"},
		{Origin: "DXB", Destination: "LED", ArriveOn: "2026-12-09", ArriveBy: "20:00"},
		{Origin: "VVO", Destination: "MMK", Date: "2026-12-09"},
	} {
		ask := simtest.Crew(leg)
		for _, o := range find(t, n, ask) {
			if sanctioned(o) {
				t.Errorf("%s-%s: %v is offered though such airlines are not admitted",
					leg.Origin, leg.Destination, o.Itinerary.Route())
			}
		}
		ask.Sanctioned = true
		for _, o := range find(t, n, ask) {
			if sanctioned(o) {
				offered++
				if o.Terms.FareType == gangway.Marine {
					marine++
				}
			}
		}
	}
	if offered == 0 || marine != 0 {
		t.Errorf("%d offers of admitted airlines under sanctions, %d of them marine; want some and none",
			offered, marine)
	}
}

// Where only airlines under sanctions fly, a traveller can arrive only if they are admitted.
func TestReachAndSanctions(t *testing.T) {
	n := open(t)
	ask := simtest.Crew(gangway.Leg{Origin: "MMK", Destination: "SVO", ArriveOn: "2026-12-09"})
	admitted := ask
	admitted.Sanctioned = true
	reach, err := n.Reach(t.Context(), []flight.Ask{ask, admitted}, timetable.MinuteOf(n.now))
	if err != nil || reach[0].OK || !reach[1].OK {
		t.Errorf("Reach = %+v, %v; want only the ask that admits such airlines to succeed", reach, err)
	}
}
