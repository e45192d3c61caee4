package book

import (
	"context"
	"time"

	"gangway/internal/book/flight"
	"gangway/internal/gangway"
	"gangway/internal/store"
)

// Planned has today's plans for the members of a search.
type Planned struct {
	Members []gangway.Plan       // one for each member of the search
	Place   gangway.Place        // where the ship is met today
	Date    gangway.Date         // and when
	Missing map[gangway.Side]int // people of the crew change who are not in the search

	search gangway.Search
	find   func(gangway.Traveller, gangway.Side) (int, bool)
	list   *gangway.CrewList // nil: only the search says what is planned
	roads  roadTimes
}

// PlannedFor returns today's plans for the members of s: as the crew change that it
// was made for stands, or else as the search itself says.
func PlannedFor(ctx context.Context, in store.Scoped, s gangway.Search) (Planned, error) {
	p, gone := Planned{Place: s.Airport, Date: s.Date, roads: roadTimes{}}, false
	if s.Change != "" {
		c, err := in.CrewChange(ctx, s.Change)
		switch {
		case err == nil:
			p = CrewPlanned(c, s.Airport)
			p.Missing = c.Missing(s)
		case gangway.KindOf(err) != gangway.NotFound:
			return p, err
		default:
			gone = s.Uploaded
		}
	}
	p.search, p.find = s, s.Finder()
	for i, m := range s.Members {
		plan := s.Plan(i)
		if p.list != nil && m.Side != "" {
			plan = p.list.Plan(m.Traveller, m.Side)
			if plan.Unneeded == gangway.NotListed {
				plan = s.Plan(i) // added by hand or by a hand-off: the search knows more
			}
		}
		if gone {
			plan = gangway.Plan{Side: m.Side, Unneeded: gangway.TakenBack}
		}
		p.Members = append(p.Members, p.roads.with(plan))
	}
	return p, nil
}

// CrewPlanned returns today's plans for the members of c. The ship is met at the
// place at if nobody named one.
func CrewPlanned(c gangway.CrewChange, at gangway.Place) Planned {
	list := c.List(at)
	p := Planned{list: &list, roads: roadTimes{}}
	if p.Place, p.Date = c.Where(); p.Place == "" {
		p.Place = at
	}
	return p
}

// Fit compares a booking made for the crew change with the plan.
func (p Planned) Fit(b gangway.Booking) gangway.Fit {
	if p.list != nil {
		return p.roads.with(p.list.Plan(b.Passenger, b.Purpose.Side)).Fit(b.Itinerary)
	}
	if i := b.Purpose.Member; b.Purpose.Search == p.search.ID && i >= 0 && i < len(p.Members) {
		return p.Members[i].Fit(b.Itinerary)
	}
	if i, ok := p.find(b.Passenger, b.Purpose.Side); ok {
		return p.Members[i].Fit(b.Itinerary)
	}
	return gangway.Fit{}
}

// Member returns the member of the search that b was booked for, from this search
// or from another one for the same crew change.
func (p Planned) Member(b gangway.Booking) (i int, ok bool) {
	if b.Purpose.Search == p.search.ID {
		return b.Purpose.Member, b.Purpose.Member < len(p.search.Members)
	}
	if p.search.Change == "" || b.Purpose.Change != p.search.Change {
		return 0, false
	}
	return p.find(b.Passenger, b.Purpose.Side)
}

// FitIf compares a booking with what the plan would be if its member's entry in
// the search were m.
func (p Planned) FitIf(m gangway.SearchMember, b gangway.Booking) gangway.Fit {
	return p.roads.with(gangway.Search{Members: []gangway.SearchMember{m}}.Plan(0)).Fit(b.Itinerary)
}

// Uploaded reports whether the customer's system has sent the crew change;
// otherwise there is only the search to go by.
func (p Planned) Uploaded() bool { return p.list != nil }

// RequestPlan returns the plan of a travel request.
func RequestPlan(q gangway.TravelRequest) gangway.Plan {
	if q.Flight == nil {
		return gangway.Plan{}
	}
	return roadTimes{}.with(gangway.Plan{Legs: q.Flight.Legs()})
}

// roadTimes has the airports of places, with the transfers by road, as looked up so far.
type roadTimes map[gangway.Place]map[gangway.Airport]time.Duration

// with returns p with the transfers by road for its places.
func (r roadTimes) with(p gangway.Plan) gangway.Plan {
	for _, leg := range p.Legs {
		for _, place := range []gangway.Place{leg.Origin, leg.Destination} {
			if _, known := r[place]; known || place == "" {
				continue
			}
			ends, err := flight.Ends(place)
			if err != nil {
				continue // an unknown place serves itself
			}
			r[place] = map[gangway.Airport]time.Duration{}
			for _, e := range ends {
				r[place][e.Airport] = e.Ground
			}
		}
	}
	p.Roads = r
	return p
}
