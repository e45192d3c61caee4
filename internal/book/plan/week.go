package plan

import (
	"cmp"
	"fmt"
	"hash/fnv"
	"slices"

	"gangway/internal/book/flight"
	"gangway/internal/gangway"
	"gangway/internal/store"
)

// daysAround is how many days before and after the one that was asked for people look at, too.
const daysAround = 3

// A DayFare is the cheapest fare that crew may use on a day, in what the account has looked for lately.
type DayFare struct {
	Date  gangway.Date
	On    bool          // the day that was asked for
	Begun bool          // its flights are looked for, or were
	Done  bool          // all of them were found
	Wrong bool          // there may be more that could not be found
	Price gangway.Money // the zero Money: no such fare is known
	shift int
}

// Week returns the day that a traveller's search asks for and those around it.
func (ss *Sessions) Week(in store.Scoped, by gangway.Settings, s gangway.Search) []DayFare {
	if len(s.Members) != 1 || len(s.Members[0].Legs) == 0 || !wantedDay(s.Members[0].Legs[0]).Valid() {
		return nil
	}
	var week []DayFare
	at := map[string]int{}
	for shift := -daysAround; shift <= daysAround; shift++ {
		day := shifted(s, shift)
		at[wayOf(in.Scope(), day, 0)] = len(week)
		week = append(week, DayFare{Date: wantedDay(day.Members[0].Legs[0]), On: shift == 0, shift: shift})
	}
	now := ss.now()
	ss.mu.Lock()
	defer ss.mu.Unlock()
	for _, session := range ss.kept {
		if !session.current(now) {
			continue
		}
		for i, way := range session.ways {
			n, is := at[way]
			if !is || week[n].Done {
				continue
			}
			week[n].Begun = true
			if price, m := session.leastFare(i, by); m.Done || week[n].Price.Currency == "" {
				week[n].Price, week[n].Done, week[n].Wrong = price, m.Done, m.Err != nil
			}
		}
	}
	return week
}

// SearchWeek looks for the flights of the days around the one that a search asks for, of which nobody knows, from the
// given day on. It returns their sessions; who looks at ss hears when each comes to its end.
func (ss *Sessions) SearchWeek(in store.Scoped, by gangway.Settings, s gangway.Search, of *Session,
	from gangway.Date) (days []*Session) {
	for _, day := range ss.Week(in, by, s) {
		if day.Done || day.On || day.Date < from {
			continue
		}
		session := ss.Of(in, shifted(s, day.shift), false)
		of.follow(session)
		days = append(days, session)
	}
	return days
}

// Adopt shows in a search what another one has found for the same flights just now.
func (ss *Sessions) Adopt(in store.Scoped, s gangway.Search) {
	now, asked := ss.now(), askedFor(in.Scope(), s)
	ss.mu.Lock()
	defer ss.mu.Unlock()
	for _, session := range ss.kept {
		if session.asked == asked && session.current(now) {
			ss.kept[searchKey(in.Scope(), s)] = session
			return
		}
	}
}

// OnDay returns a traveller's search on another of the days around its own.
func OnDay(s gangway.Search, day gangway.Date) (gangway.Search, error) {
	for shift := -daysAround; shift <= daysAround && len(s.Members) == 1 && len(s.Members[0].Legs) > 0; shift++ {
		if other := shifted(s, shift); shift != 0 && wantedDay(other.Members[0].Legs[0]) == day && day.Valid() {
			return other, nil
		}
	}
	return s, gangway.Errorf(gangway.Invalid, "choose one of the days beside the one that was searched")
}

// shifted returns s with all its flights so many days later.
func shifted(s gangway.Search, days int) gangway.Search {
	s.Members = slices.Clone(s.Members)
	for i := range s.Members {
		m := &s.Members[i]
		m.Legs = slices.Clone(m.Legs)
		for n := range m.Legs {
			for _, day := range []*gangway.Date{&m.Legs[n].Date, &m.Legs[n].ArriveOn} {
				if day.Valid() {
					*day = day.AddDays(days)
				}
			}
		}
	}
	return s
}

func wantedDay(l gangway.Leg) gangway.Date { return cmp.Or(l.ArriveOn, l.Date) }

// wayOf identifies by what a member's flights are found and priced, whoever asks for them. Marine fares need a vessel
// and its flag, whichever.
func wayOf(of gangway.Scope, s gangway.Search, member int) string {
	m := s.Members[member]
	return fmt.Sprintf("%s %d %t %q %+q", of.Account, of.Ahead, s.Vessel != "" && s.Flag != "", m.FareType, m.Legs)
}

// askedFor identifies what a search looks for. It is a hash, because wishes may name somebody.
func askedFor(of gangway.Scope, s gangway.Search) uint64 {
	h := fnv.New64a()
	fmt.Fprintf(h, "%q %q", s.Vessel, s.Flag)
	for i, m := range s.Members {
		fmt.Fprintf(h, "\n%s %q", wayOf(of, s, i), m.Wishes)
	}
	return h.Sum64()
}

// A leastFare is what leastFare has found for settings in so many offers.
type leastFare struct {
	by     gangway.Settings
	offers int
	price  gangway.Money
}

// leastFare returns the cheapest fare that crew may use of a member, and what was found.
func (s *Session) leastFare(member int, by gangway.Settings) (gangway.Money, MemberResult) {
	s.mu.Lock()
	defer s.mu.Unlock()
	m, least := s.members[member], &s.least[member]
	by.Crew = gangway.CrewRules{} // has no say, and is never the same twice, as it has pointers
	if least.by != by || least.offers != len(m.Offers) {
		*least = leastFare{by: by, offers: len(m.Offers)}
		for i := range m.Offers {
			total := m.Offers[i].Price.Total
			if least.price.Currency != "" && (total.Currency != least.price.Currency ||
				total.Minor >= least.price.Minor) ||
				by.Bars(m.Offers[i].PricedItinerary, flight.CountryOf) != (gangway.Bar{}) {
				continue
			}
			least.price = total
		}
	}
	return least.price, m
}

// follow tells those who look at s when other comes to its end.
func (s *Session) follow(other *Session) {
	s.mu.Lock()
	known := slices.Contains(s.follows, other)
	if !known {
		s.follows = append(s.follows, other)
	}
	s.mu.Unlock()
	if known {
		return
	}
	go func() {
		defer other.Watch()()
		for {
			now := other.Look()
			if now.Over {
				s.tell(func() {})
				return
			}
			<-now.More
		}
	}()
}
