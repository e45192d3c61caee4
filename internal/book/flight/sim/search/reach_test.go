package search

import (
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"pgregory.net/rapid"

	"gangway/internal/book/flight"
	"gangway/internal/book/flight/sim/simtest"
	"gangway/internal/book/flight/sim/timetable"
	"gangway/internal/calltest"
	"gangway/internal/gangway"
)

func reach(t testing.TB, n *network, asks ...flight.Ask) []flight.Reach {
	t.Helper()
	answers, err := n.Reach(t.Context(), asks, timetable.MinuteOf(n.now))
	if err != nil || len(answers) != len(asks) {
		t.Fatalf("Reach = %d answers to %d asks, %v", len(answers), len(asks), err)
	}
	return answers
}

// What Reach tells a crew agrees with what each traveller is offered.
func TestReach(t *testing.T) {
	n := open(t)
	t.Run("who can reach a port has offers, and none leaves later", func(t *testing.T) {
		for _, port := range []gangway.Place{"SGSIN", "NLRTM", "USHOU", "BRSSZ"} {
			var asks []flight.Ask
			for _, home := range simtest.Busy[:40] {
				ask := simtest.Crew(gangway.Leg{Origin: gangway.Place(home), Destination: port,
					ArriveOn: "2026-12-09", ArriveBy: "18:00"})
				ask.FareType = gangway.Public // for marine fares a search would go on, by looser rules
				asks = append(asks, ask)
			}
			for i, got := range reach(t, n, asks...) {
				offers := find(t, n, asks[i])
				if got.OK != (len(offers) > 0) {
					t.Errorf("%s-%s: OK is %v with %d offers", simtest.Busy[i], port, got.OK, len(offers))
				}
				for _, o := range offers {
					if o.Itinerary.Departure().After(got.Departure) {
						t.Errorf("%s-%s: %s leaves %s; Reach said at the latest %s",
							simtest.Busy[i], port, o.ID, o.Itinerary.Departure(), got.Departure)
					}
				}
			}
		}
	})
	t.Run("different asks are answered in their order", func(t *testing.T) {
		asks := []flight.Ask{
			simtest.Fly("MNL", "SIN", "2026-12-09"),
			simtest.Fly("MNL", "XQX", "2026-12-09"),
			simtest.Crew(gangway.Leg{Origin: "AMS", Destination: "LHR", ArriveOn: "2026-12-09", ArriveBy: "12:00"}),
			simtest.Fly("AMS", "LHR", "2025-12-09"),
		}
		asks = append(asks, asks[2])
		asks[4].MaxStops = 0
		got := reach(t, n, asks...)
		if !got[0].OK || got[0].From != "MNL" || got[0].To != "SIN" || got[0].Stops != 0 ||
			got[0].Arrival.Location().String() != "Asia/Singapore" {
			t.Errorf("MNL-SIN: %+v", got[0])
		}
		if got[1].OK || got[3].OK {
			t.Errorf("to nowhere %v, in the past %v; want neither", got[1].OK, got[3].OK)
		}
		if !got[2].OK || got[2].Arrival.Format("2006-01-02 15:04") > "2026-12-09 12:00" || !got[4].OK ||
			got[4].Stops != 0 {
			t.Errorf("AMS-LHR: %+v, non-stop %+v", got[2], got[4])
		}
	})
	t.Run("concurrent callers get the same answers", func(t *testing.T) {
		var asks []flight.Ask
		together := make([]string, 12)
		var wait sync.WaitGroup
		for i, home := range simtest.Busy[:12] {
			ask := simtest.Crew(gangway.Leg{Origin: gangway.Place(home), Destination: "NLRTM",
				ArriveOn: simtest.ClockChanges[i%4], ArriveBy: "18:00"})
			asks = append(asks, ask)
			wait.Go(func() { together[i] = fmt.Sprint(reach(t, n, ask), find(t, n, ask)) })
		}
		wait.Wait()
		for i, ask := range asks {
			if alone := fmt.Sprint(reach(t, n, ask), find(t, n, ask)); together[i] != alone {
				t.Errorf("%s: %s; want %s", simtest.Busy[i], together[i], alone)
			}
		}
	})
	t.Run("a journey of several legs is refused", func(t *testing.T) {
		ask := simtest.Crew(gangway.Leg{Origin: "MNL", Destination: "SIN", Date: "2026-12-09"},
			gangway.Leg{Origin: "SIN", Destination: "PER", Date: "2026-12-12"})
		if _, err := n.Reach(t.Context(), []flight.Ask{ask},
			timetable.MinuteOf(n.now)); gangway.KindOf(err) != gangway.Invalid {
			t.Errorf("%v; want Invalid", err)
		}
	})
}

// One scan for many travellers, with several airports on either side, gives the same answers as a
// scan for each pair of airports.
func TestReachTogether(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		now := drawNow(rt)
		n := openAt(t, now)
		asks := []flight.Ask{drawAsk(rt, now)}
		for _, home := range rapid.SliceOfN(rapid.SampledFrom(simtest.Busy), 1, 4).Draw(rt, "others from") {
			ask := asks[0]
			ask.Legs = []flight.Leg{ask.Legs[0]}
			ask.Legs[0].From = []flight.End{{Airport: gangway.Airport(home), Ground: 20 * time.Minute}}
			asks = append(asks, ask)
		}
		r := rapid.SampledFrom(loosening).Draw(rt, "rules")
		for i, got := range bestBy(t, n, r, asks, now) {
			leg := asks[i].Legs[0]
			best := 0
			for _, a := range leg.From {
				for _, b := range leg.To {
					one := asks[i]
					one.Legs = []flight.Leg{leg}
					one.Legs[0].From, one.Legs[0].To = []flight.End{a}, []flight.End{b}
					if n.sharesAirport(leg) {
						continue
					}
					if worth := bestBy(t, n, r, []flight.Ask{one}, now)[0]; worth != 0 && (best == 0 || worth > best) {
						best = worth
					}
				}
			}
			if got != best && !n.sharesAirport(leg) {
				rt.Fatalf("%+v by %+v: %d; want %d", leg, r, got, best)
			}
		}
	})
}

// bestBy returns the latest departure for each ask, or the negative of the earliest arrival; zero
// if there is no trip.
func bestBy(t testing.TB, n *network, r rules, asks []flight.Ask, now time.Time) []int {
	t.Helper()
	worth := make([]int, len(asks))
	groups := map[string][]*target{}
	for i, ask := range asks {
		w, err := n.wanted(ask.Legs[0], timetable.MinuteOf(now))
		if err != nil || w == nil {
			continue
		}
		key := fmt.Sprint(w.to)
		if !w.arriving {
			key = fmt.Sprint(w.from)
		}
		groups[key] = append(groups[key], &target{want: w, ask: i})
	}
	for _, targets := range groups {
		calltest.Done(t, n.reachBy(t.Context(), r, false, targets))
		for _, g := range targets {
			switch {
			case g.best.N == 0:
			case g.arriving:
				worth[g.ask] = g.best.Leaves()
			default:
				worth[g.ask] = -g.best.Reaches()
			}
		}
	}
	return worth
}

// sharesAirport reports whether an airport is on both sides of a leg, or twice on one.
func (n *network) sharesAirport(leg flight.Leg) bool {
	var all []string
	for _, e := range append(append([]flight.End{}, leg.From...), leg.To...) {
		if strings.Contains(strings.Join(all, " "), string(e.Airport)) {
			return true
		}
		all = append(all, string(e.Airport))
	}
	return false
}
