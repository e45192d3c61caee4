package orders

import (
	"context"
	"slices"
	"strconv"
	"time"

	"gangway/internal/book/flight"
	"gangway/internal/book/flight/sim/tariff"
	"gangway/internal/gangway"
)

func sameFlights(a, b gangway.Itinerary) bool {
	return slices.EqualFunc(a.Segments, b.Segments, func(x, y gangway.Segment) bool {
		return x.FlightNumber == y.FlightNumber && x.Departure.Equal(y.Departure)
	})
}

// freeMoveWindow is how far in time other flights may be from those that the airline has
// changed by itself, so that moving to them costs nothing.
const freeMoveWindow = 3 * 24 * time.Hour

// changeable returns an error if an order cannot be changed at an instant.
func (s *Seller) changeable(r record, at time.Time) error {
	switch {
	case r.Status == flight.Lapsed:
		return errLapsed(r)
	case r.Status != flight.Held && r.Status != flight.Ticketed:
		return gangway.Errorf(gangway.Conflict, "the airline has this order as %s", r.Status)
	case !s.now().Before(r.Itinerary.Departure()):
		return gangway.Errorf(gangway.Conflict, "the journey has begun and can no longer be changed")
	case r.Terms.Changes == gangway.NoChange && len(s.disruptedFlights(r, at)) == 0:
		return errNoChange(r)
	}
	return nil
}

func errNoChange(r record) error {
	return gangway.Errorf(gangway.Conflict,
		"a %s fare cannot be changed: cancel it and book other flights", r.Terms.Brand)
}

// owes reports whether the airline has to move an order to other flights free of charge: it
// has changed the order's flights by itself, and the others go between the same airports within
// a few days of them.
func (s *Seller) owes(r record, it gangway.Itinerary, at time.Time) bool {
	was, is := r.Itinerary.Legs(), it.Legs()
	if len(s.disruptedFlights(r, at)) == 0 || len(was) != len(is) {
		return false
	}
	for i := range was {
		a, b := gangway.Itinerary{Segments: was[i]}, gangway.Itinerary{Segments: is[i]}
		from, to := a.Route(), b.Route()
		if from[0] != to[0] || from[len(from)-1] != to[len(to)-1] ||
			a.Departure().Sub(b.Departure()).Abs() > freeMoveWindow {
			return false
		}
	}
	return true
}

// A move is a change offer and what the order becomes by it.
type move struct {
	flight.ChangeOffer
	offer flight.Offer // for the new flights
	bill  tariff.Bill
	free  bool // because the airline caused it
}

// moveTo works out what moving an order to an offer costs. Conflict: the fare
// does not allow it.
//
// If the airline caused it, nothing is due. Before ticketing nothing has been paid, so the new
// price replaces the old one. Afterwards the fee is due, the difference of the taxes, and the
// difference of the fares; a negative difference of the fares is only returned if the fare is
// refundable without a fee.
func (s *Seller) moveTo(r record, q tariff.Quote, o flight.Offer) (move, error) {
	m := move{offer: o, bill: s.Bill(q), free: s.owes(r, o.Itinerary, q.At), ChangeOffer: flight.ChangeOffer{
		ID: "x" + strconv.Itoa(r.version) + "-" + o.ID, PricedItinerary: o.PricedItinerary,
		Penalty: gangway.Money{Currency: q.Currency}, Expires: o.Expires,
	}}
	switch b, paid := m.bill, r.Bill; {
	case m.free:
		b.ScaleTo(r.Price)
		m.Terms = r.Terms
		m.Terms.Splitting = len(b) > 1
	case r.Terms.Changes == gangway.NoChange:
		return m, errNoChange(r)
	case r.Status == flight.Ticketed:
		if r.Terms.Changes == gangway.PaidChange {
			m.Penalty = r.Terms.ChangeFee
		}
		if r.Terms.Cancellations != gangway.Refundable {
			b[0].Fare += max(0, paid.Fares()-b.Fares())
			if q.Brand == tariff.Marine {
				b[0].Fare += max(0, paid.Total()-b.Total()) // never below what was paid, including taxes
			}
		}
	}
	flights := m.bill.Price(q.Currency)
	m.Price = gangway.PriceOf(flights.Fare, flights.Taxes, r.Price.Fees.Add(m.Penalty))
	m.Due = gangway.Money{Currency: q.Currency}
	if r.Status == flight.Ticketed {
		m.Due = m.Price.Total.Sub(r.Price.Total)
	}
	return m, nil
}

// moved returns the documents to save with an order whose flights have changed: seats, locators
// and tickets. A hold may now end sooner; a price after a free move is guaranteed to the end.
func (s *Seller) moved(ctx context.Context, r *record, had []tariff.Seat, free bool) ([]gangway.Document, error) {
	until := time.Time{}
	if r.Status == flight.Held {
		if by := r.brand().TicketBy(s.now(), r.Itinerary.Departure()); by.Before(r.HoldUntil) {
			r.HoldUntil, r.TicketBy = by, by
		}
		if until = r.HoldUntil; free || r.PriceUntil.After(until) {
			r.PriceUntil = until
		}
	}
	docs, err := s.reseat(ctx, r.ID, had, r.seats(), until)
	if err != nil {
		return nil, err
	}
	locators, err := s.takeLocators(ctx, r)
	if err != nil || r.Status != flight.Ticketed {
		return append(docs, locators...), err
	}
	tickets, err := s.ticket(ctx, r)
	return slices.Concat(docs, locators, tickets), err
}
