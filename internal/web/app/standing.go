package app

import (
	"cmp"
	"context"
	"slices"

	"gangway"
	"gangway/internal/book"
	"gangway/internal/store"
)

// A standing is who of a search is booked, each booking held against what is
// planned today.
type standing struct {
	planned  book.Planned
	booked   map[int]gangway.Booking // by member
	fits     map[int]gangway.Fit
	beside   []besideRow      // live bookings that nobody needs, or that stand beside another one
	absent   map[string]bool  // who are booked as planned without being in the search
	misfits  int              // live bookings of people who are wanted that do not fit
	unneeded int              // live bookings of people who are not
	twice    []twiceRow       // what the only traveller of a search has booked around the same days
	cut      bool             // there are more bookings than were looked at
	batch    *store.BatchLine // what was last asked for many of the search at once
}

// A besideRow is a live booking that stands for nobody.
type besideRow struct {
	memberBooking
	Name  string
	Route string
	Day   gangway.Date
	Words string
}

// memberBookings returns how the members of s stand: by the bookings made from
// it, and by those made for the same crew change from another search.
func memberBookings(ctx context.Context, in store.Scoped, s gangway.Search) (standing, error) {
	st := standing{booked: map[int]gangway.Booking{}, fits: map[int]gangway.Fit{}, absent: map[string]bool{}}
	list, cut, err := in.Bookings(ctx, store.BookingQuery{Search: s.ID, Live: true})
	if err != nil {
		return st, err
	}
	st.cut = cut
	if s.Change != "" {
		more, cut, err := in.Bookings(ctx, store.BookingQuery{Change: s.Change, Live: true})
		if err != nil {
			return st, err
		}
		st.cut = st.cut || cut
		list = append(list, slices.DeleteFunc(more, func(b gangway.Booking) bool { return b.Purpose.Search == s.ID })...)
	}
	if b, found, err := in.LastBatch(ctx, s.ID); err != nil {
		return st, err
	} else if found {
		st.batch = &b
	}
	if st.planned, err = book.PlannedFor(ctx, in, s); err != nil {
		return st, err
	}
	for _, b := range list {
		st.add(b)
	}
	if len(s.Members) == 1 && len(st.booked) == 0 {
		others, err := book.Twice(ctx, in, s.Members[0].Traveller, s.Members[0].Legs)
		if err != nil {
			return st, err
		}
		st.twice = twiceRows(others)
	}
	for i, b := range st.booked {
		if fit := st.fits[i]; fit.Unneeded != "" {
			st.beside = append(st.beside, beside(b, book.Misfit(fit, book.AShip)))
		}
	}
	slices.SortFunc(st.beside, func(a, b besideRow) int {
		return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.Locator, b.Locator))
	})
	return st, nil
}

// add takes in one booking. Of two for the same member the one that fits stands.
func (st *standing) add(b gangway.Booking) {
	fit := st.planned.Fit(b)
	switch {
	case fit.Unneeded != "":
		st.unneeded++
	case !fit.OK():
		st.misfits++
	}
	i, member := st.planned.Member(b)
	old, there := st.booked[i]
	switch {
	case !member:
		if st.planned.Uploaded() && fit.OK() {
			st.absent[personOf(b)] = true
		}
		st.aside(b, fit)
	case !there:
		st.booked[i], st.fits[i] = b, fit
	case fit.OK() && !st.fits[i].OK():
		st.aside(old, st.fits[i])
		st.booked[i], st.fits[i] = b, fit
	default:
		st.aside(b, fit)
	}
}

// personOf tells apart those who are booked on a side of a crew change.
func personOf(b gangway.Booking) string {
	return string(b.Purpose.Side) + b.Passenger.Person() + " " + b.Passenger.FoldedName()
}

func (st *standing) aside(b gangway.Booking, fit gangway.Fit) {
	words := book.Misfit(fit, book.AShip)
	if words == "" {
		words = "a second booking of this traveller"
		if _, member := st.planned.Member(b); !member {
			return // of somebody who is in the crew change and not in this search
		}
	}
	st.beside = append(st.beside, beside(b, words))
}

func beside(b gangway.Booking, words string) besideRow {
	return besideRow{
		memberBooking: *bookingOf(b, true), Name: b.Passenger.LastName + ", " + b.Passenger.FirstName,
		Route: routeWords(b.Itinerary), Day: gangway.DateOf(b.Itinerary.Departure()), Words: words,
	}
}

// fitting returns how many members are booked as planned.
func (st standing) fitting() int {
	n := 0
	for _, fit := range st.fits {
		if fit.OK() {
			n++
		}
	}
	return n
}

// atPlan returns the legs that were asked for as they would be asked for today.
func atPlan(legs []gangway.Leg, plan gangway.Plan) []gangway.Leg {
	place, date := plan.Ship()
	if len(legs) == 0 || plan.Unneeded != "" {
		return legs
	}
	legs = slices.Clone(legs)
	move := func(at *gangway.Place, leg *gangway.Leg) {
		if place != "" {
			*at = place
		}
		switch {
		case !date.Valid():
		case leg.ArriveOn != "":
			leg.ArriveOn = date
		case leg.Date != "":
			leg.Date = date
		}
	}
	switch plan.Side {
	case gangway.OnSigner:
		move(&legs[len(legs)-1].Destination, &legs[len(legs)-1])
	case gangway.OffSigner:
		move(&legs[0].Origin, &legs[0])
	}
	return legs
}
