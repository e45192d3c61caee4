package sim

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"gangway"
	"gangway/internal/book/flight"
	"gangway/internal/world"
)

// find returns all offers for legs.
func find(t testing.TB, n *Network, ask flight.Ask) []flight.Offer {
	t.Helper()
	var offers []flight.Offer
	err := n.For(nil, 0).Search(t.Context(), ask, func(o []flight.Offer) { offers = append(offers, o...) })
	if err != nil {
		t.Fatalf("Search(%v) = %v", ask.Legs, err)
	}
	return offers
}

// crew is an ask by a vessel's crew.
func crew(legs ...gangway.Leg) flight.Ask {
	between, err := flight.LegsOf(legs)
	if err != nil {
		panic(err)
	}
	return flight.Ask{Legs: between, Vessel: "Nordlys", Flag: "NO", MaxStops: -1}
}

// busy lists airports to travel between.
var busy = strings.Fields("MNL CEB ILO DVO BOM DEL COK MAA VTZ KRK GDN WAW SZZ TBS BUS OTP VAR ZAG SPU RIX TLL CAI CMB DAC RGN HAN SGN PVG DLC TAO XMN CGK SUB LOS ACC ABZ SVG BGO AMS SIN IAH DXB PTY GRU LHR FRA JFK SYD PER JNB LAX HKG KOI")

// wantSound fails when an offer's flights cannot be flown one after another.
func wantSound(t interface{ Fatalf(string, ...any) }, n *Network, o flight.Offer) {
	for _, leg := range o.Itinerary.Legs() {
		km, first, last := 0, leg[0], leg[len(leg)-1]
		for i, s := range leg {
			km += s.DistanceKm
			if i == 0 {
				continue
			}
			before := leg[i-1]
			wait := int(s.Departure.Sub(before.Arrival).Minutes())
			least := n.change(n.byCode[string(before.Origin)], n.byCode[string(s.Origin)], n.byCode[string(s.Destination)])
			if s.Origin != before.Destination || wait < least || wait > longestWait {
				t.Fatalf("%s: %s at %s follows %s at %s after %d minutes; want %d to %d", o.ID, s.FlightNumber, s.Origin, before.FlightNumber, before.Destination, wait, least, longestWait)
			}
			a, _ := world.AirlineOf(before.Carrier)
			b, _ := world.AirlineOf(s.Carrier)
			if alone := a.Type == world.LowCost || b.Type == world.LowCost; alone && (wait < selfTransfer || !o.Terms.Splitting || o.Terms.FareType == gangway.Marine) {
				t.Fatalf("%s: %s and %s on one ticket, %d minutes apart", o.ID, before.FlightNumber, s.FlightNumber, wait)
			}
		}
		direct := n.km(n.byCode[string(first.Origin)], n.byCode[string(last.Destination)])
		if len(leg) > 1 && km > farthest.limit(direct) {
			t.Fatalf("%s: %d km for %d", o.ID, km, direct)
		}
	}
}

func TestOffersAreSound(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		now := drawNow(rt)
		n := networkAt(t, now)
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
			again, err := n.For(nil, 0).Price(t.Context(), o.ID)
			if err != nil || fmt.Sprint(again) != fmt.Sprint(o) {
				rt.Fatalf("Price(%s) = %+v, %v; want it as offered: %+v", o.ID, again, err, o)
			}
		}
	})
}

// networkAt is the network at another time than today.
func networkAt(t testing.TB, now time.Time) *Network {
	t.Helper()
	n, err := New(Config{Now: func() time.Time { return now }})
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// drawNow draws when one searches: such that flights are on sale when clocks
// change in spring, or in autumn.
func drawNow(rt *rapid.T) time.Time {
	return rapid.SampledFrom([]time.Time{today, today.AddDate(0, 8, 3)}).Draw(rt, "now")
}

// drawAsk draws a search for one leg, often on a day when clocks change, and
// with several airports on either side.
func drawAsk(rt *rapid.T, now time.Time) flight.Ask {
	from := rapid.SampledFrom(clocks).Draw(rt, "from")
	to := rapid.SampledFrom(clocks).Filter(func(s string) bool { return s != from }).Draw(rt, "to")
	date := gangway.DateOf(now).AddDays(rapid.IntRange(3, 350).Draw(rt, "days"))
	if rapid.Bool().Draw(rt, "clocks change") {
		date = rapid.SampledFrom(clockChanges).Draw(rt, "date")
	}
	side := func(name, one string) []flight.End {
		ends := []flight.End{{Airport: gangway.Airport(one)}}
		for _, also := range rapid.SliceOfN(rapid.SampledFrom(clocks), 0, 3).Draw(rt, "also "+name) {
			ends = append(ends, flight.End{Airport: gangway.Airport(also), Ground: time.Duration(rapid.IntRange(0, 240).Draw(rt, "by road "+name)) * time.Minute})
		}
		return ends
	}
	leg := flight.Leg{From: side("from", from), To: side("to", to), Wish: rapid.SampledFrom([]string{"", "09:15"}).Draw(rt, "wish")}
	if rapid.Bool().Draw(rt, "arrive") {
		leg.ArriveOn, leg.ArriveBy = date, rapid.SampledFrom([]string{"", "06:00", "18:00"}).Draw(rt, "by")
	} else {
		leg.Date, leg.LeaveAfter = date, rapid.SampledFrom([]string{"", "", "10:30"}).Draw(rt, "after")
	}
	return flight.Ask{
		Legs: []flight.Leg{leg}, Vessel: "Nordlys", Flag: "NO", MaxStops: rapid.SampledFrom([]int{-1, -1, 0, 1, 2}).Draw(rt, "stops"),
		MaxLayover: rapid.SampledFrom([]time.Duration{0, 0, 90 * time.Minute, 12 * time.Hour}).Draw(rt, "longest wait"),
	}
}

// clocks lists airports by how their clocks go: with summer time, without, and
// half an hour apart from others.
var clocks = append(strings.Fields("ADL KTM RGN DEL YYT CMN SYD PER SCL HAV BEY"), busy...)

// clockChanges lists days around which clocks change somewhere: in Europe, in
// North America, in Australia, and in Morocco for Ramadan.
var clockChanges = []gangway.Date{"2027-03-28", "2027-03-14", "2027-04-04", "2027-02-07", "2027-03-27", "2027-03-29", "2027-10-31", "2027-11-07", "2027-10-03", "2027-10-30", "2027-11-01"}

// wantWithin fails when an offer is not flown when and where it was asked for.
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
			t.Fatalf("%s is there %s; want %s", o.ID, there, leg.ArriveOn)
		}
	default:
		by := clockAt(leg.ArriveOn, leg.ArriveBy, last.Arrival.Location())
		if there.After(by) || there.Before(by.Add(-24*time.Hour)) {
			t.Fatalf("%s is there %s; want it in the day before %s", o.ID, there, by)
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

// clockAt is the instant when clocks in a zone show a time.
func clockAt(date gangway.Date, clock string, loc *time.Location) time.Time {
	minute, _ := minuteOfDay(clock)
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

func TestSearch(t *testing.T) {
	n := network(t)
	t.Run("forty crew reach a port from all over the world, on marine fares too", func(t *testing.T) {
		for _, port := range []gangway.Airport{"SIN", "AMS", "IAH", "GRU", "PTY"} {
			for _, home := range busy {
				if home == string(port) {
					continue
				}
				offers := find(t, n, crew(gangway.Leg{Origin: gangway.Place(home), Destination: gangway.Place(port), ArriveOn: "2026-12-01"}))
				if !slices.ContainsFunc(offers, func(o flight.Offer) bool { return o.Terms.FareType == gangway.Marine }) {
					t.Errorf("%s-%s: %d offers, none marine", home, port, len(offers))
				}
				if len(offers) > 80 {
					t.Errorf("%s-%s: %d offers; nobody reads so many", home, port, len(offers))
				}
			}
		}
	})
	t.Run("a fourth flight only where nothing else goes", func(t *testing.T) {
		offers := find(t, n, crew(gangway.Leg{Origin: "KOI", Destination: "KTA", Date: "2026-12-01"}))
		if len(offers) == 0 || len(offers[0].Itinerary.Segments) != 4 {
			t.Errorf("KOI-KTA: %d offers; want some of four flights", len(offers))
		}
		for _, o := range find(t, n, crew(gangway.Leg{Origin: "MNL", Destination: "AMS", Date: "2026-12-01"})) {
			if len(o.Itinerary.Segments) > 3 {
				t.Errorf("MNL-AMS: %s has %d flights", o.ID, len(o.Itinerary.Segments))
			}
		}
	})
	t.Run("no more stops than asked for", func(t *testing.T) {
		for most := range 3 {
			ask := crew(gangway.Leg{Origin: "AMS", Destination: "SIN", Date: "2026-12-01"})
			ask.MaxStops = most
			offers := find(t, n, ask)
			for _, o := range offers {
				if len(o.Itinerary.Segments)-1 > most {
					t.Errorf("%d stops; want at most %d", len(o.Itinerary.Segments)-1, most)
				}
			}
			if len(offers) == 0 {
				t.Errorf("nothing with %d stops", most)
			}
		}
	})
	t.Run("several legs follow one another", func(t *testing.T) {
		offers := find(t, n, crew(
			gangway.Leg{Origin: "MNL", Destination: "AMS", Date: "2026-12-01"}, gangway.Leg{Origin: "AMS", Destination: "ABZ", Date: "2026-12-04"},
			gangway.Leg{Origin: "ABZ", Destination: "LHR", Date: "2026-12-04"}))
		if len(offers) == 0 {
			t.Fatal("nothing found")
		}
		for _, o := range offers {
			wantSound(t, n, o)
			legs := o.Itinerary.Legs()
			if len(legs) != 3 || len(o.Baggage) != 3 || legs[2][0].Departure.Before(legs[1][len(legs[1])-1].Arrival) {
				t.Errorf("%s: legs %v, baggage %v", o.ID, o.Itinerary.Route(), o.Baggage)
			}
		}
	})
	t.Run("a better cabin is in the longest flight and costs more", func(t *testing.T) {
		ask := crew(gangway.Leg{Origin: "AMS", Destination: "SIN", Date: "2026-12-01"})
		cheapest := func() (best int64) {
			for _, o := range find(t, n, ask) {
				if best == 0 || o.Price.Total.Minor < best {
					best = o.Price.Total.Minor
				}
				longest := slices.MaxFunc(o.Itinerary.Segments, func(a, b gangway.Segment) int { return a.DistanceKm - b.DistanceKm })
				if want := ask.Cabin; want != "" && longest.Cabin != want {
					t.Errorf("%s: the longest flight is in %s; want %s", o.ID, longest.Cabin, want)
				}
			}
			return best
		}
		economy := cheapest()
		for _, c := range []gangway.Cabin{gangway.PremiumEconomy, gangway.Business, gangway.First} {
			ask.Cabin = c
			if got := cheapest(); got <= economy {
				t.Errorf("%s from %d; want more than %d", c, got, economy)
			}
		}
	})
	t.Run("nothing is sold that leaves too soon, has left, or is far away in time", func(t *testing.T) {
		for _, date := range []gangway.Date{"2026-11-01", "2025-01-01", "2028-01-01"} {
			if offers := find(t, n, crew(gangway.Leg{Origin: "AMS", Destination: "LHR", Date: date})); len(offers) != 0 {
				t.Errorf("%s: %d offers", date, len(offers))
			}
		}
		for _, o := range find(t, n, crew(gangway.Leg{Origin: "AMS", Destination: "LHR", Date: gangway.DateOf(today)})) {
			if o.Itinerary.Departure().Before(today.Add(saleEnds * time.Minute)) {
				t.Errorf("%s leaves %s", o.ID, o.Itinerary.Departure())
			}
		}
	})
}

func TestSearchRefuses(t *testing.T) {
	s := network(t).For(nil, 0)
	day := gangway.Date("2026-12-01")
	tests := []struct {
		name string
		ask  flight.Ask
	}{
		{"no leg", flight.Ask{}},
		{"an unknown airport", crew(gangway.Leg{Origin: "XQX", Destination: "AMS", Date: day})},
		{"an airport without flights", marineAsk(flight.Leg{From: sideOf(0, "AMS"), To: sideOf(0, "JCY"), Date: day})},
		{"a flight to where it begins", crew(gangway.Leg{Origin: "AMS", Destination: "AMS", Date: day})},
		{"no date", crew(gangway.Leg{Origin: "AMS", Destination: "SIN"})},
		{"a date that is none", crew(gangway.Leg{Origin: "AMS", Destination: "SIN", Date: "2026-02-30"})},
		{"an arrival that is no date", crew(gangway.Leg{Origin: "AMS", Destination: "SIN", ArriveOn: "soon"})},
		{"an hour that is none", crew(gangway.Leg{Origin: "AMS", Destination: "SIN", ArriveOn: day, ArriveBy: "25:00"})},
		{"marine fares without a vessel", flight.Ask{Legs: crew(gangway.Leg{Origin: "AMS", Destination: "SIN", Date: day}).Legs, FareType: gangway.Marine}},
	}
	for _, tt := range tests {
		err := s.Search(t.Context(), tt.ask, func(o []flight.Offer) { t.Errorf("%s: %d offers", tt.name, len(o)) })
		if gangway.KindOf(err) != gangway.Invalid {
			t.Errorf("%s: %v; want Invalid", tt.name, err)
		}
	}
}

// TestJoinFindsTheEarliest compares the join with a plain search that follows
// every flight, for journeys of up to one stop, with the airlines that sanctions
// name and without them.
func TestJoinFindsTheEarliest(t *testing.T) {
	n := network(t)
	rapid.Check(t, func(rt *rapid.T) {
		from := n.byCode[rapid.SampledFrom(busy).Draw(rt, "from")]
		to := n.byCode[rapid.SampledFrom(busy).Draw(rt, "to")]
		if from == to {
			return
		}
		day, _ := dayOf(gangway.DateOf(today).AddDays(rapid.IntRange(3, 300).Draw(rt, "days")))
		j := n.newJoin(t.Context(), &want{
			from: []end{{place: from, first: n.midnight(from, day), last: n.midnight(from, day+1) - 1}},
			to:   []end{{place: to, first: math.MinInt, last: math.MaxInt}}, wish: -1,
		})
		sanctioned := rapid.Bool().Draw(rt, "sanctioned")
		found, err := j.by(rules{wait: 10 * 60, stops: 1, detour: usual, sanctioned: sanctioned}, nil)
		if err != nil {
			rt.Fatal(err)
		}
		got := 0
		for i := range found {
			if arr := found[i].arr(); got == 0 || arr < got {
				got = arr
			}
		}
		if want := earliest(n, from, to, day, sanctioned); got != want {
			rt.Fatalf("%s-%s on %s: earliest arrival %s; want %s", n.places[from].IATA, n.places[to].IATA, dateOf(day), timeOf(got, time.UTC), timeOf(want, time.UTC))
		}
	})
}

// earliest follows every flight that leaves, and every one that leaves from where
// it lands; of airlines that sanctions name only if they will do.
func earliest(n *Network, from, to, day int, sanctioned bool) int {
	best := 0
	land := func(arr int) {
		if best == 0 || arr < best {
			best = arr
		}
	}
	depart := func(l *line, day int) int {
		y, m, d := time.Unix(int64(day)*86400, 0).UTC().Date()
		return minuteOf(time.Date(y, m, d, 0, int(l.dep), 0, 0, n.places[l.from].loc))
	}
	for _, e := range n.from(from) {
		for i := e.first; i < e.after; i++ {
			l := &n.lines[i]
			if !l.on(day) || n.named[l.carrier] && !sanctioned {
				continue
			}
			arr := depart(l, day) + int(l.block)
			if int(l.to) == to {
				land(arr)
				continue
			}
			next, ok := n.between(int(l.to), to)
			if !ok || int(l.km)+int(next.km) > usual.limit(n.km(from, to)) {
				continue
			}
			for k := next.first; k < next.after; k++ {
				l2 := &n.lines[k]
				if n.named[l2.carrier] && !sanctioned {
					continue
				}
				for d := day - 1; d <= day+2; d++ {
					dep := depart(l2, d)
					wait := dep - arr
					if l2.on(d) && n.together(l.carrier, l2.carrier) && wait >= n.change(from, int(l.to), to) && wait <= 10*60 {
						land(dep + int(l2.block))
					}
				}
			}
		}
	}
	return best
}
