package book

import (
	"context"
	"time"

	"gangway/internal/book/flight"
	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/world"
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
	setting
}

// PlannedFor returns today's plans for the members of s: as the crew change that it
// was made for stands, or else as the search itself says.
func PlannedFor(ctx context.Context, in store.Scoped, s gangway.Search) (Planned, error) {
	of, err := settingOf(ctx, in)
	if err != nil {
		return Planned{}, err
	}
	p, gone := Planned{Place: s.Airport, Date: s.Date, setting: of}, false
	if s.Change != "" {
		c, err := in.CrewChange(ctx, s.Change)
		switch {
		case err == nil:
			p = CrewPlanned(c, s.Airport, of.rules)
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
		p.Members = append(p.Members, p.of(plan))
	}
	return p, nil
}

// CrewPlanned returns today's plans for the members of c. The ship is met at the
// place at if nobody named one; rules are the account's.
func CrewPlanned(c gangway.CrewChange, at gangway.Place, rules gangway.CrewRules) Planned {
	list := c.List(at)
	p := Planned{list: &list, setting: newSetting(rules)}
	if p.Place, p.Date = c.Where(); p.Place == "" {
		p.Place = at
	}
	return p
}

// Fit compares a booking made for the crew change with the plan.
func (p Planned) Fit(b gangway.Booking) gangway.Fit { return p.Of(b).Fit(b.Itinerary) }

// Of returns the plan for the person booked for the crew change; one without legs if there is none.
func (p Planned) Of(b gangway.Booking) gangway.Plan {
	if p.list != nil {
		return p.of(p.list.Plan(b.Passenger, b.Purpose.Side))
	}
	if i := b.Purpose.Member; b.Purpose.Search == p.search.ID && i >= 0 && i < len(p.Members) {
		return p.Members[i]
	}
	if i, ok := p.find(b.Passenger, b.Purpose.Side); ok {
		return p.Members[i]
	}
	return gangway.Plan{}
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

// If returns a function that compares what people have booked with what the plan would be if the ship were at a place
// on a day.
func (p Planned) If(at gangway.Place, date gangway.Date, now time.Time) func(Person) gangway.Judgement {
	if p.list == nil {
		return func(who Person) gangway.Judgement {
			return p.of(who.Plan.Moved(at, p.Date, date)).Judge(who.Live, false, now)
		}
	}
	c := p.list.Change()
	c.Moved = &gangway.ShipMove{Place: at, Date: date, Sent: c.Sent()}
	list := c.List(at)
	return func(who Person) gangway.Judgement {
		return p.of(list.Plan(who.Traveller, who.Side)).Judge(who.Live, false, now)
	}
}

// Uploaded reports whether the customer's system has sent the crew change;
// otherwise there is only the search to go by.
func (p Planned) Uploaded() bool { return p.list != nil }

// RequestPlan returns the plan of a travel request.
func RequestPlan(q gangway.TravelRequest) gangway.Plan {
	if q.Flight == nil {
		return gangway.Plan{}
	}
	return newSetting(gangway.CrewRules{}).of(gangway.Plan{Legs: q.Flight.Legs()})
}

// A setting is what plans are completed with: the account's rules, and the airports and clocks of places, as looked up
// so far.
type setting struct {
	rules gangway.CrewRules
	roads map[gangway.Place]map[gangway.Airport]time.Duration
	zones map[gangway.Place]*time.Location
}

// settingOf reads the rules of an account.
func settingOf(ctx context.Context, in store.Scoped) (setting, error) {
	account, err := in.Account(ctx)
	return newSetting(account.Settings.Crew), err
}

func newSetting(rules gangway.CrewRules) setting {
	return setting{rules, map[gangway.Place]map[gangway.Airport]time.Duration{}, map[gangway.Place]*time.Location{}}
}

// of returns p with the account's rules, and the transfers by road and the clocks of its places.
func (s setting) of(p gangway.Plan) gangway.Plan {
	for _, leg := range p.Legs {
		for _, place := range []gangway.Place{leg.Origin, leg.Destination} {
			if _, known := s.roads[place]; known || place == "" {
				continue
			}
			ends, err := flight.Ends(place)
			if err != nil {
				continue // an unknown place serves itself
			}
			s.roads[place] = map[gangway.Airport]time.Duration{}
			for _, e := range ends {
				s.roads[place][e.Airport] = e.Ground
			}
			if at, known := world.PlaceOf(string(place)); known {
				s.zones[place] = at.Location()
			}
		}
	}
	p.Rules, p.Roads, p.Zones = p.Rules.Or(s.rules), s.roads, s.zones
	return p
}
