package sim

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"gangway"
	"gangway/internal/book/flight"
	"gangway/internal/world"
)

// batches returns the offers for an ask in the batches in which they come.
func batches(t testing.TB, n *Network, ask flight.Ask) [][]flight.Offer {
	t.Helper()
	var all [][]flight.Offer
	if err := n.For(nil, 0).Search(t.Context(), ask, func(o []flight.Offer) { all = append(all, o) }); err != nil {
		t.Fatal(err)
	}
	return all
}

func TestSearchStreams(t *testing.T) {
	n := network(t)
	t.Run("few stops come first, and nothing comes twice", func(t *testing.T) {
		several := 0
		for _, to := range busy[20:] {
			if to == "MNL" {
				continue
			}
			came := map[string]bool{}
			all := batches(t, n, crew(gangway.Leg{Origin: "MNL", Destination: gangway.Place(to), Date: "2026-12-09"}))
			for i, batch := range all {
				for _, o := range batch {
					if stops := len(o.Itinerary.Segments) - 1; i == 0 && len(all) > 1 && stops > 1 {
						t.Errorf("MNL-%s: %s with %d stops in the first batch of %d", to, o.ID, stops, len(all))
					}
					if came[o.ID] {
						t.Errorf("MNL-%s: %s came twice", to, o.ID)
					}
					came[o.ID] = true
				}
			}
			if len(all) > 1 {
				several++
			}
		}
		if several < 10 {
			t.Errorf("%d searches came in batches; want most", several)
		}
	})
	t.Run("who no longer wants it is not kept waiting", func(t *testing.T) {
		for _, pair := range [][2]gangway.Place{{"MNL", "AMS"}, {"KOI", "KTA"}} {
			ctx, cancel := context.WithCancel(t.Context())
			cancel()
			ask := crew(gangway.Leg{Origin: pair[0], Destination: pair[1], Date: "2026-12-09"})
			err := n.For(nil, 0).Search(ctx, ask, func([]flight.Offer) { t.Error("offers came") })
			if !errors.Is(err, context.Canceled) {
				t.Errorf("Search = %v; want it cancelled", err)
			}
			if _, err := n.For(nil, 0).(flight.Scout).Reach(ctx, []flight.Ask{ask}); !errors.Is(err, context.Canceled) {
				t.Errorf("Reach = %v; want it cancelled", err)
			}
		}
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		came := 0
		err := n.For(nil, 0).Search(ctx, crew(gangway.Leg{Origin: "MNL", Destination: "AMS", Date: "2026-12-09"}), func([]flight.Offer) {
			came++
			cancel()
		})
		if !errors.Is(err, context.Canceled) || came != 1 {
			t.Errorf("Search = %v after %d batches; want it cancelled after one", err, came)
		}
	})
}

// TestBestSet holds that what is offered is worth choosing from.
func TestBestSet(t *testing.T) {
	n := network(t)
	for _, leg := range []gangway.Leg{
		{Origin: "MNL", Destination: "AMS", Date: "2026-12-09"}, {Origin: "BOM", Destination: "IAH", ArriveOn: "2026-12-09"},
		{Origin: "KRK", Destination: "SGSIN", ArriveOn: "2026-12-09", ArriveBy: "18:00"}, {Origin: "LHR", Destination: "JFK", Date: "2026-12-09"},
	} {
		ask := crew(leg)
		w, err := n.wanted(ask.Legs[0], minuteOf(today))
		if err != nil {
			t.Fatal(err)
		}
		j := n.newJoin(t.Context(), w)
		all, err := j.by(loosening[0], func([]trip) error { return nil })
		if err != nil || len(all) == 0 {
			t.Fatalf("%v: %d trips, %v", leg, len(all), err)
		}
		quickest := slices.MinFunc(all, func(a, b trip) int { return a.minutes() - b.minutes() })
		all = slices.DeleteFunc(all, func(p trip) bool { return p.minutes() > tooLong(quickest.minutes()) })
		least := func(of func(p *trip) int) int {
			best := of(&all[0])
			for i := range all {
				best = min(best, of(&all[i]))
			}
			return best
		}
		var offered []trip
		for _, o := range find(t, n, ask) {
			q, err := n.quoteOf(o.ID)
			if err != nil {
				t.Fatal(err)
			}
			p := q.journey[0]
			p.before, p.after = w.ground(&p, n.timetable)
			offered = append(offered, p)
		}
		for what, of := range map[string]func(p *trip) int{
			"the earliest there":  func(p *trip) int { return p.reaches() },
			"the last to leave":   func(p *trip) int { return -p.leaves() },
			"the quickest":        func(p *trip) int { return p.minutes() },
			"that with few stops": func(p *trip) int { return p.stops() },
			"the cheapest": func(p *trip) int {
				f := n.tripFare(p, classic, gangway.Economy, minuteOf(today))
				return f.base + f.taxes
			},
		} {
			if best := least(of); !slices.ContainsFunc(offered, func(p trip) bool { return of(&p) == best }) {
				t.Errorf("%v: %s is not among the offers", leg, what)
			}
		}
	}
}

func TestWishedDeparture(t *testing.T) {
	n := network(t)
	ask := crew(gangway.Leg{Origin: "AMS", Destination: "LHR", Date: "2026-12-09"})
	leaves := map[string]bool{}
	ask.MaxStops = 0
	e, _ := n.between(n.byCode["AMS"], n.byCode["LHR"])
	day, _ := dayOf("2026-12-09")
	for _, h := range (&join{timetable: n.timetable}).flown(nil, &e, day, func(_, _ int) bool { return true }) {
		leaves[timeOf(h.dep, n.places[e.from].loc).Format("15:04")] = true
	}
	for clock := range leaves {
		ask.Legs[0].Wish = clock
		if !slices.ContainsFunc(find(t, n, ask), func(o flight.Offer) bool { return o.Itinerary.Departure().Format("15:04") == clock }) {
			t.Errorf("nothing leaves at %s, as wished, though a flight does", clock)
		}
	}
	if len(leaves) < 10 {
		t.Errorf("%d departures from AMS to LHR; want many", len(leaves))
	}
	ask.Legs[0].Wish = "about noon" // what a customer's system sent and nobody understands
	if len(find(t, n, ask)) == 0 {
		t.Error("a wish that is no time spoils the search")
	}
}

// TestMaxLayover holds that nobody waits longer than she is ready to, even if
// nothing can be offered then; what lets her wait longer is seen in the offers.
func TestMaxLayover(t *testing.T) {
	n := network(t)
	for _, most := range []time.Duration{time.Hour, 2 * time.Hour, 5 * time.Hour, 14 * time.Hour} {
		for _, to := range []gangway.Place{"AMS", "KTA", "GRU", "ABZ"} {
			ask := crew(gangway.Leg{Origin: "CEB", Destination: to, Date: "2026-12-09"})
			ask.MaxLayover = most
			for _, o := range find(t, n, ask) {
				if longest := slices.Max(append(waits(o), 0)); longest > most {
					t.Errorf("CEB-%s: %s waits %s; want %s at most", to, o.ID, longest, most)
				}
			}
		}
	}
}

// TestConnections holds what offers say of changing flights against the timetable.
func TestConnections(t *testing.T) {
	n := network(t)
	changes, last := 0, 0
	for _, pair := range [][2]gangway.Place{{"CEB", "ABZ"}, {"KRK", "SIN"}, {"BOM", "IAH"}, {"LGW", "TLL"}, {"EIN", "HAN"}} {
		for _, o := range find(t, n, crew(gangway.Leg{Origin: pair[0], Destination: pair[1], Date: "2026-12-09"})) {
			segments := o.Itinerary.Segments
			if len(o.Itinerary.Connections) != len(segments)-1 {
				t.Fatalf("%s: %d connections of %d flights", o.ID, len(o.Itinerary.Connections), len(segments))
			}
			for i, c := range o.Itinerary.Connections {
				came, goes := segments[i], segments[i+1]
				if wait := goes.Departure.Sub(came.Arrival); wait < time.Duration(c.Least)*time.Minute || c.Least < quickest {
					t.Errorf("%s: %s at %s; the least is said to be %d minutes", o.ID, wait, goes.Origin, c.Least)
				}
				if apart := lowCost(came) || lowCost(goes); apart && c.Least < selfTransfer {
					t.Errorf("%s: %d minutes at %s between two tickets", o.ID, c.Least, goes.Origin)
				}
				if want := nothingLater(n, came, goes); c.Last != want {
					t.Errorf("%s: %s to %s at %s is the last of the day: %v; want %v", o.ID, goes.Origin, goes.Destination, goes.Departure, c.Last, want)
				}
				changes++
				if c.Last {
					last++
				}
			}
		}
	}
	if last == 0 || last == changes {
		t.Errorf("%d of %d are the last of their day; want some", last, changes)
	}
}

func lowCost(s gangway.Segment) bool {
	a, _ := world.AirlineOf(s.Carrier)
	return a.Type == world.LowCost
}

// nothingLater looks through the whole timetable for a later flight that day.
func nothingLater(n *Network, came, goes gangway.Segment) bool {
	day, _ := dayOf(gangway.DateOf(goes.Departure))
	for i := range n.lines {
		l := &n.lines[i]
		if n.places[l.from].IATA != string(goes.Origin) || n.places[l.to].IATA != string(goes.Destination) || !l.on(day) {
			continue
		}
		later := int(l.dep) > goes.Departure.Hour()*60+goes.Departure.Minute()
		carrier := n.carriers[l.carrier]
		if later && (lowCost(came) || lowCost(goes) || carrier.Type != world.LowCost) {
			return false
		}
	}
	return true
}
