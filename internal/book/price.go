package book

import (
	"cmp"
	"context"

	"gangway/internal/background"
	"gangway/internal/book/flight"
	"gangway/internal/store"

	"golang.org/x/sync/errgroup"
)

// Price returns an offer as it can be booked now, so that a booker agrees to its
// current price and not to the one it was found at.
func (d *Desk) Price(ctx context.Context, in store.Scoped, offer string) (flight.Offer, error) {
	supplier, err := d.suppliers(ctx, in, "")
	if err != nil {
		return flight.Offer{}, err
	}
	return d.sellable(ctx, in, supplier, offer)
}

// sellable prices an offer and refuses what is not sold to the account. A booking
// made elsewhere is only recorded here, so anything is allowed for it.
func (d *Desk) sellable(ctx context.Context, in store.Scoped, supplier flight.Supplier,
	offer string) (flight.Offer, error) {
	o, err := supplier.Price(ctx, offer)
	if err != nil || supplier.Name() == flight.Elsewhere {
		return o, err
	}
	account, err := in.Account(ctx)
	if err == nil {
		err = cmp.Or(maySell(account.Settings, o), mayUse(account.Settings, o.Itinerary))
	}
	return o, err
}

// PriceAll prices many offers side by side. It calls priced for each as soon as
// its price is known, never twice at once, and returns after the last. An offer
// that is gone does not stop the others.
func (d *Desk) PriceAll(ctx context.Context, in store.Scoped, offers []string, priced func(i int, o flight.Offer,
	err error)) {
	sideBySide(d, "price one of many", len(offers), func(i int) (flight.Offer, error) {
		return d.Price(ctx, in, offers[i])
	}, priced)
}

// sideBySide asks n times for something, several at a time, and passes each answer to told as soon
// as it is known, never twice at once. It returns after the last.
func sideBySide[T any](d *Desk, what string, n int, ask func(i int) (T, error), told func(i int, answer T, err error)) {
	type answer struct {
		i     int
		about T
		err   error
	}
	answers := make(chan answer, n)
	go func() {
		var g errgroup.Group
		g.SetLimit(searchesAtOnce)
		for i := range n {
			g.Go(func() error {
				a := answer{i: i}
				a.err = background.Guard(d.log, what, func() (err error) {
					a.about, err = ask(i)
					return err
				})
				answers <- a
				return nil
			})
		}
	}()
	for range n { // here, so that a panic of told is the caller's, and not the end of the process
		a := <-answers
		told(a.i, a.about, a.err)
	}
}
