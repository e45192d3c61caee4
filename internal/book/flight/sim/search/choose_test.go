package search

import (
	"slices"
	"testing"
	"time"

	"gangway/internal/book/flight"
	"gangway/internal/book/flight/sim/simtest"
	"gangway/internal/book/flight/sim/tariff"
	"gangway/internal/book/flight/sim/timetable"
	"gangway/internal/calltest"
	"gangway/internal/gangway"
	"gangway/internal/world"
)

// Offers include the best trip by every measure.
func TestBestSet(t *testing.T) {
	n := open(t)
	for _, leg := range []gangway.Leg{
		{Origin: "MNL", Destination: "AMS", Date: "2026-12-09"},
		{Origin: "BOM", Destination: "IAH", ArriveOn: "2026-12-09"},
		{Origin: "KRK", Destination: "SGSIN", ArriveOn: "2026-12-09", ArriveBy: "18:00"},
		{Origin: "LHR", Destination: "JFK", Date: "2026-12-09"},
	} {
		ask := simtest.Crew(leg)
		w := calltest.Must(n.wanted(ask.Legs[0], timetable.MinuteOf(simtest.Today)))(t)
		j := n.newJoin(t.Context(), w)
		all, err := j.find(loosening[0], func([]timetable.Trip) error { return nil })
		if err != nil || len(all) == 0 {
			t.Fatalf("%v: %d trips, %v", leg, len(all), err)
		}
		quickest := slices.MinFunc(all, func(a, b timetable.Trip) int { return a.Minutes() - b.Minutes() })
		all = slices.DeleteFunc(all, func(p timetable.Trip) bool { return p.Minutes() > tooLong(quickest.Minutes()) })
		least := func(of func(p *timetable.Trip) int) int {
			best := of(&all[0])
			for i := range all {
				best = min(best, of(&all[i]))
			}
			return best
		}
		var offered []timetable.Trip
		for _, o := range find(t, n, ask) {
			q := calltest.Must(n.QuoteOf(o.ID))(t)
			p := q.Journey[0]
			p.Before, p.After = w.ground(&p, n.Timetable)
			offered = append(offered, p)
		}
		for what, of := range map[string]func(p *timetable.Trip) int{
			"the earliest arrival": func(p *timetable.Trip) int { return p.Reaches() },
			"the last to leave":    func(p *timetable.Trip) int { return -p.Leaves() },
			"the quickest":         func(p *timetable.Trip) int { return p.Minutes() },
			"the fewest stops":     func(p *timetable.Trip) int { return p.Stops() },
			"the cheapest": func(p *timetable.Trip) int {
				return n.TripPrice(p, tariff.Classic, gangway.Economy, timetable.MinuteOf(simtest.Today))
			},
		} {
			if best := least(of); !slices.ContainsFunc(offered, func(p timetable.Trip) bool { return of(&p) == best }) {
				t.Errorf("%v: %s is not among the offers", leg, what)
			}
		}
	}
}

func TestWishedDeparture(t *testing.T) {
	n := open(t)
	ask := simtest.Fly("AMS", "LHR", "2026-12-09")
	leaves := map[string]bool{}
	ask.MaxStops = 0
	e, _ := n.Between(placeOf(n, "AMS"), placeOf(n, "LHR"))
	day, _ := timetable.DayOf("2026-12-09")
	for _, h := range (&join{Timetable: n.Timetable}).flown(nil, &e, day, func(_, _ int) bool { return true }) {
		leaves[timetable.TimeOf(h.Dep, n.Places[e.From].Loc).Format("15:04")] = true
	}
	for clock := range leaves {
		ask.Legs[0].Wish = clock
		wished := func(o flight.Offer) bool { return o.Itinerary.Departure().Format("15:04") == clock }
		if !slices.ContainsFunc(find(t, n, ask), wished) {
			t.Errorf("nothing leaves at %s, the preferred time, though a flight does", clock)
		}
	}
	if len(leaves) < 10 {
		t.Errorf("%d departures from AMS to LHR; want many", len(leaves))
	}
	ask.Legs[0].Wish = "about noon" // sent by a customer's system and not a time
	if len(find(t, n, ask)) == 0 {
		t.Error("a preferred time that cannot be read spoils the search")
	}
}

// What offers say about changing flights agrees with the timetable.
func TestConnections(t *testing.T) {
	n := open(t)
	changes, last := 0, 0
	for _, pair := range [][2]gangway.Place{{"CEB", "ABZ"}, {"KRK", "SIN"}, {"BOM", "IAH"}, {"LGW", "TLL"},
		{"EIN", "HAN"}} {
		for _, o := range find(t, n, simtest.Fly(pair[0], pair[1], "2026-12-09")) {
			segments := o.Itinerary.Segments
			if len(o.Itinerary.Connections) != len(segments)-1 {
				t.Fatalf("%s: %d connections of %d flights", o.ID, len(o.Itinerary.Connections), len(segments))
			}
			for i, c := range o.Itinerary.Connections {
				came, goes := segments[i], segments[i+1]
				if wait := goes.Departure.Sub(came.Arrival); wait < time.Duration(c.Least)*time.Minute ||
					c.Least < timetable.Quickest {
					t.Errorf("%s: %s at %s; the stated minimum is %d minutes", o.ID, wait, goes.Origin, c.Least)
				}
				if apart := lowCost(came) || lowCost(goes); apart && c.Least < timetable.SelfTransfer {
					t.Errorf("%s: %d minutes at %s between two tickets", o.ID, c.Least, goes.Origin)
				}
				if want := nothingLater(n, came, goes); c.Last != want {
					t.Errorf("%s: %s to %s at %s is the last of the day: %v; want %v",
						o.ID, goes.Origin, goes.Destination, goes.Departure, c.Last, want)
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

// nothingLater looks through the whole timetable for a later flight on that day.
func nothingLater(n *network, came, goes gangway.Segment) bool {
	day, _ := timetable.DayOf(gangway.DateOf(goes.Departure))
	for i := range n.Lines {
		l := &n.Lines[i]
		if n.Places[l.From].IATA != string(goes.Origin) || n.Places[l.To].IATA != string(goes.Destination) ||
			!l.On(day) {
			continue
		}
		later := int(l.Dep) > goes.Departure.Hour()*60+goes.Departure.Minute()
		carrier := n.Carriers[l.Carrier]
		if later && (lowCost(came) || lowCost(goes) || carrier.Type != world.LowCost) {
			return false
		}
	}
	return true
}
