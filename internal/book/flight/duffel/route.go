package duffel

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"gangway/internal/book/flight"
	"gangway/internal/gangway"
	"gangway/internal/world"
)

// A placePair is a pair of places on one date, with its disadvantage: smaller is better.
type placePair struct {
	slice string
	rank  time.Duration
}

// routes returns the searches worth making for an ask, best first and at most as many as one
// search may use: each is a list of slices.
func (s *Seller) routes(ask flight.Ask) []string {
	routes := []placePair{{}}
	for _, leg := range ask.Legs {
		ways := s.ways(leg)
		var longer []placePair
		for _, r := range routes {
			for _, w := range ways {
				longer = append(longer, placePair{slice: strings.TrimPrefix(r.slice+","+w.slice, ","), rank: r.rank +
					w.rank})
			}
		}
		slices.SortStableFunc(longer, func(a, b placePair) int { return cmp.Compare(a.rank, b.rank) })
		routes = longer[:min(len(longer), s.Searches)]
	}
	return gangway.Each(routes, func(r placePair) string { return r.slice })
}

// ways returns the pairs of places and the dates on which a leg can be flown. Those with the
// least way on the ground come first; of several dates, the one that arrives with the least
// time to spare.
func (s *Seller) ways(leg flight.Leg) []placePair {
	var list []placePair
	for _, from := range metropolitan(leg.From) {
		for _, to := range metropolitan(leg.To) {
			if from.Airport == to.Airport {
				continue
			}
			for i, date := range departureDates(leg, from, to) {
				list = append(list, placePair{slice: fmt.Sprintf("%s-%s %s", from.Airport, to.Airport, date),
					rank: from.Ground + to.Ground + time.Duration(i)*30*time.Minute})
			}
		}
	}
	slices.SortStableFunc(list, func(a, b placePair) int { return cmp.Compare(a.rank, b.rank) })
	return list[:min(len(list), s.Searches)]
}

// How far a journey gets in an hour, waiting included, at best and at worst.
const (
	fastKmh = 850
	slowKmh = 350
)

// departureDates returns the local dates of departure that can suit a leg: its own date, or
// those from which an arrival in time can be expected.
func departureDates(leg flight.Leg, from, to flight.End) []gangway.Date {
	if leg.Date != "" {
		return []gangway.Date{leg.Date}
	}
	earliest, latest := arrivalWindow(leg, to)
	a, known := airportOf(from.Airport)
	b, alsoKnown := airportOf(to.Airport)
	if !known || !alsoKnown {
		return []gangway.Date{leg.ArriveOn, leg.ArriveOn.AddDays(-1)}
	}
	km := world.DistanceKm(a, b)
	last := latest.Add(-hours(0.75 + km/fastKmh)).In(a.Location())
	first := earliest.Add(-hours(2 + km/slowKmh)).In(a.Location())
	var list []gangway.Date
	for day := gangway.DateOf(last); day >= gangway.DateOf(first) && len(list) < 3; day = day.AddDays(-1) {
		list = append(list, day)
	}
	return list
}

func hours(h float64) time.Duration { return time.Duration(h * float64(time.Hour)) }

// arrivalWindow returns between which instants a flight must land at an airport to arrive on a
// leg's date and in time.
func arrivalWindow(leg flight.Leg, to flight.End) (earliest, latest time.Time) {
	loc := time.UTC
	if a, ok := airportOf(to.Airport); ok {
		loc = a.Location()
	}
	day := leg.ArriveOn.In(loc)
	if leg.ArriveBy == "" {
		return day, leg.ArriveOn.AddDays(1).In(loc).Add(-time.Second)
	}
	return leg.ArriveOn.AddDays(-1).In(loc), localTime(leg.ArriveOn, leg.ArriveBy, loc).Add(-to.Ground)
}

// localTime returns the instant of a local time on a date.
func localTime(date gangway.Date, hhmm string, loc *time.Location) time.Time {
	t, err := time.ParseInLocation("2006-01-02 15:04", string(date)+" "+hhmm, loc)
	if err != nil {
		return date.In(loc)
	}
	return t
}

// fitsAsk reports whether an offer is what was asked for.
func fitsAsk(ask flight.Ask, o flight.Offer) bool {
	if flight.MaySell(o.Itinerary, o.Terms.FareType, o.Plating, ask.Sanctioned) != nil {
		return false
	}
	if ask.FareType != "" && o.Terms.FareType != ask.FareType || ask.FareType == "" && o.Terms.FareType ==
		gangway.Marine && ask.Vessel == "" {
		return false
	}
	legs := o.Itinerary.Legs()
	if len(legs) != len(ask.Legs) {
		return false
	}
	for i, flights := range legs {
		if !fitsLeg(ask.Legs[i], flights) || ask.MaxStops >= 0 && len(flights)-1 > ask.MaxStops {
			return false
		}
		for j := 1; j < len(flights) && ask.MaxLayover > 0; j++ {
			if flights[j].Departure.Sub(flights[j-1].Arrival) > ask.MaxLayover {
				return false
			}
		}
	}
	return true
}

// fitsLeg reports whether flights are what a leg asks for.
func fitsLeg(leg flight.Leg, flights []gangway.Segment) bool {
	first, last := flights[0], flights[len(flights)-1]
	from, ok := findEnd(leg.From, first.Origin)
	to, alsoOK := findEnd(leg.To, last.Destination)
	if !ok || !alsoOK {
		return false
	}
	if leg.Date != "" {
		if gangway.DateOf(first.Departure) != leg.Date {
			return false
		}
		if leg.LeaveAfter != "" && first.Departure.Before(localTime(leg.Date, leg.LeaveAfter,
			first.Departure.Location()).Add(from.Ground)) {
			return false
		}
	}
	if leg.ArriveOn != "" {
		earliest, latest := arrivalWindow(leg, to)
		return !last.Arrival.Before(earliest) && !last.Arrival.After(latest)
	}
	return true
}

// findEnd returns the end with an airport.
func findEnd(ends []flight.End, a gangway.Airport) (end flight.End, found bool) {
	i := slices.IndexFunc(ends, func(e flight.End) bool { return e.Airport == a })
	if i < 0 {
		return flight.End{}, false
	}
	return ends[i], true
}

// cityCodes are IATA's codes of metropolitan areas with several airports: Duffel searches
// all of them for the price of one search.
//
// Source: IATA, metropolitan areas.
var cityCodes = []string{
	"BJS", "BUE", "BUH", "CHI", "DTT", "HOU", "LON", "MIL", "MOW", "NYC", "OSA", "PAR", "RIO", "ROM", "SAO", "SEL",
	"SHA", "SPK", "STO", "TYO", "WAS", "YMQ", "YTO",
}

// cities maps airports to the codes of their metropolitan areas.
var cities = sync.OnceValue(func() map[gangway.Airport]gangway.Airport {
	m := map[gangway.Airport]gangway.Airport{}
	for _, code := range cityCodes {
		p, ok := world.PlaceOf(code)
		if !ok || p.Kind != world.CityPlace {
			continue
		}
		for _, a := range p.Airports {
			m[gangway.Airport(a.Airport.IATA)] = gangway.Airport(code)
		}
	}
	return m
})

// metropolitan combines the airports of one metropolitan area under its code, as near as the
// nearest of them.
func metropolitan(ends []flight.End) []flight.End {
	members := map[gangway.Airport]int{}
	for _, e := range ends {
		members[cities()[e.Airport]]++
	}
	var list []flight.End
	for _, e := range ends {
		if city := cities()[e.Airport]; city != "" && members[city] > 1 {
			e.Airport = city
		}
		i := slices.IndexFunc(list, func(o flight.End) bool { return o.Airport == e.Airport })
		if i < 0 {
			list = append(list, e)
		} else {
			list[i].Ground = min(list[i].Ground, e.Ground)
		}
	}
	return list
}

// airportOf returns an airport, or for a city the first of its airports.
func airportOf(code gangway.Airport) (a world.Airport, known bool) {
	p, ok := world.PlaceOf(string(code))
	if !ok || len(p.Airports) == 0 {
		return world.Airport{}, false
	}
	return p.Airports[0].Airport, true
}
