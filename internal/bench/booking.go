package main

import (
	"context"
	"fmt"
	"sync/atomic"
	"time"

	"gangway/internal/gangway"
	"gangway/internal/program"
	"gangway/internal/store"

	"golang.org/x/sync/errgroup"
)

// A maker makes bookings of one account, each like one that the sandbox has booked there.
type maker struct {
	in   store.Scoped
	like gangway.Booking
	made atomic.Int64
}

// newMaker returns a maker of bookings in a customer's development account.
func newMaker(ctx context.Context, db *store.DB, g program.Program, c program.Customer) (*maker, error) {
	var sent struct{ Booking string }
	if err := g.Command(ctx, &sent, "", "sandbox", "send", "--customer", c.ID, "--state", "confirmed"); err != nil {
		return nil, err
	}
	_, account, err := db.Accounts(ctx, c.ID)
	if err != nil {
		return nil, err
	}
	m := &maker{in: db.In(account.Scope())}
	m.like, err = m.in.Booking(ctx, sent.Booking)
	return m, err
}

// begin prepares a booking that only has to be committed.
func (m *maker) begin(ctx context.Context) (gangway.Booking, error) {
	b, n := m.like, m.made.Add(1)
	b.ID, b.Locator, b.Order = store.NewID("bkg"), fmt.Sprintf("B%05d", n), fmt.Sprint("ord_", n)
	b.PNRs, b.Version, b.CreatedAt = []string{b.Locator}, 1, time.Now()
	b.Purpose.Search = b.ID
	return b, m.in.BeginBooking(ctx, store.Intent{ID: b.ID, Booking: b.ID, Kind: "book", Doc: []byte("{}"),
		CreatedAt: b.CreatedAt, Lease: b.CreatedAt}, store.Hold{Search: b.ID})
}

// commit commits a booking with its first action.
func (m *maker) commit(ctx context.Context, b gangway.Booking) error {
	_, err := m.in.CreateBooking(ctx, b.ID, b, gangway.Action{Name: b.State, Seq: 1, At: b.CreatedAt, By: b.CreatedBy})
	return err
}

// make makes n bookings, many at a time.
func (m *maker) make(ctx context.Context, n int) error {
	return atOnce(n, func(int) error {
		b, err := m.begin(ctx)
		if err != nil {
			return err
		}
		return m.commit(ctx, b)
	})
}

const workers = 16

// atOnce does something n times, many at a time.
func atOnce(n int, do func(i int) error) error {
	var g errgroup.Group
	g.SetLimit(workers)
	for i := range n {
		g.Go(func() error { return do(i) })
	}
	return g.Wait()
}
