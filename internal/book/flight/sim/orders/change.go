package orders

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"gangway/internal/book/flight"
	"gangway/internal/book/flight/sim/tariff"
	"gangway/internal/book/flight/sim/timetable"
	"gangway/internal/gangway"
)

// FindChanges looks for other flights in the order's own brand and cabin.
func (s *Seller) FindChanges(ctx context.Context, id string, legs []flight.Leg) ([]flight.ChangeOffer, error) {
	r, err := s.load(ctx, id)
	if err != nil {
		return nil, err
	}
	at := tariff.Second(s.now())
	if err := s.changeable(r, at); err != nil {
		return nil, err
	}
	ask := r.ask(legs)
	journeys, err := s.Journeys(ctx, ask, timetable.MinuteOf(at))
	if err != nil {
		return nil, err
	}
	like := tariff.Quote{Brand: r.brand(), Cabin: ask.Cabin, At: at, Currency: ask.Currency}
	quotes, err := s.quotes(ctx, r, journeys, like)
	var offers []flight.ChangeOffer
	for _, q := range quotes {
		if !s.Sells(q.Brand, q.Journey, q.Cabin) {
			continue
		}
		o := s.Offer(q)
		if m, err := s.moveTo(r, q, o); err == nil && !sameFlights(o.Itinerary, r.Itinerary) {
			offers = append(offers, m.ChangeOffer)
		}
	}
	return offers, err
}

// PriceChange returns a change offer as it is now.
func (s *Seller) PriceChange(ctx context.Context, id, offer string) (flight.ChangeOffer, error) {
	r, err := s.load(ctx, id)
	if err != nil {
		return flight.ChangeOffer{}, err
	}
	m, err := s.priceChange(ctx, r, offer)
	return m.ChangeOffer, err
}

// priceChange returns a change offer that was made for the order as it is now and has not
// expired.
func (s *Seller) priceChange(ctx context.Context, r record, id string) (move, error) {
	version, offer, ok := strings.Cut(strings.TrimPrefix(id, "x"), "-")
	if !ok {
		return move{}, tariff.ErrOffer
	}
	if err := s.changeable(r, s.now()); err != nil {
		return move{}, err
	}
	o, q, err := s.price(ctx, offer, r.ID)
	switch {
	case err != nil:
		return move{}, err
	case version != strconv.Itoa(r.version):
		return move{}, gangway.Errorf(gangway.Conflict,
			"the order has changed since this offer: look for other flights again")
	case q.Brand != r.brand() || q.Cabin != r.cabin() || q.Currency != r.Price.Total.Currency:
		return move{}, tariff.ErrOffer
	}
	return s.moveTo(r, q, o)
}

// Change moves the order to the flights of a change offer. Doing it again does nothing.
func (s *Seller) Change(ctx context.Context, id, offer string) (flight.Order, error) {
	return s.update(ctx, id, func(r *record) ([]gangway.Document, error) {
		if slices.Contains(r.Changes, offer) {
			return nil, errDone
		}
		m, err := s.priceChange(ctx, *r, offer)
		if err != nil {
			return nil, err
		}
		had, rules := r.seats(), ""
		if m.free {
			rules = r.rules()
		}
		r.PricedItinerary, r.Plating, r.Rules = m.PricedItinerary, m.offer.Plating, rules
		r.Offer, r.Bill, r.Changes = m.offer.ID, m.bill, append(r.Changes, offer)
		if r.Status == flight.Ticketed {
			r.VoidUntil = tariff.Second(s.now()) // changed tickets cannot be voided
		} else {
			r.PriceUntil = r.brand().PriceUntil(s.now(), r.HoldUntil, m.Itinerary.Departure().Location())
		}
		return s.moved(ctx, r, had, m.free)
	})
}
