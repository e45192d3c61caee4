package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"time"

	"gangway/internal/gangway"
	"gangway/internal/store"
)

// How much a query on an account's bookings may cost, however many there are: on all of them
// the slowest may wait at most so much longer than on the few, or at most so long.
const (
	fewBookings   = 10_000
	bookingsRatio = 2
	bookingsWait  = 5 * time.Millisecond
)

// measureBookings times the queries on an account's bookings, with ten thousand bookings and
// with a million, in turns.
func measureBookings(ctx context.Context, p place, s scale) ([]line, error) {
	var sides [2]bookingSide
	for i, n := range []int{fewBookings, s.bookings} {
		side, err := openBookings(ctx, p, n)
		if err != nil {
			return nil, fmt.Errorf("fill with %d bookings: %w", n, err)
		}
		defer side.db.Close()
		sides[i] = side
	}
	for i := range sides { // the first queries open the connections
		for n := range warmUp {
			if err := sides[i].page(ctx, store.BookingQuery{Limit: 1 + n}); err != nil {
				return nil, err
			}
		}
		var err error
		if sides[i].worker, err = newWorker(ctx, sides[i].url); err != nil {
			return nil, err
		}
	}
	var lines []line
	for _, look := range bookingLooks {
		var times, work [2][]time.Duration
		chance := rand.New(rand.NewPCG(11, 7))
		for n := range s.looks + warmUp {
			for turn := range sides {
				i := (turn + n) % 2
				worked, began := sides[i].worker.worked(), time.Now()
				if err := look.at(ctx, sides[i], chance.IntN(sides[i].fleet.bookings)); err != nil {
					return nil, fmt.Errorf("%s: %w", look.name, err)
				}
				if n >= warmUp {
					times[i] = append(times[i], time.Since(began))
					work[i] = append(work[i], sides[i].worker.worked()-worked)
				}
			}
		}
		l := wait(fmt.Sprintf("bookings: %s, p99 at %d against %d", look.name, s.bookings, fewBookings), bookingsRatio,
			times[0], times[1])
		l.orMost = bookingsWait
		l.spread += fmt.Sprintf("; of processors p99 %s, %s, medians %s, %s", short(quantile(work[0], 0.99)),
			short(quantile(work[1], 0.99)), short(median(work[0])), short(median(work[1])))
		lines = append(lines, l)
	}
	return lines, nil
}

// warmUp is how many queries are not timed, because they prepare the statements.
const warmUp = 20

// A bookingSide is an account with its bookings.
type bookingSide struct {
	db     *store.DB
	url    string
	worker worker
	in     store.Scoped
	fleet  fleet
}

// openBookings opens a database with so many bookings: one that was kept, or a fresh one that
// it fills.
func openBookings(ctx context.Context, p place, n int) (side bookingSide, err error) {
	url, filled, err := p.kept(ctx, fmt.Sprintf("bookings-%d", n))
	if err != nil {
		return side, err
	}
	side.url = url
	if side.db, err = store.Open(ctx, url); err != nil {
		return side, err
	}
	var account gangway.Account
	if filled == nil {
		account, err = onlyAccount(ctx, side.db)
	} else {
		account, _, err = side.db.CreateCustomer(ctx, operator, "Halcyon Tankers", fleetNow)
	}
	if err != nil {
		return side, err
	}
	side.fleet = fleet{account: account.ID, bookings: n, now: fleetNow}
	side.in = side.db.In(account.Scope())
	if filled == nil {
		return side, side.fleet.register(ctx, side.db, side.in)
	}
	if err := side.fleet.fill(ctx, url); err != nil {
		return side, err
	}
	if err := side.fleet.register(ctx, side.db, side.in); err != nil {
		return side, err
	}
	return side, filled()
}

// onlyAccount returns the production account of the only customer.
func onlyAccount(ctx context.Context, db *store.DB) (gangway.Account, error) {
	customers, err := db.Customers(ctx)
	if err != nil {
		return gangway.Account{}, err
	}
	prod, _, err := db.Accounts(ctx, customers[0].ID)
	return prod, err
}
