package sim

import (
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"pgregory.net/rapid"

	"gangway"
	"gangway/internal/book/flight"
)

func reach(t testing.TB, n *Network, asks ...flight.Ask) []flight.Reach {
	t.Helper()
	answers, err := n.For(nil, 0).(flight.Scout).Reach(t.Context(), asks)
	if err != nil || len(answers) != len(asks) {
		t.Fatalf("Reach = %d answers to %d asks, %v", len(answers), len(asks), err)
	}
	return answers
}

// TestReach holds what a crew is told together against what each is offered.
func TestReach(t *testing.T) {
	n := network(t)
	t.Run("who can be at a port has offers, and none leaves later", func(t *testing.T) {
		for _, port := range []gangway.Place{"SGSIN", "NLRTM", "USHOU", "BRSSZ"} {
			var asks []flight.Ask
			for _, home := range busy[:40] {
				ask := crew(gangway.Leg{Origin: gangway.Place(home), Destination: port, ArriveOn: "2026-12-09", ArriveBy: "18:00"})
				ask.FareType = gangway.Public // a search goes on to look for marine fares, by looser rules
				asks = append(asks, ask)
			}
			for i, got := range reach(t, n, asks...) {
				offers := find(t, n, asks[i])
				if got.OK != (len(offers) > 0) {
					t.Errorf("%s-%s: OK is %v with %d offers", busy[i], port, got.OK, len(offers))
				}
				for _, o := range offers {
					if o.Itinerary.Departure().After(got.Departure) {
						t.Errorf("%s-%s: %s leaves %s; the latest was to be %s", busy[i], port, o.ID, o.Itinerary.Departure(), got.Departure)
					}
				}
			}
		}
	})
	t.Run("who goes home has offers, and none lands earlier", func(t *testing.T) {
		var asks []flight.Ask
		for _, home := range busy[:40] {
			ask := crew(gangway.Leg{Origin: "NLRTM", Destination: gangway.Place(home), Date: "2026-12-09", LeaveAfter: "09:00"})
			ask.FareType = gangway.Public
			asks = append(asks, ask)
		}
		for i, got := range reach(t, n, asks...) {
			if !got.OK {
				t.Errorf("nobody gets to %s", busy[i])
			}
			for _, o := range find(t, n, asks[i]) {
				if o.Itinerary.Arrival().Before(got.Arrival) {
					t.Errorf("%s: %s lands %s; the earliest was to be %s", busy[i], o.ID, o.Itinerary.Arrival(), got.Arrival)
				}
			}
		}
	})
	t.Run("asks of all kinds are answered in their order", func(t *testing.T) {
		asks := []flight.Ask{
			crew(gangway.Leg{Origin: "MNL", Destination: "SIN", Date: "2026-12-09"}),
			crew(gangway.Leg{Origin: "MNL", Destination: "XQX", Date: "2026-12-09"}),
			crew(gangway.Leg{Origin: "AMS", Destination: "LHR", ArriveOn: "2026-12-09", ArriveBy: "12:00"}),
			crew(gangway.Leg{Origin: "AMS", Destination: "LHR", Date: "2025-12-09"}),
		}
		asks = append(asks, asks[2])
		asks[4].MaxStops = 0
		got := reach(t, n, asks...)
		if !got[0].OK || got[0].From != "MNL" || got[0].To != "SIN" || got[0].Stops != 0 || got[0].Arrival.Location().String() != "Asia/Singapore" {
			t.Errorf("MNL-SIN: %+v", got[0])
		}
		if got[1].OK || got[3].OK {
			t.Errorf("to nowhere %v, in the past %v; want neither", got[1].OK, got[3].OK)
		}
		if !got[2].OK || got[2].Arrival.Format("2006-01-02 15:04") > "2026-12-09 12:00" || !got[4].OK || got[4].Stops != 0 {
			t.Errorf("AMS-LHR: %+v, non-stop %+v", got[2], got[4])
		}
	})
	t.Run("those who ask side by side are told the same", func(t *testing.T) {
		var asks []flight.Ask
		var alone []string
		for i, home := range busy[:12] {
			ask := crew(gangway.Leg{Origin: gangway.Place(home), Destination: "NLRTM", ArriveOn: clockChanges[i%4], ArriveBy: "18:00"})
			asks = append(asks, ask)
			alone = append(alone, fmt.Sprint(reach(t, n, ask), find(t, n, ask)))
		}
		n.sheets.list = nil // so that they are laid out for all at once
		var wait sync.WaitGroup
		for i, ask := range asks {
			wait.Go(func() {
				if got := fmt.Sprint(reach(t, n, ask), find(t, n, ask)); got != alone[i] {
					t.Errorf("%s: %s; want %s", busy[i], got, alone[i])
				}
			})
		}
		wait.Wait()
	})
	t.Run("a journey of several legs is no question of who can get there", func(t *testing.T) {
		ask := crew(gangway.Leg{Origin: "MNL", Destination: "SIN", Date: "2026-12-09"}, gangway.Leg{Origin: "SIN", Destination: "PER", Date: "2026-12-12"})
		if _, err := n.For(nil, 0).(flight.Scout).Reach(t.Context(), []flight.Ask{ask}); gangway.KindOf(err) != gangway.Invalid {
			t.Errorf("%v; want Invalid", err)
		}
	})
}

// TestReachTogether holds that one scan for many travellers, with several
// airports on either side, says the same as one for each pair of airports.
func TestReachTogether(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		now := drawNow(rt)
		n := networkAt(t, now)
		asks := []flight.Ask{drawAsk(rt, now)}
		for _, home := range rapid.SliceOfN(rapid.SampledFrom(busy), 1, 4).Draw(rt, "others from") {
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

// bestBy returns, for each ask, when one leaves at the latest, or the negative of when
// one is there at the earliest; zero when one cannot.
func bestBy(t testing.TB, n *Network, r rules, asks []flight.Ask, now time.Time) []int {
	t.Helper()
	worth := make([]int, len(asks))
	groups := map[string][]*target{}
	for i, ask := range asks {
		w, err := n.wanted(ask.Legs[0], minuteOf(now))
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
		if err := n.reachBy(t.Context(), r, false, targets); err != nil {
			t.Fatal(err)
		}
		for _, g := range targets {
			switch {
			case g.best.n == 0:
			case g.arriving:
				worth[g.ask] = g.best.leaves()
			default:
				worth[g.ask] = -g.best.reaches()
			}
		}
	}
	return worth
}

// sharesAirport reports whether an airport is on both sides of a leg, or twice on one.
func (n *Network) sharesAirport(leg flight.Leg) bool {
	var all []string
	for _, e := range append(append([]flight.End{}, leg.From...), leg.To...) {
		if strings.Contains(strings.Join(all, " "), string(e.Airport)) {
			return true
		}
		all = append(all, string(e.Airport))
	}
	return false
}

// TestSheets holds that a sheet has all that leaves on a UTC day, in order, also
// when clocks change, and that few are kept.
func TestSheets(t *testing.T) {
	n := network(t)
	for _, date := range clockChanges {
		day, _ := dayOf(date)
		want := 0
		for i := range n.lines {
			l := &n.lines[i]
			for d := day - 2; d <= day+2; d++ {
				y, m, dd := timeOf(d*minutesADay, time.UTC).Date()
				if dep := minuteOf(time.Date(y, m, dd, 0, int(l.dep), 0, 0, n.places[l.from].loc)); l.on(d) && dep >= day*minutesADay && dep < (day+1)*minutesADay {
					want++
				}
			}
		}
		list := n.departures(day)
		if len(list) != want {
			t.Errorf("%s: %d departures; want %d", date, len(list), want)
		}
		for i := range list {
			d := &list[i]
			line, on := d.flight(day)
			l := &n.lines[line]
			if i > 0 && d.minute < list[i-1].minute || l.from != d.from || l.to != d.to || l.block != d.block || !l.on(on) ||
				n.utc(int(l.from), on, int(l.dep)) != day*minutesADay+int(d.minute) || d.alone() != n.alone[l.carrier] || d.named() != n.named[l.carrier] {
				t.Fatalf("%s: departure %d is %+v, line %+v on day %d", date, i, *d, *l, on)
			}
		}
	}
	for day := range 3 * keptSheets {
		n.departures(20_800 + day)
	}
	if got := len(n.sheets.list); got != keptSheets {
		t.Errorf("%d sheets are kept; want %d", got, keptSheets)
	}
}
