package sim

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"gangway"
	"gangway/internal/book/flight"
)

// FindChanges looks for other flights in the order's own brand and cabin.
func (s *seller) FindChanges(ctx context.Context, id string, legs []flight.Leg) ([]flight.ChangeOffer, error) {
	return slowly(ctx, s, func() ([]flight.ChangeOffer, error) {
		r, err := s.load(ctx, id)
		if err != nil {
			return nil, err
		}
		brand, cabin, err := s.changeable(r)
		if err != nil {
			return nil, err
		}
		at := s.second()
		journeys, err := s.journeys(flight.Ask{Legs: legs, Cabin: cabin, MaxStops: -1}, minuteOf(at))
		var offers []flight.ChangeOffer
		for _, j := range journeys {
			if !s.sells(brand, j, cabin) {
				continue
			}
			o := s.offer(quote{journey: j, brand: brand, cabin: cabin, at: at})
			if !sameFlights(o.Itinerary, r.Itinerary) {
				offers = append(offers, r.changeTo(o))
			}
		}
		return offers, err
	})
}

// PriceChange returns a change offer as it stands now.
func (s *seller) PriceChange(ctx context.Context, id, offer string) (flight.ChangeOffer, error) {
	return slowly(ctx, s, func() (flight.ChangeOffer, error) {
		r, err := s.load(ctx, id)
		if err != nil {
			return flight.ChangeOffer{}, err
		}
		c, _, err := s.priceChange(r, offer)
		return c, err
	})
}

// Change moves the order to the flights of a change offer. Doing it again does nothing.
func (s *seller) Change(ctx context.Context, id, offer string) (flight.Order, error) {
	return slowly(ctx, s, func() (flight.Order, error) {
		return s.update(ctx, id, func(r *record) error {
			if slices.Contains(r.Changes, offer) {
				return errDone
			}
			c, o, err := s.priceChange(*r, offer)
			if err != nil {
				return err
			}
			r.Itinerary, r.Baggage, r.Terms, r.Price, r.Emissions = c.Itinerary, c.Baggage, c.Terms, c.NewPrice, c.Emissions
			r.Plating, r.Offer, r.Changes = o.Plating, o.ID, append(r.Changes, offer)
			if r.Status == flight.Ticketed {
				r.VoidUntil = s.second() // what was changed can no longer be undone
				return s.ticket(ctx, r)
			}
			if until := r.brand().ticketBy(s.now(), r.Itinerary.Departure()); until.Before(r.HoldUntil) {
				r.HoldUntil, r.TicketBy = until, until
			}
			return nil
		})
	})
}

// changeable returns the brand and cabin in which an order can be changed.
func (s *seller) changeable(r record) (*brand, gangway.Cabin, error) {
	switch {
	case r.Status == flight.Lapsed:
		return nil, "", gangway.Errorf(gangway.Conflict, "the seats were held until %s and are gone", r.HoldUntil.Format("2 January 15:04 MST"))
	case r.Status != flight.Held && r.Status != flight.Ticketed:
		return nil, "", gangway.Errorf(gangway.Conflict, "the airline has this order as %s", r.Status)
	case r.Terms.Changes == gangway.NoChange:
		return nil, "", gangway.Errorf(gangway.Conflict, "a %s fare cannot be changed: cancel it and book other flights", r.Terms.Brand)
	case !s.now().Before(r.Itinerary.Departure()):
		return nil, "", gangway.Errorf(gangway.Conflict, "the journey has begun and can no longer be changed")
	}
	return r.brand(), r.cabin(), nil
}

// cabin returns the cabin that the order was booked in.
func (r record) cabin() gangway.Cabin {
	if parts := strings.SplitN(r.Offer, "-", 3); len(parts) == 3 {
		for _, c := range cabinLetters {
			if c.letter == parts[1] {
				return c.cabin
			}
		}
	}
	return gangway.Economy
}

func sameFlights(a, b gangway.Itinerary) bool {
	return slices.EqualFunc(a.Segments, b.Segments, func(x, y gangway.Segment) bool {
		return x.FlightNumber == y.FlightNumber && x.Departure.Equal(y.Departure)
	})
}

// changeTo works out what moving an order to an offer costs.
//
// Before ticketing nothing was paid: the new price takes the place of the old.
// Afterwards it is the fee, the difference of the taxes, and the difference of
// the fares, which comes back only where the fare is refundable.
func (r record) changeTo(o flight.Offer) flight.ChangeOffer {
	price, fee := o.Price, usd(0)
	if r.Status == flight.Ticketed {
		if r.Terms.Changes == gangway.PaidChange {
			fee = r.Terms.ChangeFee
		}
		if r.Terms.Cancellations != gangway.Refundable && price.Fare.Minor < r.Price.Fare.Minor {
			price.Fare = r.Price.Fare
			price.Total = price.Fare.Add(price.Taxes)
		}
	}
	return flight.ChangeOffer{
		ID: "x" + strconv.Itoa(r.version) + "-" + o.ID, Itinerary: o.Itinerary, Baggage: o.Baggage, Terms: o.Terms,
		NewPrice: price, Due: price.Total.Sub(r.Price.Total).Add(fee), Penalty: fee, Emissions: o.Emissions, Expires: o.Expires,
	}
}

// priceChange returns a change offer that was made for the order as it stands
// and has not expired, and the offer behind it.
func (s *seller) priceChange(r record, id string) (flight.ChangeOffer, flight.Offer, error) {
	version, offer, ok := strings.Cut(strings.TrimPrefix(id, "x"), "-")
	if !ok {
		return flight.ChangeOffer{}, flight.Offer{}, errOffer
	}
	brand, cabin, err := s.changeable(r)
	if err != nil {
		return flight.ChangeOffer{}, flight.Offer{}, err
	}
	o, q, err := s.price(offer)
	switch {
	case err != nil:
		return flight.ChangeOffer{}, flight.Offer{}, err
	case version != strconv.Itoa(r.version):
		return flight.ChangeOffer{}, flight.Offer{}, gangway.Errorf(gangway.Conflict, "the order has changed since this offer: look for other flights again")
	case q.brand != brand || q.cabin != cabin:
		return flight.ChangeOffer{}, flight.Offer{}, errOffer
	}
	return r.changeTo(o), o, nil
}

// Accept takes what the airline offers in place of flights that it has changed.
func (s *seller) Accept(ctx context.Context, id, notice string) (flight.Order, error) {
	return slowly(ctx, s, func() (flight.Order, error) {
		return flight.Order{}, gangway.Errorf(gangway.Conflict, "the airline has changed nothing of this order")
	})
}
