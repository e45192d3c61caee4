package duffel

import (
	"context"

	"gangway/internal/book/flight"
	"gangway/internal/gangway"
)

// Issue pays for an order and has its tickets issued.
func (s *Seller) Issue(ctx context.Context, id string, pay gangway.Money) (flight.Order, error) {
	r, order, end, err := s.lookAt(ctx, id)
	if err != nil {
		return flight.Order{}, err
	}
	defer end()
	switch {
	case order.Status == flight.Lapsed:
		return flight.Order{}, gangway.Errorf(gangway.Conflict, "the seats were held until %s and are gone",
			order.HoldUntil.Format("2 January 15:04 MST"))
	case order.Status != flight.Held:
		return flight.Order{}, gangway.Errorf(gangway.Conflict, "the airline has this order as %s", order.Status)
	case order.Price.Total != pay:
		return flight.Order{}, gangway.Errorf(gangway.Conflict, "the price is %s, not %s", order.Price.Total, pay)
	case order.Notice != nil:
		return flight.Order{}, gangway.Errorf(gangway.Conflict,
			"the airline has changed the flights: accept the change, or cancel, before you pay")
	}
	if r.Buy != nil {
		return s.buy(ctx, &r, pay)
	}
	return s.once(ctx, &r, attempt{Operation: paying}, "/air/payments",
		map[string]any{"order_id": r.Order, "payment": s.payment(pay)})
}

// buy makes the order of an offer that must be paid at once, and pays for it. If another offer
// of the same search was booked meanwhile, it buys the offer's duplicate.
func (s *Seller) buy(ctx context.Context, r *record, pay gangway.Money) (flight.Order, error) {
	for try := 0; ; try++ {
		if err := s.begin(ctx, r, attempt{Operation: booking}); err != nil {
			return flight.Order{}, err
		}
		made, err := s.order(ctx, r, orderAsk{
			Type: "instant", Offers: []string{r.Offer}, Passengers: []passenger{r.Buy.Passenger},
			Payments: []payment{s.payment(pay)}, Metadata: r.Buy.Metadata,
		})
		if err == nil {
			return s.readOrder(ctx, r, made)
		}
		if !hasCode(err, alreadyBooked) || try == findDuplicates || s.takeDuplicate(ctx, r, pay) != nil {
			return flight.Order{}, s.notBought(ctx, r, err)
		}
	}
}

// takeDuplicate replaces an offer that can no longer be bought by another one for the same
// flights at the same price.
func (s *Seller) takeDuplicate(ctx context.Context, r *record, price gangway.Money) error {
	was, err := s.offer(ctx, r.Offer)
	if err != nil {
		return err
	}
	duplicate, err := s.findDuplicate(ctx, was, price)
	if err != nil || len(duplicate.Passengers) == 0 {
		return errSold
	}
	next, buy := *r, *r.Buy
	buy.Passenger.ID, buy.Until = duplicate.Passengers[0].ID, duplicate.ExpiresAt.UTC()
	next.Offer, next.Buy, next.Begun = duplicate.ID, &buy, nil
	if err := s.claim(ctx, &next); err != nil {
		return err
	}
	*r = next
	return nil
}

// notBought records why an offer was not bought, and whether it can still be.
func (s *Seller) notBought(ctx context.Context, r *record, err error) error {
	if hasCode(err, "offer_no_longer_available") || hasCode(err, "offer_expired") || hasCode(err, alreadyBooked) {
		if saved := s.note(ctx, r, func(r *record) { r.Buy.Until = s.now() }); saved != nil {
			return saved
		}
	}
	return s.ended(ctx, r, err)
}
