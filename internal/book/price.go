package book

import (
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
		err = maySell(account.Settings, o)
	}
	return o, err
}

// PriceAll prices many offers side by side. It calls priced for each as soon as
// its price is known, never twice at once, and returns after the last. An offer
// that is gone does not stop the others.
func (d *Desk) PriceAll(ctx context.Context, in store.Scoped, offers []string, priced func(i int, o flight.Offer,
	err error)) {
	type answer struct {
		i   int
		o   flight.Offer
		err error
	}
	answers := make(chan answer, len(offers))
	go func() {
		var g errgroup.Group
		g.SetLimit(searchesAtOnce)
		for i, offer := range offers {
			g.Go(func() error {
				a := answer{i: i}
				a.err = background.Guard(d.log, "price one of many", func() (err error) {
					a.o, err = d.Price(ctx, in, offer)
					return err
				})
				answers <- a
				return nil
			})
		}
	}()
	for range offers { // here, so that a panic of priced is the caller's, and not the end of the process
		a := <-answers
		priced(a.i, a.o, a.err)
	}
}
