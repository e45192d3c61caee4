package search

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"gangway/internal/book/flight"
	"gangway/internal/book/flight/sim/simtest"
	"gangway/internal/book/flight/sim/timetable"
	"gangway/internal/gangway"
	"gangway/internal/world"
)

// wantSound fails if an offer's flights cannot be flown one after another.
func wantSound(t interface{ Fatalf(string, ...any) }, n *network, o flight.Offer) {
	for _, leg := range o.Itinerary.Legs() {
		km, first, last := 0, leg[0], leg[len(leg)-1]
		for i, s := range leg {
			km += s.DistanceKm
			if i == 0 {
				continue
			}
			before := leg[i-1]
			wait := int(s.Departure.Sub(before.Arrival).Minutes())
			least := n.MinConnection(placeOf(n, string(before.Origin)), placeOf(n, string(s.Origin)),
				placeOf(n, string(s.Destination)))
			if s.Origin != before.Destination || wait < least || wait > timetable.LongestWait {
				t.Fatalf("%s: %s at %s follows %s at %s after %d minutes; want %d to %d",
					o.ID, s.FlightNumber, s.Origin, before.FlightNumber, before.Destination, wait, least,
					timetable.LongestWait)
			}
			a, _ := world.AirlineOf(before.Carrier)
			b, _ := world.AirlineOf(s.Carrier)
			if alone := a.Type == world.LowCost || b.Type == world.LowCost; alone &&
				(wait < timetable.SelfTransfer || !o.Terms.Splitting || o.Terms.FareType == gangway.Marine) {
				t.Fatalf("%s: %s and %s on one ticket, %d minutes apart",
					o.ID, before.FlightNumber, s.FlightNumber, wait)
			}
		}
		direct := n.Km(placeOf(n, string(first.Origin)), placeOf(n, string(last.Destination)))
		if len(leg) > 1 && km > farthest.limit(direct) {
			t.Fatalf("%s: %d km for %d", o.ID, km, direct)
		}
	}
}

func TestOffersAreSound(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		now := drawNow(rt)
		n := openAt(t, now)
		ask := drawAsk(rt, now)
		for _, o := range find(t, n, ask) {
			wantSound(rt, n, o)
			wantWithin(rt, ask.Legs[0], o)
			for _, wait := range waits(o) {
				if ask.MaxLayover > 0 && wait > ask.MaxLayover {
					rt.Fatalf("%s waits %s; want at most %s", o.ID, wait, ask.MaxLayover)
				}
			}
			if stops := len(o.Itinerary.Segments) - 1; ask.MaxStops >= 0 && stops > ask.MaxStops {
				rt.Fatalf("%s has %d stops; want at most %d", o.ID, stops, ask.MaxStops)
			}
			q, err := n.QuoteOf(o.ID)
			if again := n.Offer(q); err != nil || fmt.Sprint(again) != fmt.Sprint(o) {
				rt.Fatalf("%s read again is %+v, %v; want it as offered: %+v", o.ID, again, err, o)
			}
		}
	})
}

// drawNow draws the time of the search, so that flights are on sale when clocks change in spring or
// in autumn.
func drawNow(rt *rapid.T) time.Time {
	return rapid.SampledFrom([]time.Time{simtest.Today, simtest.Today.AddDate(0, 8, 3)}).Draw(rt, "now")
}

// drawAsk draws a search for one leg, often on a day when clocks change, and with several airports on
// either side.
func drawAsk(rt *rapid.T, now time.Time) flight.Ask {
	from := rapid.SampledFrom(clocks).Draw(rt, "from")
	to := rapid.SampledFrom(clocks).Filter(func(s string) bool { return s != from }).Draw(rt, "to")
	date := gangway.DateOf(now).AddDays(rapid.IntRange(3, 350).Draw(rt, "days"))
	if rapid.Bool().Draw(rt, "clocks change") {
		date = rapid.SampledFrom(simtest.ClockChanges).Draw(rt, "date")
	}
	side := func(name, one string) []flight.End {
		ends := []flight.End{{Airport: gangway.Airport(one)}}
		for _, also := range rapid.SliceOfN(rapid.SampledFrom(clocks), 0, 3).Draw(rt, "also "+name) {
			ends = append(ends, flight.End{Airport: gangway.Airport(also),
				Ground: time.Duration(rapid.IntRange(0, 240).Draw(rt, "by road "+name)) * time.Minute})
		}
		return ends
	}
	leg := flight.Leg{From: side("from", from), To: side("to", to),
		Wish: rapid.SampledFrom([]string{"", "09:15"}).Draw(rt, "wish")}
	if rapid.Bool().Draw(rt, "arrive") {
		leg.ArriveOn, leg.ArriveBy = date, rapid.SampledFrom([]string{"", "06:00", "18:00"}).Draw(rt, "by")
	} else {
		leg.Date, leg.LeaveAfter = date, rapid.SampledFrom([]string{"", "", "10:30"}).Draw(rt, "after")
	}
	return flight.Ask{
		Legs: []flight.Leg{leg}, Vessel: "Nordlys", Flag: "NO",
		MaxStops:   rapid.SampledFrom([]int{-1, -1, 0, 1, 2}).Draw(rt, "stops"),
		MaxLayover: rapid.SampledFrom([]time.Duration{0, 0, 90 * time.Minute, 12 * time.Hour}).Draw(rt, "longest wait"),
	}
}

// clocks lists airports with different clocks: with summer time, without, and half an hour apart from
// others.
var clocks = append(strings.Fields("ADL KTM RGN DEL YYT CMN SYD PER SCL HAV BEY"), simtest.Busy...)

// wantWithin fails if an offer is not flown when and where it was asked for.
func wantWithin(t interface{ Fatalf(string, ...any) }, leg flight.Leg, o flight.Offer) {
	segments := o.Itinerary.Segments
	first, last := segments[0], segments[len(segments)-1]
	leaves, ok := endOf(leg.From, first.Origin)
	reaches, also := endOf(leg.To, last.Destination)
	if !ok || !also {
		t.Fatalf("%s flies from %s to %s; want %v to %v", o.ID, first.Origin, last.Destination, leg.From, leg.To)
	}
	out, there := first.Departure.Add(-leaves.Ground), last.Arrival.Add(reaches.Ground)
	if leg.Date != "" && gangway.DateOf(first.Departure) != leg.Date {
		t.Fatalf("%s leaves %s; want %s", o.ID, first.Departure, leg.Date)
	}
	if leg.LeaveAfter != "" && out.Before(clockAt(leg.Date, leg.LeaveAfter, first.Departure.Location())) {
		t.Fatalf("%s needs the traveller to set out at %s; want %s at the earliest", o.ID, out, leg.LeaveAfter)
	}
	switch {
	case leg.ArriveOn == "":
	case leg.ArriveBy == "":
		if gangway.DateOf(there) != leg.ArriveOn {
			t.Fatalf("%s arrives %s; want %s", o.ID, there, leg.ArriveOn)
		}
	default:
		by := clockAt(leg.ArriveOn, leg.ArriveBy, last.Arrival.Location())
		if there.After(by) || there.Before(by.Add(-24*time.Hour)) {
			t.Fatalf("%s arrives %s; want it within the day before %s", o.ID, there, by)
		}
	}
}

func endOf(ends []flight.End, a gangway.Airport) (flight.End, bool) {
	i := slices.IndexFunc(ends, func(e flight.End) bool { return e.Airport == a })
	if i < 0 {
		return flight.End{}, false
	}
	return ends[i], true
}

// clockAt returns the instant at which clocks in a zone show a time.
func clockAt(date gangway.Date, clock string, loc *time.Location) time.Time {
	minute, _ := gangway.MinuteOfDay(clock)
	y, m, d := date.In(loc).Date()
	return time.Date(y, m, d, 0, minute, 0, 0, loc)
}

// waits returns the time between each two flights of a leg.
func waits(o flight.Offer) []time.Duration {
	var all []time.Duration
	for _, leg := range o.Itinerary.Legs() {
		for i := range leg[1:] {
			all = append(all, leg[i+1].Departure.Sub(leg[i].Arrival))
		}
	}
	return all
}
