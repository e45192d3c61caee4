package book

import (
	"cmp"
	"context"
	"slices"
	"time"

	"gangway/internal/gangway"
	"gangway/internal/store"
)

// A Crew is a crew change with how everybody stands.
type Crew struct {
	Change gangway.CrewChange
	Place  gangway.Place // where the ship is met today; empty where nobody said
	Date   gangway.Date
	People []Person    // on-signers, leavers, then who is booked and no longer travels
	Asked  bool        // bookers are asked whether it moved: nothing is green
	Cut    bool        // there are more bookings than were read
	at     map[int]int // by member of the search that was judged: the position among the people
}

// Member returns the person whom a member of the search is.
func (c Crew) Member(i int) Person {
	if at, there := c.at[i]; there {
		return c.People[at]
	}
	return Person{}
}

// A Person is one person of a crew change.
type Person struct {
	Traveller gangway.Traveller // as the plan names them
	Side      gangway.Side
	Rank      string
	Plan      gangway.Plan
	Live      []gangway.Booking // for this crew change, the newest first
	gangway.Judgement
}

// Counts are how many people stand how, with zeros.
func (c Crew) Counts() map[gangway.Standing]int {
	n := map[gangway.Standing]int{}
	for _, s := range gangway.Standings {
		n[s] = 0
	}
	for _, p := range c.People {
		n[p.Standing]++
	}
	return n
}

// CrewOf judges everybody in a crew change. NotFound: there is none with this key. now is by the account's clock.
func CrewOf(ctx context.Context, in store.Scoped, key string, now time.Time) (Crew, error) {
	change, err := in.CrewChange(ctx, key)
	if err != nil {
		return Crew{}, err
	}
	of, err := settingOf(ctx, in)
	if err != nil {
		return Crew{}, err
	}
	return crewOf(ctx, in, CrewPlanned(change, "", of.rules), store.BookingQuery{Change: key}, now)
}

// CrewFor judges everybody whom a search is for, or whose crew change it is for, with today's plans for its members.
func CrewFor(ctx context.Context, in store.Scoped, s gangway.Search, now time.Time) (Planned, Crew, error) {
	planned, err := PlannedFor(ctx, in, s)
	if err != nil {
		return planned, Crew{}, err
	}
	from := store.BookingQuery{Search: s.ID}
	if s.Change != "" { // bookings from the search are for its crew change too
		from = store.BookingQuery{Change: s.Change}
	}
	crew, err := crewOf(ctx, in, planned, from, now)
	return planned, crew, err
}

// crewOf reads the bookings for a crew change or a search, and judges everybody.
func crewOf(ctx context.Context, in store.Scoped, planned Planned, from store.BookingQuery,
	now time.Time) (Crew, error) {
	asked, err := in.Asked(ctx)
	if err != nil {
		return Crew{}, err
	}
	from.Live, from.Limit = true, mostCrewBooked
	list, more, err := in.Bookings(ctx, from)
	if err != nil {
		return Crew{}, err
	}
	crew := newCrew(planned, list)
	crew.Asked, crew.Cut = asked[from.Change], more
	elsewhere, err := crew.elsewhere(ctx, in)
	crew.judge(elsewhere, now)
	return crew, err
}

// newCrew puts people and their bookings, the newest first, together.
func newCrew(planned Planned, bookings []gangway.Booking) Crew {
	crew := Crew{Place: planned.Place, Date: planned.Date, at: map[int]int{}}
	if planned.list != nil {
		crew.Change = planned.list.Change()
		crew.list(planned)
	}
	crew.join(planned)
	crew.book(planned, bookings)
	return crew
}

// judge judges everybody. elsewhere are those, by position, who have bookings that are not for this.
func (c *Crew) judge(elsewhere map[int]bool, now time.Time) {
	for i := range c.People {
		p := &c.People[i]
		p.Judgement = p.Plan.Judge(p.Live, elsewhere[i], now)
	}
}

// elsewhere returns those, by position, who are not booked for this and have bookings around the same days.
func (c *Crew) elsewhere(ctx context.Context, in store.Scoped) (map[int]bool, error) {
	var names []string
	var from, to gangway.Date
	for _, p := range c.People {
		if first, last, known := around(p.Plan.Legs); known && len(p.Live) == 0 && p.Traveller.LastName != "" {
			names = append(names, p.Traveller.FoldedName())
			if from, to = cmp.Or(from, first), max(to, last); first < from {
				from = first
			}
		}
	}
	list, err := in.BookingsAround(ctx, names, from, to)
	found := map[int]bool{}
	for i, p := range c.People {
		first, last, known := around(p.Plan.Legs)
		if name := p.Traveller.FoldedName(); known && len(p.Live) == 0 {
			theirs := samePerson(slices.Clone(list[name]), p.Traveller)
			found[i] = slices.ContainsFunc(theirs, func(b gangway.Booking) bool {
				leaves := gangway.DateOf(b.Itinerary.Departure())
				return leaves >= first && leaves <= last
			})
		}
	}
	return found, err
}

// list puts the members of the crew change among the people, each once.
func (c *Crew) list(planned Planned) {
	seen := gangway.Search{}
	for _, side := range []struct {
		side gangway.Side
		list []gangway.CrewMember
	}{{gangway.OnSigner, c.Change.OnSigners}, {gangway.OffSigner, c.Change.OffSigners}} {
		for _, m := range side.list {
			seen.Members = append(seen.Members, gangway.SearchMember{Traveller: m.Traveller, Side: side.side})
			c.People = append(c.People, Person{Traveller: m.Traveller, Side: side.side, Rank: m.Metadata["rank"],
				Plan: planned.of(planned.list.Plan(m.Traveller, side.side))})
		}
	}
	find, once := seen.Finder(), c.People[:0]
	for i, p := range c.People {
		if at, _ := find(p.Traveller, p.Side); at == i && !p.Traveller.Erased() {
			once = append(once, p)
		}
	}
	c.People = once
}

// join puts the members of a search among the people. Those whom the crew change does not list are last.
func (c *Crew) join(planned Planned) {
	find := c.Finder()
	for i, m := range planned.search.Members {
		at, there := find(m.Traveller, m.Side)
		if !there || planned.list == nil {
			at = len(c.People)
			c.People = append(c.People, Person{Traveller: m.Traveller, Side: m.Side, Rank: m.Rank,
				Plan: planned.Members[i]})
		}
		c.at[i] = at
	}
}

// Finder returns a function that finds the position of somebody among the people.
func (c *Crew) Finder() func(gangway.Traveller, gangway.Side) (int, bool) {
	seen := gangway.Search{}
	for _, p := range c.People {
		seen.Members = append(seen.Members, gangway.SearchMember{Traveller: p.Traveller, Side: p.Side})
	}
	return seen.Finder()
}

// book gives people their bookings. Whoever is booked and not listed comes last.
func (c *Crew) book(planned Planned, bookings []gangway.Booking) {
	find := c.Finder()
	var all gangway.Search // one person may be booked under two names
	for _, b := range bookings {
		all.Members = append(all.Members, gangway.SearchMember{Traveller: b.Passenger, Side: b.Purpose.Side})
	}
	same, strangers := all.Finder(), map[int]int{}
	for _, b := range bookings {
		if b.Passenger.Erased() {
			continue
		}
		i, there := find(b.Passenger, b.Purpose.Side)
		if member, is := planned.Member(b); is && planned.list == nil {
			i, there = c.at[member], true
		}
		plan, who := planned.Of(b), 0
		if !there {
			who, _ = same(b.Passenger, b.Purpose.Side)
			if i, there = strangers[who]; !there && len(plan.Legs) == 0 && plan.Unneeded == "" {
				continue // of another search, and nothing is planned
			}
		}
		if !there {
			i = len(c.People)
			strangers[who] = i
			c.People = append(c.People, Person{Traveller: b.Passenger, Side: b.Purpose.Side, Plan: plan})
		}
		p := &c.People[i]
		p.Rank = cmp.Or(p.Rank, RankOf(b))
		p.Live = append(p.Live, b)
		if plan.Unneeded != "" { // also who is in the search and not in the crew change
			p.Plan = plan
		}
	}
}
