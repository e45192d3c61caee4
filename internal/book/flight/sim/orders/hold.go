package orders

import (
	"context"

	"gangway/internal/book/flight"
	"gangway/internal/book/flight/sim/tariff"
	"gangway/internal/gangway"
)

// Order returns the order as it is now.
func (s *Seller) Order(ctx context.Context, id string) (flight.Order, error) {
	r, err := s.load(ctx, id)
	if err != nil {
		return flight.Order{}, err
	}
	return s.shown(ctx, r)
}

// Find returns the order that was held under reference. If there is none, Find makes sure that
// there will be none, because a Hold may still be under way.
func (s *Seller) Find(ctx context.Context, reference string) (flight.Order, error) {
	r, err := s.byReference(ctx, reference)
	if gangway.KindOf(err) == gangway.NotFound {
		never := record{Order: flight.Order{ID: neverPrefix + reference, Reference: reference}, Never: true}
		if err := s.save(ctx, never); err != nil && gangway.KindOf(err) != gangway.Conflict {
			return flight.Order{}, err
		}
		r, err = s.byReference(ctx, reference)
	}
	if err != nil {
		return flight.Order{}, err
	}
	return s.shown(ctx, r)
}

// Hold holds seats under the caller's reference, once.
func (s *Seller) Hold(ctx context.Context, ask flight.HoldAsk) (flight.Order, error) {
	// By the next try another order may have the reference or the locator, or seats on the same flights may have been
	// taken.
	return s.retried(ctx, ask.Reference, func() (record, []gangway.Document, error) {
		there, err := s.byReference(ctx, ask.Reference)
		switch {
		case err == nil:
			return there, nil, errDone
		case gangway.KindOf(err) != gangway.NotFound:
			return record{}, nil, err
		case there.Never:
			return record{}, nil, gangway.Errorf(gangway.Conflict,
				"this was cancelled before it reached the airline: search again")
		}
		return s.newRecord(ctx, ask)
	})
}

// newRecord returns the order that a hold makes, and the documents saved with it.
func (s *Seller) newRecord(ctx context.Context, ask flight.HoldAsk) (record, []gangway.Document, error) {
	if ask.Reference == "" {
		return record{}, nil, gangway.Errorf(gangway.Invalid, "a hold needs the caller's reference")
	}
	o, q, err := s.price(ctx, ask.Offer, "")
	if err != nil {
		return record{}, nil, err
	}
	if err := flight.CheckName(ask.Passenger, longestName); err != nil {
		return record{}, nil, err
	}
	switch {
	case o.Price.Total != ask.Price:
		return record{}, nil, gangway.Errorf(gangway.Conflict, "the price is %s, not %s", o.Price.Total, ask.Price)
	case q.Brand == tariff.Marine && (ask.Vessel == "" || ask.Flag == ""):
		return record{}, nil, gangway.Errorf(gangway.Invalid, "a marine fare needs the vessel and its flag")
	}
	magic, err := s.spell(ask.Passenger)
	if err != nil {
		return record{}, nil, err
	}
	departure := o.Itinerary.Departure()
	until := q.Brand.TicketBy(s.now(), departure)
	r := record{
		Order: flight.Order{
			Reference: ask.Reference, Status: flight.Held, PricedItinerary: o.PricedItinerary,
			Plating: o.Plating, TicketBy: until, HoldUntil: until,
			PriceUntil: q.Brand.PriceUntil(s.now(), until, departure.Location()),
		},
		Offer: ask.Offer, Bill: s.Bill(q), Vessel: ask.Vessel, Flag: ask.Flag, Magic: magic,
	}
	until = r.enchant()
	locators, err := s.takeLocators(ctx, &r)
	if err != nil {
		return record{}, nil, err
	}
	seats, err := s.reseat(ctx, r.ID, nil, r.seats(), until)
	return r, append(seats, locators...), err
}
