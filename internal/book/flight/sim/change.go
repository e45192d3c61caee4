package sim

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"time"

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
		at := s.second()
		if err := s.changeable(r, at); err != nil {
			return nil, err
		}
		ask := r.ask(legs)
		journeys, err := s.journeys(ctx, ask, minuteOf(at))
		if err != nil {
			return nil, err
		}
		quotes, err := s.quotes(ctx, journeys, quote{brand: r.brand(), cabin: ask.Cabin, at: at, currency: ask.Currency})
		var offers []flight.ChangeOffer
		for _, q := range quotes {
			if !s.sells(q.brand, q.journey, q.cabin) {
				continue
			}
			o := s.offer(q)
			if m, err := s.moveTo(r, q, o); err == nil && !sameFlights(o.Itinerary, r.Itinerary) {
				offers = append(offers, m.ChangeOffer)
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
		m, err := s.priceChange(ctx, r, offer)
		return m.ChangeOffer, err
	})
}

// Change moves the order to the flights of a change offer. Doing it again does nothing.
func (s *seller) Change(ctx context.Context, id, offer string) (flight.Order, error) {
	return slowly(ctx, s, func() (flight.Order, error) {
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
			r.Itinerary, r.Baggage, r.Terms, r.Price, r.Emissions = m.Itinerary, m.Baggage, m.Terms, m.NewPrice, m.Emissions
			r.Plating, r.Offer, r.Bill, r.Changes = m.offer.Plating, m.offer.ID, m.bill, append(r.Changes, offer)
			r.Rules = rules
			if r.Status == flight.Ticketed {
				r.VoidUntil = s.second() // what was changed can no longer be undone
			} else {
				r.PriceUntil = r.brand().priceUntil(s.now(), r.HoldUntil, m.Itinerary.Departure().Location())
			}
			return s.moved(ctx, r, had, m.free)
		})
	})
}

// moved returns what has to be written with an order that has other flights than
// it had: seats, locators and tickets. A hold may have to end sooner; a price at
// which it moved for nothing stays to the end.
func (s *seller) moved(ctx context.Context, r *record, had []seat, free bool) ([]gangway.Document, error) {
	until := time.Time{}
	if r.Status == flight.Held {
		if by := r.brand().ticketBy(s.now(), r.Itinerary.Departure()); by.Before(r.HoldUntil) {
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

// ask is a search for other flights like an order's.
func (r record) ask(legs []flight.Leg) flight.Ask {
	return flight.Ask{
		Legs: legs, Cabin: r.cabin(), FareType: r.brand().fare, Vessel: r.Vessel, Flag: r.Flag,
		MaxStops: -1, Currency: r.Price.Total.Currency,
		Sanctioned: flight.MaySell(r.Itinerary, gangway.Public, r.Plating, false) != nil, // as the account has admitted before
	}
}

// changeable refuses unless an order can be changed at an instant.
func (s *seller) changeable(r record, at time.Time) error {
	switch {
	case r.Status == flight.Lapsed:
		return gangway.Errorf(gangway.Conflict, "the seats were held until %s and are gone", r.HoldUntil.Format("2 January 15:04 MST"))
	case r.Status != flight.Held && r.Status != flight.Ticketed:
		return gangway.Errorf(gangway.Conflict, "the airline has this order as %s", r.Status)
	case !s.now().Before(r.Itinerary.Departure()):
		return gangway.Errorf(gangway.Conflict, "the journey has begun and can no longer be changed")
	case r.Terms.Changes == gangway.NoChange && len(s.upsets(r, at)) == 0:
		return errNoChange(r)
	}
	return nil
}

func errNoChange(r record) error {
	return gangway.Errorf(gangway.Conflict, "a %s fare cannot be changed: cancel it and book other flights", r.Terms.Brand)
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

// freely is how far other flights may be from those that the airline has
// changed by itself, so that moving to them costs nothing.
const freely = 3 * 24 * time.Hour

// owes reports whether the airline has to move an order to other
// flights for nothing: it has changed its flights by itself, and the others go
// between the same airports within a few days of them.
func (s *seller) owes(r record, it gangway.Itinerary, at time.Time) bool {
	was, is := r.Itinerary.Legs(), it.Legs()
	if len(s.upsets(r, at)) == 0 || len(was) != len(is) {
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
	bill  bill
	free  bool // because the airline is the cause
}

// moveTo works out what moving an order to an offer costs. Conflict: the fare
// does not allow it.
//
// Where the airline is the cause, nothing is due. Before ticketing nothing was
// paid: the new price takes the place of the old. Afterwards it is the fee, the
// difference of the taxes, and the difference of the fares, which comes back
// only where the fare is refundable for nothing.
func (s *seller) moveTo(r record, q quote, o flight.Offer) (move, error) {
	m := move{offer: o, bill: s.bill(q), free: s.owes(r, o.Itinerary, q.at), ChangeOffer: flight.ChangeOffer{
		ID: "x" + strconv.Itoa(r.version) + "-" + o.ID, Itinerary: o.Itinerary, Baggage: o.Baggage, Terms: o.Terms,
		Penalty: gangway.Money{Currency: q.currency}, Emissions: o.Emissions, Expires: o.Expires,
	}}
	switch b, paid := m.bill, s.billOf(r); {
	case m.free:
		b.scaleTo(r.Price)
		m.Terms = r.Terms
		m.Terms.Splitting = len(b) > 1
	case r.Terms.Changes == gangway.NoChange:
		return m, errNoChange(r)
	case r.Status == flight.Ticketed:
		if r.Terms.Changes == gangway.PaidChange {
			m.Penalty = r.Terms.ChangeFee
		}
		if r.Terms.Cancellations != gangway.Refundable {
			b[0].Fare += max(0, paid.fares()-b.fares())
			if q.brand == marine {
				b[0].Fare += max(0, paid.total()-b.total()) // not a cent below what was paid, taxes and all
			}
		}
	}
	flights := m.bill.price(q.currency)
	m.NewPrice = gangway.PriceOf(flights.Fare, flights.Taxes, r.Price.Fees.Add(m.Penalty))
	m.Due = gangway.Money{Currency: q.currency}
	if r.Status == flight.Ticketed {
		m.Due = m.NewPrice.Total.Sub(r.Price.Total)
	}
	return m, nil
}

// priceChange returns a change offer that was made for the order as it stands
// and has not expired.
func (s *seller) priceChange(ctx context.Context, r record, id string) (move, error) {
	version, offer, ok := strings.Cut(strings.TrimPrefix(id, "x"), "-")
	if !ok {
		return move{}, errOffer
	}
	if err := s.changeable(r, s.now()); err != nil {
		return move{}, err
	}
	o, q, err := s.price(ctx, offer, r.ID)
	switch {
	case err != nil:
		return move{}, err
	case version != strconv.Itoa(r.version):
		return move{}, gangway.Errorf(gangway.Conflict, "the order has changed since this offer: look for other flights again")
	case q.brand != r.brand() || q.cabin != r.cabin() || q.currency != r.Price.Total.Currency:
		return move{}, errOffer
	}
	return s.moveTo(r, q, o)
}
