package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"time"

	"gangway"
	"gangway/internal/store"
)

// What a look at an account's bookings may cost however many there are: the
// unlucky wait at all of them at most so much longer than at the few, or so long.
const (
	fewBookings   = 10_000
	bookingsRatio = 2
	bookingsWait  = 5 * time.Millisecond
)

// measureBookings times what people ask for of an account's bookings, once
// where there are ten thousand and once where there are a million, by turns.
func measureBookings(ctx context.Context, p place, s scale) ([]line, error) {
	var sides [2]bookingSide
	for i, n := range []int{fewBookings, s.bookings} {
		db, url, err := p.open(ctx)
		if err != nil {
			return nil, err
		}
		defer db.Close()
		account, _, err := db.CreateCustomer(ctx, gangway.ByCommand("bench", "bench"), "Halcyon Tankers", time.Now())
		if err != nil {
			return nil, err
		}
		f := fleet{account: account.ID, bookings: n, now: time.Now()}
		if err := f.fill(ctx, url); err != nil {
			return nil, fmt.Errorf("fill with %d bookings: %w", n, err)
		}
		sides[i] = bookingSide{in: db.In(account.Scope()), fleet: f}
	}
	var lines []line
	for _, look := range bookingLooks {
		var times [2][]time.Duration
		chance := rand.New(rand.NewPCG(11, 7))
		for n := range s.looks + warmUp {
			for turn := range sides {
				i := (turn + n) % 2
				began := time.Now()
				if err := look.at(ctx, sides[i], chance.IntN(sides[i].fleet.bookings)); err != nil {
					return nil, fmt.Errorf("%s: %w", look.name, err)
				}
				if n >= warmUp {
					times[i] = append(times[i], time.Since(began))
				}
			}
		}
		l := wait(fmt.Sprintf("bookings: %s, p99 at %d against %d", look.name, s.bookings, fewBookings), bookingsRatio, times[0], times[1])
		l.orMost = bookingsWait
		lines = append(lines, l)
	}
	return lines, nil
}

// warmUp is how many looks are not timed: statements are prepared in them.
const warmUp = 20

// A bookingSide is an account with its bookings.
type bookingSide struct {
	in    store.Scoped
	fleet fleet
}

// page reads a page of the list, and fails where it has nothing: what is timed
// has to find something, unless it stopped looking.
func (s bookingSide) page(ctx context.Context, q store.BookingQuery) error {
	page, err := s.in.BookingPage(ctx, q)
	if err == nil && len(page.List) == 0 && !page.Cut {
		err = fmt.Errorf("nothing is found by %+v", q)
	}
	return err
}

// narrowed is a page of the list, and how many fit.
func (s bookingSide) narrowed(ctx context.Context, q store.BookingQuery) error {
	q.Limit = 50
	if err := s.page(ctx, q); err != nil {
		return err
	}
	_, _, err := s.in.CountSelected(ctx, q)
	return err
}

// bookingLooks are what is timed; n is a booking that is there.
var bookingLooks = []struct {
	name string
	at   func(ctx context.Context, s bookingSide, n int) error
}{
	{"counts on every page", func(ctx context.Context, s bookingSide, _ int) error {
		_, err := s.in.Waits(ctx)
		return err
	}},
	{"counts by state", func(ctx context.Context, s bookingSide, _ int) error {
		_, err := s.in.CountBookings(ctx)
		return err
	}},
	{"find a surname", func(ctx context.Context, s bookingSide, n int) error {
		return s.narrowed(ctx, store.BookingQuery{Find: s.fleet.booking(n).Passenger.LastName})
	}},
	{"find the start of a surname", func(ctx context.Context, s bookingSide, n int) error {
		return s.narrowed(ctx, store.BookingQuery{Find: s.fleet.booking(n).Passenger.LastName[:2]})
	}},
	{"find a vessel", func(ctx context.Context, s bookingSide, n int) error {
		return s.narrowed(ctx, store.BookingQuery{Find: s.fleet.booking(n).Purpose.Vessel})
	}},
	{"find a locator", func(ctx context.Context, s bookingSide, n int) error {
		return s.narrowed(ctx, store.BookingQuery{Find: s.fleet.booking(n).Locator})
	}},
	{"find an identifier", func(ctx context.Context, s bookingSide, n int) error {
		return s.narrowed(ctx, store.BookingQuery{Find: s.fleet.booking(n).ID})
	}},
	{"find a ticket", func(ctx context.Context, s bookingSide, n int) error {
		for len(s.fleet.booking(n).Tickets) == 0 { // it has none yet
			n = (n + 1) % s.fleet.bookings
		}
		return s.narrowed(ctx, store.BookingQuery{Find: s.fleet.ticket(n)})
	}},
	{"find what is not there", func(ctx context.Context, s bookingSide, _ int) error {
		_, err := s.in.BookingPage(ctx, store.BookingQuery{Find: "zzzz nobody", Limit: 50})
		return err
	}},
	{"the newest", func(ctx context.Context, s bookingSide, _ int) error {
		return s.narrowed(ctx, store.BookingQuery{})
	}},
	{"in a state", func(ctx context.Context, s bookingSide, n int) error {
		return s.narrowed(ctx, store.BookingQuery{State: s.fleet.booking(n).State})
	}},
	{"of a vessel", func(ctx context.Context, s bookingSide, n int) error {
		return s.narrowed(ctx, store.BookingQuery{Vessel: s.fleet.booking(n).Purpose.Vessel})
	}},
	{"by who booked", func(ctx context.Context, s bookingSide, n int) error {
		return s.narrowed(ctx, store.BookingQuery{By: s.fleet.booking(n).CreatedBy})
	}},
	{"leaving from a day on", func(ctx context.Context, s bookingSide, n int) error {
		return s.narrowed(ctx, store.BookingQuery{From: s.fleet.leaves(n)})
	}},
	{"leaving up to a day", func(ctx context.Context, s bookingSide, n int) error {
		return s.narrowed(ctx, store.BookingQuery{To: s.fleet.leaves(n)})
	}},
	{"of a vessel, in a state, on days, by who booked", func(ctx context.Context, s bookingSide, n int) error {
		b := s.fleet.booking(n)
		return s.narrowed(ctx, store.BookingQuery{
			Vessel: b.Purpose.Vessel, State: b.State, From: s.fleet.leaves(n), To: s.fleet.leaves(n).AddDays(60), By: b.CreatedBy,
		})
	}},
	{"the page after any booking", func(ctx context.Context, s bookingSide, n int) error {
		b := s.fleet.booking(n)
		_, err := s.in.BookingPage(ctx, store.BookingQuery{At: store.PositionAfter(b), Limit: 50})
		return err
	}},
	{"500 rows of the file, after any booking", func(ctx context.Context, s bookingSide, n int) error {
		b := s.fleet.booking(n)
		_, err := s.in.BookingPage(ctx, store.BookingQuery{At: store.PositionAfter(b), Limit: 500})
		return err
	}},
	{"deadlines", func(ctx context.Context, s bookingSide, _ int) error {
		if _, err := s.in.BookingsByDeadline(ctx, 200); err != nil {
			return err
		}
		_, err := s.in.CountDeadlines(ctx, s.fleet.now.Add(24*time.Hour))
		return err
	}},
	{"approvals", func(ctx context.Context, s bookingSide, _ int) error {
		_, err := s.in.BookingsToApprove(ctx, 200)
		return err
	}},
	{"needs a person", func(ctx context.Context, s bookingSide, _ int) error {
		_, err := s.in.BookingsForPerson(ctx, 50)
		return err
	}},
	{"crew changes of 30 days with their bookings", func(ctx context.Context, s bookingSide, n int) error {
		from := s.fleet.leaves(n)
		list, err := s.in.CrewChanges(ctx, "", from, from.AddDays(30), 30)
		if err != nil {
			return err
		}
		keys := make([]string, len(list))
		for i, c := range list {
			keys[i] = c.Key()
		}
		_, err = s.in.BookingsOfChanges(ctx, keys, 200)
		return err
	}},
}
