package orders

import (
	"context"
	"slices"
	"strconv"
	"time"

	"gangway"
	"gangway/internal/book/flight"
	"gangway/internal/book/flight/sim/tariff"
)

func sameFlights(a, b gangway.Itinerary) bool {
	return slices.EqualFunc(a.Segments, b.Segments, func(x, y gangway.Segment) bool {
		return x.FlightNumber == y.FlightNumber && x.Departure.Equal(y.Departure)
	})
}

// freely is how far other flights may be from those that the airline has
// changed by itself, so that moving to them costs nothing.
const freely = 3 * 24 * time.Hour

// changeable refuses unless an order can be changed at an instant.
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

// owes reports whether the airline has to move an order to other
// flights for nothing: it has changed its flights by itself, and the others go
// between the same airports within a few days of them.
func (s *Seller) owes(r record, it gangway.Itinerary, at time.Time) bool {
	was, is := r.Itinerary.Legs(), it.Legs()
	if len(s.disruptedFlights(r, at)) == 0 || len(was) != len(is) {
		return false
	}
	for i := range was {
		a, b := gangway.Itinerary{Segments: was[i]}, gangway.Itinerary{Segments: is[i]}
		from, to := a.Route(), b.Route()
		if from[0] != to[0] || from[len(from)-1] != to[len(to)-1] || a.Departure().Sub(b.Departure()).Abs() > freely {
			return false
		}
	}
	return true
}

// A move is a change offer and what the order becomes by it.
type move struct {
	flight.ChangeOffer
	offer flight.Offer // behind it
	bill  tariff.Bill
	free  bool // because the airline is the cause
}

// moveTo works out what moving an order to an offer costs. Conflict: the fare
// does not allow it.
//
// Where the airline is the cause, nothing is due. Before ticketing nothing was
// paid: the new price takes the place of the old. Afterwards it is the fee, the
// difference of the taxes, and the difference of the fares, which comes back
// only where the fare is refundable for nothing.
func (s *Seller) moveTo(r record, q tariff.Quote, o flight.Offer) (move, error) {
	m := move{offer: o, bill: s.Bill(q), free: s.owes(r, o.Itinerary, q.At), ChangeOffer: flight.ChangeOffer{
		ID: "x" + strconv.Itoa(r.version) + "-" + o.ID, PricedItinerary: o.PricedItinerary,
		Penalty: gangway.Money{Currency: q.Currency}, Expires: o.Expires,
	}}
	switch b, paid := m.bill, s.billOf(r); {
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
				b[0].Fare += max(0, paid.Total()-b.Total()) // not a cent below what was paid, taxes and all
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

// moved returns what has to be written with an order that has other flights than
// it had: seats, locators and tickets. A hold may have to end sooner; a price at
// which it moved for nothing stays to the end.
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
