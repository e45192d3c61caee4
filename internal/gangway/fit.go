package gangway

import (
	"cmp"
	"slices"
	"time"
)

// A Plan is today's plan for one traveller: as the customer last sent it, or as
// a coordinator has moved it since.
type Plan struct {
	Unneeded Unneeded
	Side     Side   // empty: the whole journey is planned, as by a travel request
	Legs     []Leg  // for a member of a crew change just one, with only its end at the ship
	Own      bool   // the date is the traveller's own and differs from the ship's
	ShipDay  Date   // the day of the crew change; empty where the traveller meets no ship
	Hour     string // "HH:MM" port time, as a coordinator set it for the crew change: see CrewChange.Rules
	Rules    CrewRules
	Who      Traveller // the name that the plan has of them; empty: none
	New      bool      // they were not in the plan before its last upload
	// the airports that serve a place, and the transfer by road; a place that is not here is an airport
	Roads map[Place]map[Airport]time.Duration
	Zones map[Place]*time.Location // of those places; elsewhere clocks run as at the airport
}

// AtShip returns where the traveller meets or leaves the ship; empty where the whole journey is planned.
func (p Plan) AtShip() Place {
	if p.Side == "" || len(p.Legs) == 0 {
		return ""
	}
	if p.Side == OffSigner {
		return p.Legs[0].Origin
	}
	return p.Legs[0].Destination
}

// ShipDate returns the day of the crew change; empty where the traveller has a day of their own.
func (p Plan) ShipDate() Date {
	switch {
	case p.AtShip() == "" || p.Own:
		return ""
	case p.Side == OffSigner:
		return p.Legs[0].Date
	}
	return p.Legs[0].ArriveOn
}

// Unneeded says why nobody has to travel; empty: the traveller is wanted.
type Unneeded string

const (
	LeftOut   Unneeded = "left out"   // a later upload of the crew change leaves the traveller out
	NotListed Unneeded = "not listed" // the traveller is not in the crew change
	TakenBack Unneeded = "taken back" // the crew change, or the travel request, no longer exists
)

// A Fit says how a booking differs from the plan. What agrees, and what the
// plan does not name, is empty.
type Fit struct {
	Unneeded Unneeded
	Date     Date      // on which the traveller arrives, or leaves
	Wanted   Date      // the planned date
	Leaves   bool      // Date and Wanted are dates of departure, not of arrival
	At       time.Time // the hour on Date, where that tells more
	Due      time.Time // the hour on Wanted; zero: any
	Own      Side      // set if Wanted is the traveller's own date and not the ship's
	Airport  Airport   // where the flights end, or start
	Place    Place     // the planned place
	From     bool      // Airport is where the flights start
}

// OK reports whether the booking agrees with the plan.
func (f Fit) OK() bool { return f.Unneeded == "" && f.Wanted == "" && f.Place == "" }

// Elsewhere reports whether only the place is another than planned. The ship may have moved, or somebody chose it so.
func (f Fit) Elsewhere() bool { return f.Unneeded == "" && f.Wanted == "" && f.Place != "" }

// Fit compares the flights of a booking with the plan: person, time at the ship and place, transfers by road included.
func (p Plan) Fit(it Itinerary) Fit { return p.Meet(it).Fit }

// serves reports whether an airport serves a place; any airport serves a place that nobody named.
func (p Plan) serves(place Place, a Airport) bool {
	roads, known := p.Roads[place]
	if !known {
		return place == "" || place == Place(a)
	}
	_, serves := roads[a]
	return serves
}

// A CrewList has today's plans for the people booked for a crew change.
type CrewList struct {
	change    CrewChange
	at        Place
	here, out map[Side]roster
}

// List returns the list for c. The ship is met at the place at if nobody named one.
func (c CrewChange) List(at Place) CrewList {
	l := CrewList{change: c, at: at, here: map[Side]roster{}, out: map[Side]roster{OnSigner: {}, OffSigner: {}}}
	l.here[OnSigner], l.here[OffSigner] = newRoster(c.OnSigners), newRoster(c.OffSigners)
	for i, d := range c.Dropped {
		if l.out[d.Side] != nil {
			l.out[d.Side].add(d.Traveller, i)
		}
	}
	return l
}

// Change is the crew change.
func (l CrewList) Change() CrewChange { return l.change }

// Plan returns the plan for a traveller who joins or leaves.
func (l CrewList) Plan(t Traveller, side Side) Plan {
	members := l.change.OnSigners
	switch side {
	case OffSigner:
		members = l.change.OffSigners
	case OnSigner:
	default:
		return Plan{}
	}
	i, here := l.here[side].find(t)
	if _, out := l.out[side].find(t); !here && out {
		return Plan{Side: side, Unneeded: LeftOut}
	}
	if !here {
		return Plan{Side: side, Unneeded: NotListed}
	}
	place, date := l.change.Wanted(members[i], side)
	place = cmp.Or(place, l.at)
	_, ship := l.change.Where()
	p := atShip(side, place, date).besideShip(ship)
	p.Rules, p.New = l.change.Rules, l.change.Came(members[i].Traveller, side)
	p.Who = Traveller{LastName: members[i].LastName, FirstName: members[i].FirstName}
	if p.Hour = p.Rules.BoardBy; side == OffSigner {
		p.Hour = p.Rules.LeaveFrom
	}
	ByHour(p.Legs, side, p.Hour, ship)
	return p
}

// Moved returns p as it would be if the ship, which is met on the day was, were at a place on another day. A day of
// one's own moves with it.
func (p Plan) Moved(at Place, was, date Date) Plan {
	shift := func(d Date) Date {
		if !d.Valid() || !was.Valid() {
			return cmp.Or(d, date)
		}
		return d.AddDays(was.DaysTo(date))
	}
	if len(p.Legs) == 0 {
		return p
	}
	p.Legs, p.ShipDay = slices.Clone(p.Legs), date
	switch first, last := &p.Legs[0], &p.Legs[len(p.Legs)-1]; p.Side {
	case OffSigner:
		first.Origin, first.Date = at, shift(first.Date)
	case OnSigner:
		last.Destination, last.ArriveOn = at, shift(last.ArriveOn)
	}
	return p
}

// besideShip notes in p whether its date differs from the ship's.
func (p Plan) besideShip(ship Date) Plan {
	_, date := p.Ship()
	p.ShipDay = ship
	p.Own = date.Valid() && ship.Valid() && date != ship
	return p
}

// Finder returns a function that finds a traveller on a side among the members of s.
func (s Search) Finder() func(t Traveller, side Side) (member int, ok bool) {
	sides := map[Side]roster{}
	for i, m := range s.Members {
		if sides[m.Side] == nil {
			sides[m.Side] = roster{}
		}
		sides[m.Side].add(m.Traveller, i)
	}
	return func(t Traveller, side Side) (int, bool) { return sides[side].find(t) }
}

// Missing returns how many people of c, by side, are not among the members of s.
func (c CrewChange) Missing(s Search) map[Side]int {
	find := s.Finder()
	missing := map[Side]int{}
	for side, members := range map[Side][]CrewMember{OnSigner: c.OnSigners, OffSigner: c.OffSigners} {
		for _, m := range members {
			if _, here := find(m.Traveller, side); !here {
				missing[side]++
			}
		}
	}
	return missing
}

func atShip(side Side, place Place, date Date) Plan {
	if side == OffSigner {
		return Plan{Side: side, Legs: []Leg{{Origin: place, Date: date}}}
	}
	return Plan{Side: side, Legs: []Leg{{Destination: place, ArriveOn: date}}}
}

// Plan returns the plan for a member of s when there is only the search to go
// by, as after a hand-off. A search made by hand plans nothing.
func (s Search) Plan(member int) Plan {
	m := s.Members[member]
	if len(m.Legs) == 0 {
		return Plan{Side: m.Side}
	}
	plan := Plan{Side: m.Side}
	switch last := m.Legs[len(m.Legs)-1]; m.Side {
	case OnSigner:
		last.Origin = ""
		plan.Legs = []Leg{last}
	case OffSigner:
		first := m.Legs[0]
		first.Destination = ""
		plan.Legs = []Leg{first}
	default:
		return Plan{}
	}
	return plan.besideShip(s.Date)
}

// Ship returns where and when p has the traveller at the ship; empty if it does not say.
func (p Plan) Ship() (Place, Date) {
	if len(p.Legs) == 0 {
		return "", ""
	}
	switch leg := p.Legs[0]; p.Side {
	case OnSigner:
		if leg.ArriveOn != "" {
			return leg.Destination, leg.ArriveOn
		}
		return leg.Destination, leg.Date
	case OffSigner:
		if leg.Date != "" {
			return leg.Origin, leg.Date
		}
		return leg.Origin, leg.ArriveOn
	}
	return "", ""
}
