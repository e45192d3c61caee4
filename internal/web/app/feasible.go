package app

import (
	"context"
	"errors"
	"slices"

	"gangway"
	"gangway/internal/book"
	"gangway/internal/book/flight"
	"gangway/internal/store"
)

// A canWords says of somebody whose flights are not found yet whether she can
// be where she is wanted.
type canWords struct {
	Class string // "" or "act"
	Words string // empty when it is not known
}

// canBe puts into words what is known of a member's way before her flights are.
func canBe(r book.Reach, m gangway.SearchMember) canWords {
	if !r.Known || len(m.Legs) == 0 {
		return canWords{}
	}
	leg := m.Legs[len(m.Legs)-1]
	switch {
	case !r.OK && leg.ArriveOn != "":
		return canWords{"act", "cannot be there by then"}
	case !r.OK:
		return canWords{"act", "no way on that day"}
	}
	there := r.Arrival.Add(flight.GroundTo(leg.Destination, r.To))
	leaves := r.Departure.Add(-flight.GroundTo(leg.Origin, r.From))
	return canWords{Words: "can be there " + there.Format("Mon 15:04") + ", leaving " + leaves.Format("Mon 15:04")}
}

// A dayCan is how many of a crew could be where they are wanted if the change
// were on a day.
type dayCan struct {
	Date    gangway.Date
	Can, Of int
	On      bool // the day that is asked for
	Booked  int  // who is booked already
	Fit     int  // and would be in time with that
}

// Words says it in few words.
func (d dayCan) Words() string {
	if d.Can == d.Of {
		return "all " + number(d.Of)
	}
	return number(d.Can) + " of " + number(d.Of)
}

// Class says how it is to be taken.
func (d dayCan) Class() string {
	if d.Can == d.Of {
		return "good"
	}
	return "act"
}

// Sign goes with the class.
func (d dayCan) Sign() string {
	if d.Can == d.Of {
		return "✓"
	}
	return "!"
}

// daysAround says how many could be at a place on the day before a date, on it
// and on the day after; nil when the supplier cannot tell so quickly.
func (a *App) daysAround(ctx context.Context, in store.Scoped, s gangway.Search, at gangway.Place, date gangway.Date) ([]dayCan, error) {
	if !date.Valid() {
		return nil, nil
	}
	var days []dayCan
	for _, shift := range []int{-1, 0, 1} {
		day := date.AddDays(shift)
		moved := s
		moved.Members = slices.Clone(s.Members)
		for i := range moved.Members {
			m := &moved.Members[i]
			m.Legs = slices.Clone(m.Legs)
			moveMember(m, s, at, day)
		}
		reach, err := a.desk.Reach(ctx, in, moved)
		if err != nil || reach == nil {
			return nil, err
		}
		d := dayCan{Date: day, On: shift == 0}
		for _, r := range reach {
			if r.Known {
				d.Of++
			}
			if r.Known && r.OK {
				d.Can++
			}
		}
		days = append(days, d)
	}
	return days, nil
}

// scout finds out how many can be there at all, long before their flights are
// found. It is a help only: when it fails the search still says everything.
func (a *App) scout(ctx context.Context, ss *searchSession, in store.Scoped, s gangway.Search) {
	reach, err := a.desk.Reach(ctx, in, s)
	if err == nil && reach != nil {
		ss.tell(func() { ss.reach = reach })
		var days []dayCan
		if days, err = a.daysAround(ctx, in, s, s.Airport, s.Date); err == nil {
			ss.tell(func() { ss.days = days })
		}
	}
	if err != nil && ctx.Err() == nil && !errors.Is(err, store.ErrAway) {
		a.log.Warn("it could not be found out who can be there", "search", s.ID, "error", err)
	}
}

// feasible returns who can be there, as far as it is known.
func (ss *searchSession) feasible() ([]book.Reach, []dayCan) {
	ss.mu.Lock()
	defer ss.mu.Unlock()
	return ss.reach, ss.days
}
