package book

import (
	"context"
	"slices"
	"strings"

	"gangway"
	"gangway/internal/store"
)

// near is how far apart, in days, two journeys of one traveller are at least:
// closer, and they may well be the same one booked twice.
//
// Decided: docs/choices.md, "Made while building".
const near = 3

// A TwiceError says that nothing was booked since the traveller has other
// bookings around the same days, which whoever books has not been told of.
type TwiceError struct{ Bookings []gangway.Booking }

func (e *TwiceError) Error() string {
	locators := make([]string, len(e.Bookings))
	for i, b := range e.Bookings {
		locators[i] = b.Locator
	}
	return "the traveller is booked around the same days already, as " + strings.Join(locators, " and ") + ": confirm that this is another journey"
}

// Unwrap makes it a Conflict.
func (e *TwiceError) Unwrap() error { return gangway.Errorf(gangway.Conflict, "%s", e.Error()) }

// Twice returns the bookings that a traveller has already around the days of
// departure of what is to be booked.
func Twice(ctx context.Context, in store.Scoped, t gangway.Traveller, legs []gangway.Leg) ([]gangway.Booking, error) {
	if len(legs) == 0 || t.LastName == "" {
		return nil, nil
	}
	from, to := day(legs[0]), day(legs[len(legs)-1])
	if !from.Valid() || !to.Valid() {
		return nil, nil
	}
	list, err := in.BookingsOf(ctx, t, from.AddDays(-near), to.AddDays(near))
	same := list[:0]
	for _, b := range list {
		if t.DOB == "" || b.Passenger.DOB == "" || t.DOB == b.Passenger.DOB {
			same = append(same, b)
		}
	}
	return same, err
}

// unseen returns a TwiceError if the traveller has bookings around the same
// days that whoever asks has not acknowledged. One for the same place of the
// same search is another matter: it is refused in any case.
func unseen(ctx context.Context, in store.Scoped, t gangway.Traveller, legs []gangway.Leg, ask BookAsk) error {
	list, err := Twice(ctx, in, t, legs)
	if err != nil {
		return err
	}
	list = slices.DeleteFunc(list, func(b gangway.Booking) bool {
		return slices.Contains(ask.Others, b.ID) || b.Purpose.Search == ask.Search && b.Purpose.Member == ask.Member
	})
	if len(list) > 0 {
		return &TwiceError{list}
	}
	return nil
}

// Unseen returns a TwiceError if the member of a search who is to be booked has
// other bookings around the days that are asked for, and the booker was not told.
func (d *Desk) Unseen(ctx context.Context, in store.Scoped, s gangway.Search, ask BookAsk) error {
	t := ask.Passenger
	if t.LastName == "" {
		t = s.Members[ask.Member].Traveller
	}
	return unseen(ctx, in, t, s.Members[ask.Member].Legs, ask)
}

func day(l gangway.Leg) gangway.Date {
	if l.Date != "" {
		return l.Date
	}
	return l.ArriveOn
}
