package duffel

import (
	"context"
	"errors"
	"math"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"gangway/internal/book/flight"
	"gangway/internal/gangway"
)

// Price returns the offer as it can be booked now.
func (s *Seller) Price(ctx context.Context, offer string) (flight.Offer, error) {
	w, err := s.offer(ctx, offer)
	if err != nil {
		return flight.Offer{}, err
	}
	return s.read(w)
}

// offer returns an offer as it is now. Conflict: it has expired.
func (s *Seller) offer(ctx context.Context, id string) (wireOffer, error) {
	if !strings.HasPrefix(id, "off_") {
		return wireOffer{}, gangway.Errorf(gangway.NotFound, "Duffel has no such offer")
	}
	var w wireOffer
	if _, err := s.get(ctx, "/air/offers/"+url.PathEscape(id), nil, &w); err != nil {
		return w, explainError(err)
	}
	if !s.now().Before(w.ExpiresAt) {
		return w, gangway.Errorf(gangway.Conflict, "this offer has expired: search again to see what it costs now")
	}
	return w, nil
}

// marine reports whether an offer has a fare filed for people who work on or for a vessel. Such
// an offer lists the private fares that it is made of, and we never ask for private fares of
// another kind. The fare type given with a passenger only repeats the request.
func (w wireOffer) marine() bool { return len(w.PrivateFares) > 0 }

// read turns an offer into ours.
func (d *Duffel) read(w wireOffer) (flight.Offer, error) {
	it, err := itinerary(w.Slices)
	if err != nil {
		return flight.Offer{}, err
	}
	price, err := price(w.Total, w.TotalCurrency, w.Base, w.BaseCurrency)
	if err != nil {
		return flight.Offer{}, err
	}
	terms, err := terms(w.Conditions, w.Slices, price.Total.Currency)
	if err != nil {
		return flight.Offer{}, err
	}
	terms.FareType = gangway.Public
	if w.marine() {
		terms.FareType = gangway.Marine
	}
	o := flight.Offer{
		ID:              w.ID,
		PricedItinerary: gangway.PricedItinerary{Itinerary: it, Baggage: baggage(w.Slices), Terms: terms, Price: price},
		Plating:         w.Owner.code(),
		Expires:         w.ExpiresAt.UTC(),
	}
	o.Emissions = flight.Estimate(d.Factors, &o.Itinerary)
	if kg, err := strconv.ParseFloat(textOf(w.EmissionsKg), 64); err == nil && kg > 0 && !math.IsInf(kg, 0) {
		o.Emissions = gangway.Emissions{CO2eKg: kg, Method: Name}
	}
	if !w.Payment.Instant {
		o.TicketBy = instant(w.Payment.RequiredBy)
		o.PriceUntil = d.priceUntil(w.Payment.Guarantee, o.TicketBy)
	}
	return o, nil
}

// priceUntil returns until when a price is guaranteed, given the ticketing deadline: the zero
// time if it is guaranteed until that deadline, and now if it is not guaranteed at all.
func (d *Duffel) priceUntil(guarantee *time.Time, ticketBy time.Time) time.Time {
	switch {
	case ticketBy.IsZero():
		return time.Time{}
	case guarantee == nil:
		return d.now()
	case !guarantee.Before(ticketBy):
		return time.Time{}
	}
	return guarantee.UTC()
}

// price reads a price. If the airline does not say which part is taxes, all of it is fare.
func price(total, currency, base, baseCurrency string) (gangway.Price, error) {
	all, err := amount(total, currency)
	if err != nil {
		return gangway.Price{}, err
	}
	p := gangway.Price{Total: all, Fare: all, Taxes: gangway.Money{Currency: all.Currency}}
	if base != "" && baseCurrency == currency {
		if p.Fare, err = amount(base, currency); err != nil {
			return gangway.Price{}, err
		}
		p.Taxes = all.Sub(p.Fare)
	}
	return p, nil
}

// terms reads the conditions of a fare. What the airline does not say is taken as the worst for
// the traveller: no refund and no change.
func terms(c wireConditions, slices []wireSlice, currency string) (gangway.Terms, error) {
	t := gangway.Terms{Cancellations: gangway.NonRefundable, Changes: gangway.NoChange, Brand: brand(slices)}
	if c.Refund != nil && c.Refund.Allowed {
		fee, free, err := c.Refund.fee(currency)
		if err != nil {
			return t, err
		}
		t.Cancellations, t.CancelFee = gangway.PaidCancel, fee
		if free {
			t.Cancellations, t.CancelFee = gangway.Refundable, gangway.Money{}
		}
	}
	if c.Change != nil && c.Change.Allowed {
		fee, free, err := c.Change.fee(currency)
		if err != nil {
			return t, err
		}
		t.Changes, t.ChangeFee = gangway.PaidChange, fee
		if free {
			t.Changes, t.ChangeFee = gangway.FreeChange, gangway.Money{}
		}
	}
	return t, nil
}

// fee returns what is kept, zero if that is unknown, and whether it is known to be nothing.
func (c wireCondition) fee(currency string) (fee gangway.Money, free bool, err error) {
	if c.Penalty == nil {
		return gangway.Money{}, false, nil
	}
	fee, err = amount(*c.Penalty, currencyOr(c.Currency, currency))
	return fee, fee.IsZero(), err
}

// brand returns the airline's names for the fares, each one once.
func brand(list []wireSlice) string {
	var names []string
	for _, s := range list {
		if n := textOf(s.Brand); n != "" && !slices.Contains(names, n) {
			names = append(names, n)
		}
	}
	return strings.Join(names, ", ")
}

var errFlight = errors.New("a flight from Duffel cannot be read")

// itinerary reads flights, with one leg for each slice.
func itinerary(list []wireSlice) (gangway.Itinerary, error) {
	var it gangway.Itinerary
	for leg, slice := range list {
		for _, w := range slice.Segments {
			s, err := segment(w)
			if err != nil {
				return it, err
			}
			s.Leg = leg
			it.Segments = append(it.Segments, s)
		}
	}
	if len(it.Segments) == 0 {
		return it, errFlight
	}
	return it, nil
}

func segment(w wireSegment) (gangway.Segment, error) {
	departure, err := w.Origin.at(w.DepartingAt)
	if err != nil {
		return gangway.Segment{}, err
	}
	arrival, err := w.Destination.at(w.ArrivingAt)
	if err != nil {
		return gangway.Segment{}, err
	}
	s := gangway.Segment{
		Carrier: w.Marketing.code(), Origin: gangway.Airport(w.Origin.Code),
		Destination: gangway.Airport(w.Destination.Code),
		Departure:   departure, Arrival: arrival, OriginTerminal: textOf(w.OriginTerminal),
		DestinationTerminal: textOf(w.DestinationTerminal),
		Cabin:               gangway.Economy,
	}
	if s.Carrier == "" {
		s.Carrier = w.Operating.code()
	} else if by := w.Operating.code(); by != s.Carrier {
		s.Operator = by
	}
	s.FlightNumber = s.Carrier + w.MarketingNumber
	if s.Carrier == "" || w.MarketingNumber == "" || !arrival.After(departure) {
		return s, errFlight
	}
	if len(w.Passengers) > 0 && w.Passengers[0].Cabin != "" {
		s.Cabin = gangway.Cabin(w.Passengers[0].Cabin)
	}
	if w.Aircraft != nil {
		s.Aircraft = w.Aircraft.Name
	}
	if km, err := strconv.ParseFloat(textOf(w.Distance), 64); err == nil && km > 0 && km < 30000 {
		s.DistanceKm = int(math.Round(km))
	}
	return s, nil
}

// baggage reads the included checked baggage of each direction: the smallest allowance of its
// flights. If a flight does not say, the direction has no entry. Duffel does not say how heavy
// a bag may be.
func baggage(list []wireSlice) []gangway.Allowance {
	var all []gangway.Allowance
	for _, s := range list {
		pieces, known := math.MaxInt, len(s.Segments) > 0
		for _, seg := range s.Segments {
			if len(seg.Passengers) == 0 || len(seg.Passengers[0].Baggages) == 0 {
				known = false
				break
			}
			checked := 0
			for _, b := range seg.Passengers[0].Baggages {
				if b.Type == "checked" {
					checked += b.Quantity
				}
			}
			pieces = min(pieces, checked)
		}
		if known {
			all = append(all, gangway.Allowance{
				Origin:      gangway.Airport(s.Segments[0].Origin.Code),
				Destination: gangway.Airport(s.Segments[len(s.Segments)-1].Destination.Code), Pieces: pieces,
			})
		}
	}
	return all
}
