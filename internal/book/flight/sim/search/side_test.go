package search

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"gangway/internal/book/flight"
	"gangway/internal/book/flight/sim/simtest"
	"gangway/internal/gangway"
)

// A search uses any of several airports on a side.
func TestSides(t *testing.T) {
	n := open(t)
	const day = gangway.Date("2026-12-09")
	ends := func(offers []flight.Offer) (from, to map[gangway.Airport]int) {
		from, to = map[gangway.Airport]int{}, map[gangway.Airport]int{}
		for _, o := range offers {
			from[o.Itinerary.Segments[0].Origin]++
			to[o.Itinerary.Segments[len(o.Itinerary.Segments)-1].Destination]++
		}
		return from, to
	}
	t.Run("any airport of a city and of a port will do", func(t *testing.T) {
		offers := find(t, n, simtest.Ask(flight.Leg{From: simtest.Side(0, "LHR LGW STN LTN LCY"),
			To: simtest.Side(0, "AMS RTM BRU"), Date: day}))
		from, to := ends(offers)
		if len(from) < 2 || len(to) < 2 {
			t.Errorf("from %v to %v; want several on either side", from, to)
		}
	})
	t.Run("the way by road counts", func(t *testing.T) {
		near := flight.Leg{From: simtest.Side(0, "MNL"),
			To: append(simtest.Side(0, "AMS"), simtest.Side(time.Hour, "CDG")...), Date: day}
		far := flight.Leg{From: near.From, To: append(simtest.Side(0, "AMS"), simtest.Side(20*time.Hour, "CDG")...),
			Date: day}
		_, close := ends(find(t, n, simtest.Ask(near)))
		_, away := ends(find(t, n, simtest.Ask(far)))
		if close["CDG"] == 0 || away["CDG"] >= close["CDG"] || away["AMS"] == 0 {
			t.Errorf("CDG an hour away: %v; twenty hours away: %v", close, away)
		}
	})
	t.Run("unknown airports, and those without flights, are skipped", func(t *testing.T) {
		want := find(t, n, simtest.Ask(flight.Leg{From: simtest.Side(0, "MNL"), To: simtest.Side(0, "AMS"), Date: day}))
		got := find(t, n, simtest.Ask(flight.Leg{From: simtest.Side(0, "XQX MNL"),
			To: simtest.Side(0, "JCY AMS XQX"), Date: day}))
		if len(want) == 0 || fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("%d offers; want the %d without them", len(got), len(want))
		}
	})
	t.Run("an airport on both sides is removed from the side that has others", func(t *testing.T) {
		_, to := ends(find(t, n, simtest.Ask(flight.Leg{From: simtest.Side(0, "LHR LGW"),
			To: simtest.Side(0, "LHR AMS"), Date: day})))
		if len(to) != 1 || to["AMS"] == 0 {
			t.Errorf("to %v; want AMS alone", to)
		}
		from, _ := ends(find(t, n, simtest.Ask(flight.Leg{From: simtest.Side(0, "LHR LGW"),
			To: simtest.Side(0, "LHR"), Date: day})))
		if from["LHR"] > 0 {
			t.Errorf("from %v; want LGW alone", from)
		}
		leg := flight.Leg{From: simtest.Side(0, "LHR"), To: simtest.Side(0, "LHR LHR"), Date: day}
		if err := n.search(t.Context(), simtest.Ask(leg),
			func([]flight.Offer) {}); gangway.KindOf(err) != gangway.Invalid {
			t.Errorf("LHR to LHR: %v; want Invalid", err)
		}
	})
	t.Run("one airport of a port is reached by way of another", func(t *testing.T) {
		// Skagen: Aalborg, or hours by road from Copenhagen
		offers := find(t, n, simtest.Crew(gangway.Leg{Origin: "MNL", Destination: "DKSKA", ArriveOn: day}))
		through := func(o flight.Offer) bool {
			route := o.Itinerary.Route()
			return route[len(route)-1] == "AAL" && slices.Contains(route, "CPH")
		}
		if !slices.ContainsFunc(offers, through) {
			t.Errorf("none of %d offers goes to AAL through CPH", len(offers))
		}
	})
	t.Run("a ship can be reached by an evening flight the day before", func(t *testing.T) {
		offers := find(t, n, simtest.Ask(flight.Leg{From: simtest.Side(0, "LHR"),
			To: simtest.Side(4*time.Hour, "AMS"), ArriveOn: day, ArriveBy: "06:00"}))
		if len(offers) == 0 {
			t.Fatal("nothing found")
		}
		for _, o := range offers {
			if at := o.Itinerary.Arrival(); gangway.DateOf(at) != day.AddDays(-1) && at.Format("15:04") > "02:00" {
				t.Errorf("%s lands %s; want it at least four hours before six", o.ID, at)
			}
		}
	})
}
