package flights

import (
	"cmp"
	"context"
	"slices"
	"time"

	"gangway/internal/book"
	"gangway/internal/gangway"
	"gangway/internal/store"
)

// MemberBookings says which members of a search are booked, and how everybody stands with today's plan.
type MemberBookings struct {
	Planned book.Planned
	Crew    book.Crew               // everybody, also those of the crew change who are not in the search
	Booked  map[int]gangway.Booking // by member: the one that fits best
	Lost    map[int]gangway.Booking // the latest lost hold of members who are not booked
	Beside  []BesideRow             // live bookings that nobody needs, or second bookings
	twice   []TwiceRow              // what the only traveller of a search has booked around the same days
	Batch   *store.BatchLine        // the latest batch for members of the search
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
// another search for the same crew change, as they are at now, in real time.
func ReadMemberBookings(ctx context.Context, in store.Scoped, s gangway.Search, now time.Time) (st MemberBookings,
	err error) {
	st.Booked, st.Lost = map[int]gangway.Booking{}, map[int]gangway.Booking{}
	if b, found, err := in.LastBatch(ctx, s.ID); err != nil {
		return st, err
	} else if found {
		st.Batch = &b
	}
	if st.Planned, st.Crew, err = book.CrewFor(ctx, in, s, in.Now(now)); err != nil {
		return st, err
	}
	listed := map[string]bool{}
	for i := range s.Members {
		if b := st.Crew.Member(i).Booking; b != nil && !listed[b.ID] { // of one listed twice the first is booked
			st.Booked[i], listed[b.ID] = *b, true
		}
	}
	for _, p := range st.Crew.People {
		for _, b := range p.Live {
			switch {
			case p.Plan.Unneeded != "":
				row := Beside(b, book.Misfit(gangway.Fit{Unneeded: p.Plan.Unneeded}, book.AShip))
				row.Stand = StandOf(p.Judgement, book.AShip, st.Crew.Asked)
				st.Beside = append(st.Beside, row)
			case b.ID != p.Booking.ID:
				st.Beside = append(st.Beside, Beside(b, "a second booking of this traveller"))
			}
		}
	}
	slices.SortFunc(st.Beside, func(a, b BesideRow) int {
		return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.Locator, b.Locator))
	})
	if len(st.Booked) < len(s.Members) {
		if err := st.lose(ctx, in, s); err != nil {
			return st, err
		}
	}
	if len(s.Members) == 1 && len(st.Booked) == 0 {
		others, err := book.Twice(ctx, in, s.Members[0].Traveller, s.Members[0].Legs)
		if err != nil {
			return st, err
		}
		st.twice = TwiceRows(others)
	}
	return st, nil
}

// lose notes the lost holds of members.
func (st *MemberBookings) lose(ctx context.Context, in store.Scoped, s gangway.Search) error {
	from := store.BookingQuery{Search: s.ID, State: gangway.Cancelled}
	if s.Change != "" {
		from = store.BookingQuery{Change: s.Change, State: gangway.Cancelled}
	}
	gone, _, err := in.Bookings(ctx, from)
	for _, b := range slices.Backward(gone) { // the newest comes first, and stays
		if i, member := st.Planned.Member(b); member && endingOf(b).Lost() {
			st.Lost[i] = b
		}
	}
	return err
}

// Stand is how a member stands.
func (st MemberBookings) Stand(i int) Stand {
	p := st.Crew.Member(i)
	return StandOf(p.Judgement, book.Against(p.Plan), st.Crew.Asked)
}

// BookingOf shows the booking that a member has; nil where there is none.
func (st MemberBookings) BookingOf(i int) *MemberBooking {
	b, ok := st.Booked[i]
	if !ok {
		return nil
	}
	return &MemberBooking{ID: b.ID, Locator: b.Locator, State: b.State, Stand: st.Stand(i)}
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
		MemberBooking: MemberBooking{ID: b.ID, Locator: b.Locator, State: b.State},
		Name:          b.Passenger.LastName + ", " + b.Passenger.FirstName,
		Route:         routeWords(b.Itinerary), Day: gangway.DateOf(b.Itinerary.Departure()), Words: words,
		Price: b.Price.Total,
	}
}

// AtPlan returns the legs that were asked for, moved to today's plan, with the hour that was set for the ship.
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
	gangway.ByHour(legs, plan.Side, plan.Hour, plan.ShipDay)
	return legs
}
