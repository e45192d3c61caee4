package orders

import (
	"cmp"
	"context"
	"time"

	"gangway/internal/book/flight"
	"gangway/internal/book/flight/sim/tariff"
	"gangway/internal/book/flight/sim/timetable"
	"gangway/internal/gangway"
)

// quotes returns a quote like q for each journey that can be sold: its sale has not ended, all its
// flights have a seat left, and no airline will announce a change to them as long as the offer
// lives, nor has to the order that they are for; the zero record: none.
func (s *Seller) quotes(
	ctx context.Context, r record, journeys []timetable.Journey, q tariff.Quote,
) ([]tariff.Quote, error) {
	booked, err := s.bookedOn(ctx, journeys)
	var all []tariff.Quote
	for _, j := range journeys {
		q.Journey, q.Own = j, booked.of(s.Tariff, j, q.Cabin)
		ends := timetable.TimeOf(j[0].Dep()-tariff.SaleEnds, time.UTC)
		if q.At.Before(ends) && s.SeatsLeft(j, q.Cabin, q.Own) > 0 && !s.disrupted(r, j, q.At.Add(tariff.OfferLife)) {
			all = append(all, q)
		}
	}
	return all, err
}

// price reads an offer that has not expired and is not sold out. The seats of an order that would
// be moved to it do not count.
func (s *Seller) price(ctx context.Context, id, order string) (flight.Offer, tariff.Quote, error) {
	q, err := s.QuoteOf(id)
	if err != nil {
		return flight.Offer{}, tariff.Quote{}, err
	}
	now, o := s.now(), s.Offer(q)
	switch {
	case q.At.After(now.Add(time.Minute)):
		return flight.Offer{}, tariff.Quote{}, tariff.ErrOffer // made in the future
	case !now.Before(o.Expires):
		return flight.Offer{}, tariff.Quote{}, gangway.Errorf(gangway.Conflict,
			"this offer has expired: search again to see what it costs now")
	}
	own, err := s.ownSeats(ctx, q, order)
	if err != nil {
		return flight.Offer{}, tariff.Quote{}, err
	}
	if o.SeatsLeft = s.SeatsLeft(q.Journey, q.Cabin, own); o.SeatsLeft == 0 {
		return flight.Offer{}, tariff.Quote{}, errSoldOut
	}
	return o, q, nil
}

// Search looks for offers and passes them to found as they are found, best journeys first.
func (s *Seller) Search(ctx context.Context, ask flight.Ask, found func([]flight.Offer)) error {
	if ask.FareType == gangway.Marine && (ask.Vessel == "" || ask.Flag == "") {
		return gangway.Errorf(gangway.Invalid, "marine fares need the vessel and its flag")
	}
	ask.Cabin = cmp.Or(ask.Cabin, gangway.Economy)
	at := tariff.Second(s.now())
	like := tariff.Quote{Cabin: ask.Cabin, At: at, Currency: tariff.CurrencyOf(ask.Currency)}
	return s.EachJourney(ctx, ask, timetable.MinuteOf(at), func(journeys []timetable.Journey) error {
		quotes, err := s.quotes(ctx, record{}, journeys, like)
		if offers := s.Offers(ask, quotes); err == nil && len(offers) > 0 {
			found(offers)
		}
		return err
	})
}

// Reach returns the best that the only leg of each ask allows.
func (s *Seller) Reach(ctx context.Context, asks []flight.Ask) ([]flight.Reach, error) {
	return s.Finder.Reach(ctx, asks, timetable.MinuteOf(tariff.Second(s.now())))
}

// Price returns the offer as it can be booked now.
func (s *Seller) Price(ctx context.Context, offer string) (flight.Offer, error) {
	o, _, err := s.price(ctx, offer, "")
	return o, err
}
