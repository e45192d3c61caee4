package flights

import (
	"cmp"
	"context"
	"slices"

	"gangway/internal/book"
	"gangway/internal/book/plan"
	"gangway/internal/gangway"
	"gangway/internal/store"
)

// MemberBookings says which members of a search are booked, and whether each booking
// fits today's plan.
type MemberBookings struct {
	Planned  book.Planned
	Booked   map[int]gangway.Booking // by member
	Fits     map[int]gangway.Fit
	Lost     map[int]gangway.Booking // the latest lost hold of members who are not booked
	Beside   []BesideRow             // live bookings that nobody needs, or second bookings
	Absent   map[string]bool         // people booked as planned who are not in the search
	Misfits  []string                // in what live bookings of people who are needed do not fit, in few words
	Unneeded int                     // live bookings of people who are not needed
	twice    []TwiceRow              // what the only traveller of a search has booked around the same days
	Cut      bool                    // there are more bookings than were read
	Batch    *store.BatchLine        // the latest batch for members of the search
	Asked    bool                    // people are asked whether the crew change moved: nothing is green
}

// A BesideRow is a live booking that no member of the search counts as booked by.
type BesideRow struct {
	MemberBooking
	Name  string
	Price gangway.Money
	Route string
	Day   gangway.Date
	Words string
}

// ReadMemberBookings returns the bookings of the members of s, made from it or from
// another search for the same crew change.
func ReadMemberBookings(ctx context.Context, in store.Scoped, s gangway.Search) (MemberBookings, error) {
	st := MemberBookings{Booked: map[int]gangway.Booking{}, Fits: map[int]gangway.Fit{}, Absent: map[string]bool{},
		Lost: map[int]gangway.Booking{}}
	from := store.BookingQuery{Search: s.ID, Live: true}
	if s.Change != "" { // bookings from the search are for its crew change too
		from = store.BookingQuery{Change: s.Change, Live: true}
	}
	list, cut, err := in.Bookings(ctx, from)
	if err != nil {
		return st, err
	}
	st.Cut = cut
	slices.SortStableFunc(list, func(a, b gangway.Booking) int { // its own come first
		return plan.CompareBool(b.Purpose.Search == s.ID, a.Purpose.Search == s.ID)
	})
	if b, found, err := in.LastBatch(ctx, s.ID); err != nil {
		return st, err
	} else if found {
		st.Batch = &b
	}
	asked, err := in.Asked(ctx)
	planned, wrong := book.PlannedFor(ctx, in, s)
	st.Planned, st.Asked = planned, asked[s.Change]
	if err = cmp.Or(err, wrong); err != nil {
		return st, err
	}
	for _, b := range list {
		st.add(b)
	}
	if len(st.Booked) < len(s.Members) {
		from.Live, from.State = false, gangway.Cancelled
		gone, _, err := in.Bookings(ctx, from)
		if err != nil {
			return st, err
		}
		for _, b := range slices.Backward(gone) { // the newest comes first, and stays
			if i, member := st.Planned.Member(b); member && endingOf(b).Lost() {
				st.Lost[i] = b
			}
		}
	}
	if len(s.Members) == 1 && len(st.Booked) == 0 {
		others, err := book.Twice(ctx, in, s.Members[0].Traveller, s.Members[0].Legs)
		if err != nil {
			return st, err
		}
		st.twice = TwiceRows(others)
	}
	for i, b := range st.Booked {
		if fit := st.Fits[i]; fit.Unneeded != "" {
			st.Beside = append(st.Beside, Beside(b, book.Misfit(fit, book.AShip)))
		}
	}
	slices.SortFunc(st.Beside, func(a, b BesideRow) int {
		return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.Locator, b.Locator))
	})
	return st, nil
}

// add adds one booking. Of two for the same member, the one that fits counts.
func (st *MemberBookings) add(b gangway.Booking) {
	fit := st.Planned.Fit(b)
	switch {
	case fit.Unneeded != "":
		st.Unneeded++
	case !fit.OK():
		st.Misfits = append(st.Misfits, book.Off(fit))
	}
	i, member := st.Planned.Member(b)
	old, there := st.Booked[i]
	switch {
	case !member:
		if st.Planned.Uploaded() && fit.OK() {
			st.Absent[book.PersonOf(b)] = true
		}
		st.aside(b, fit)
	case !there:
		st.Booked[i], st.Fits[i] = b, fit
	case fit.OK() && !st.Fits[i].OK():
		st.aside(old, st.Fits[i])
		st.Booked[i], st.Fits[i] = b, fit
	default:
		st.aside(b, fit)
	}
}

func (st *MemberBookings) aside(b gangway.Booking, fit gangway.Fit) {
	words := book.Misfit(fit, book.AShip)
	if words == "" {
		words = "a second booking of this traveller"
		if _, member := st.Planned.Member(b); !member {
			return // of somebody who is in the crew change and not in this search
		}
	}
	st.Beside = append(st.Beside, Beside(b, words))
}

// endingOf is how b, which was cancelled, ended.
func endingOf(b gangway.Booking) gangway.Ending {
	return b.Ended(gangway.Action{By: b.CancelledBy, At: b.CancelledAt})
}

// LostWords says which seats a lost hold had, and since when they are gone.
func LostWords(b gangway.Booking) string {
	return routeWords(b.Itinerary) + " " + EndingWords(endingOf(b)) + " " +
		b.CancelledAt.UTC().Format("2 Jan 15:04 UTC")
}

// Beside makes the row of a live booking that counts for no member; words say why.
func Beside(b gangway.Booking, words string) BesideRow {
	return BesideRow{
		MemberBooking: *BookingOf(b, true), Name: b.Passenger.LastName + ", " + b.Passenger.FirstName,
		Route: routeWords(b.Itinerary), Day: gangway.DateOf(b.Itinerary.Departure()), Words: words,
		Price: b.Price.Total,
	}
}

// Fitting returns how many members are booked as planned.
func (st MemberBookings) Fitting() int {
	n := 0
	for _, fit := range st.Fits {
		if fit.OK() {
			n++
		}
	}
	return n
}

// AtPlan returns the legs that were asked for, moved to today's plan.
func AtPlan(legs []gangway.Leg, plan gangway.Plan) []gangway.Leg {
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
