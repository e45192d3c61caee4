package book

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"
	"strings"

	"gangway/internal/book/flight"
	"gangway/internal/gangway"
	"gangway/internal/store"
)

// near is the number of days within which two journeys of one traveller may well
// be the same one booked twice.
//
// Decided: docs/choices.md, "Made while building".
const near = 3

// A TwiceError says that nothing was booked because the traveller has other
// bookings around the same days, and the booker was not told of them.
type TwiceError struct{ Bookings []gangway.Booking }

func (e *TwiceError) Error() string {
	locators := gangway.Each(e.Bookings, func(b gangway.Booking) string { return b.Locator })
	return "the traveller is booked around the same days already, as " + strings.Join(locators, " and ") +
		": confirm that this is another journey"
}

// Unwrap makes it a Conflict.
func (e *TwiceError) Unwrap() error { return gangway.Errorf(gangway.Conflict, "%s", e.Error()) }

// Twice returns the bookings that a traveller already has around the days of
// departure of a new booking.
func Twice(ctx context.Context, in store.Scoped, t gangway.Traveller, legs []gangway.Leg) ([]gangway.Booking, error) {
	from, to, known := around(legs)
	if !known || t.LastName == "" {
		return nil, nil
	}
	list, err := in.BookingsOf(ctx, t, from, to)
	return samePerson(list, t), err
}

// around returns the days around a journey on which another one may well be the same.
func around(legs []gangway.Leg) (from, to gangway.Date, known bool) {
	if len(legs) == 0 {
		return "", "", false
	}
	from, to = legDay(legs[0]), legDay(legs[len(legs)-1])
	if !from.Valid() || !to.Valid() {
		return "", "", false
	}
	return from.AddDays(-near), to.AddDays(near), true
}

// samePerson returns the bookings of list that are t's, as far as dates of birth tell.
func samePerson(list []gangway.Booking, t gangway.Traveller) []gangway.Booking {
	return slices.DeleteFunc(list, func(b gangway.Booking) bool {
		return t.DOB != "" && b.Passenger.DOB != "" && t.DOB != b.Passenger.DOB
	})
}

// unseenBookings returns a TwiceError if the traveller has bookings around the same
// days that the booker has not acknowledged. A booking for the same member of the
// same search is not among them: it is refused in any case.
func unseenBookings(ctx context.Context, in store.Scoped, t gangway.Traveller, legs []gangway.Leg, ask BookAsk) error {
	list, err := Twice(ctx, in, t, legs)
	if err != nil {
		return err
	}
	return ask.acknowledged(list)
}

// acknowledged returns a TwiceError for those of a traveller's bookings that the
// booker was not told of.
func (ask BookAsk) acknowledged(list []gangway.Booking) error {
	list = slices.DeleteFunc(list, func(b gangway.Booking) bool {
		return slices.Contains(ask.Others, b.ID) || b.ID == ask.replaces() ||
			b.Purpose.Search == ask.Search && b.Purpose.Member == ask.Member
	})
	if len(list) > 0 {
		return &TwiceError{list}
	}
	return nil
}

// holdOf returns the hold that is about to begin. Right before, while nobody else
// can begin one, it is checked once more whether the traveller is booked or being
// booked around the same days, because people book at the same moment.
func holdOf(draft gangway.Booking, ask BookAsk) store.Hold {
	legs, t := legsOf(draft.Itinerary), draft.Passenger
	h := store.Hold{Search: ask.Search, Member: ask.Member, Traveller: t, Replaces: ask.replaces()}
	if len(legs) == 0 {
		return h
	}
	h.From, h.To = legDay(legs[0]).AddDays(-near), legDay(legs[len(legs)-1]).AddDays(near)
	h.Check = func(booked []gangway.Booking, underWay [][]byte) error {
		if err := ask.acknowledged(samePerson(booked, t)); err != nil {
			return err
		}
		for _, doc := range underWay {
			var e intentDetails
			if err := json.Unmarshal(doc, &e); err != nil || e.Booking == nil {
				continue
			}
			leaves := gangway.DateOf(e.Booking.Itinerary.Departure())
			if len(samePerson([]gangway.Booking{*e.Booking}, t)) > 0 && leaves >= h.From && leaves <= h.To {
				return gangway.Errorf(gangway.Conflict, "%s, %s is being booked around the same days right now: look "+
					"again in a moment", t.LastName, t.FirstName)
			}
		}
		return nil
	}
	return h
}

// Unseen returns a TwiceError if the member of a search who is to be booked has
// other bookings around those days, and the booker was not told of them.
func (d *Desk) Unseen(ctx context.Context, in store.Scoped, s gangway.Search, ask BookAsk) error {
	if err := settled(ctx, in, s.Change, ask); err != nil {
		return err
	}
	t := ask.Passenger
	if t.LastName == "" {
		t = s.Members[ask.Member].Traveller
	}
	return unseenBookings(ctx, in, t, s.Members[ask.Member].Legs, ask)
}

// settled returns a Conflict while bookers are asked whether a crew change is another one, moved: its people may be
// booked for that one.
func settled(ctx context.Context, in store.Scoped, change string, ask BookAsk) error {
	asked, err := in.Asked(ctx)
	if err == nil && asked[change] && ask.Supplier != flight.Elsewhere {
		err = gangway.Errorf(gangway.Conflict, "answer first whether this is the same crew change, moved")
	}
	return err
}

func legDay(l gangway.Leg) gangway.Date { return cmp.Or(l.Date, l.ArriveOn) }
