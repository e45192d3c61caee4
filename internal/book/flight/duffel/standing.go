package duffel

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"gangway/internal/book/flight"
	"gangway/internal/gangway"
)

// ticketsTake is how long tickets may come after their payment. By then, airlines that issue
// none are taken to have done all that they do.
const ticketsTake = 15 * time.Minute

// fromWire turns an order into ours. What Duffel does not repeat from the offer stays as it was
// seen before.
func (s *Seller) fromWire(r record, w wireOrder) (flight.Order, error) {
	it, err := itinerary(w.Slices)
	if err != nil {
		return flight.Order{}, err
	}
	price, err := price(w.Total, w.TotalCurrency, w.Base, w.BaseCurrency)
	if err != nil {
		return flight.Order{}, err
	}
	price = r.Agreed.price(price)
	terms, err := terms(w.Conditions, w.Slices, price.Total.Currency)
	if err != nil {
		return flight.Order{}, err
	}
	terms.FareType = r.Seen.Terms.FareType
	order := flight.Order{
		ID: orderPrefix + r.Reference, Reference: r.Reference,
		PricedItinerary: gangway.PricedItinerary{Itinerary: it, Baggage: baggage(w.Slices), Terms: terms, Price: price},
		Plating:         w.Owner.code(), VoidUntil: instant(w.VoidUntil), Tickets: tickets(w),
		Changes: slices.Clone(r.Seen.Changes),
	}
	if w.Reference != "" {
		order.PNRs = []string{w.Reference}
	}
	order.Emissions = flight.Estimate(s.Factors, &order.Itinerary)
	if sameFlights(it, r.Seen.Itinerary) {
		order.Emissions = r.Seen.Emissions
	}
	for _, n := range w.Notices {
		if textOf(n.Taken) == "accepted" && !slices.Contains(order.Changes, n.ID) {
			order.Changes = append(order.Changes, n.ID)
		}
	}
	order.HoldUntil = instant(w.Payment.RequiredBy)
	if order.HoldUntil.IsZero() {
		order.HoldUntil = r.Seen.HoldUntil
	}
	order.TicketBy = order.HoldUntil
	order.PriceUntil = r.Seen.PriceUntil
	if w.Payment.Awaiting {
		order.PriceUntil = s.guaranteed(r, w, order.TicketBy)
	}
	switch order.Status = s.status(r, w, order); order.Status {
	case flight.Withdrawn:
		order.Refund, err = s.refund(w, price.Total)
	case flight.Held, flight.Ticketed:
		order.Notice, err = s.notice(w)
	}
	return order, err
}

// guaranteed returns until when an unpaid order's price is guaranteed: if it is not at all, until
// the moment of the hold.
func (s *Seller) guaranteed(r record, w wireOrder, ticketBy time.Time) time.Time {
	if w.Payment.Guarantee == nil {
		return r.Made
	}
	return s.priceUntil(w.Payment.Guarantee, ticketBy)
}

// status returns the status of an order. Duffel expects no payment both when it was paid and when
// it has lapsed: only a payment or a ticket tells the two apart.
func (s *Seller) status(r record, w wireOrder, order flight.Order) flight.Status {
	paid := w.Payment.PaidAt != nil
	switch {
	case w.CancelledAt != nil, r.GivenUp:
		return flight.Withdrawn
	case !w.Payment.Awaiting && len(order.Tickets) > 0:
		return flight.Ticketed
	case paid && s.now().Sub(*w.Payment.PaidAt) < ticketsTake:
		return flight.Pending
	case paid:
		return flight.Ticketed // by an airline that issues no tickets
	case !w.Payment.Awaiting, !order.HoldUntil.IsZero() && !s.now().Before(order.HoldUntil):
		return flight.Lapsed
	}
	return flight.Held
}

// tickets returns the numbers of an order's tickets.
func tickets(w wireOrder) []string {
	var numbers []string
	for _, d := range w.Documents {
		if d.Type != "electronic_ticket" {
			continue
		}
		digits := strings.Map(func(r rune) rune {
			if r < '0' || r > '9' {
				return -1
			}
			return r
		}, d.Number)
		if len(digits) == 13 {
			numbers = append(numbers, digits)
		}
	}
	return numbers
}

// refund returns the refund for a cancelled order, nil if there is none. Money that goes to the
// account with Duffel is there as soon as Duffel shows the cancellation; for other ways Duffel
// does not say when it arrives.
func (s *Seller) refund(w wireOrder, paid gangway.Money) (*gangway.Refund, error) {
	c := w.Cancellation
	if c == nil || c.RefundTo == "awaiting_payment" || c.RefundTo == "airline_credits" || c.RefundTo == "voucher" {
		return nil, nil
	}
	asked := instant(w.CancelledAt)
	if c.Refund == nil {
		return &gangway.Refund{Amount: gangway.Money{Currency: paid.Currency}, Unknown: true, AskedAt: asked}, nil
	}
	back, err := amount(*c.Refund, currencyOr(c.Currency, paid.Currency))
	if err != nil {
		return nil, err
	}
	if back.IsZero() {
		return nil, nil
	}
	refund := &gangway.Refund{Amount: back, AskedAt: asked, Void: back == paid && w.VoidUntil != nil &&
		asked.Before(*w.VoidUntil)}
	if c.RefundTo == "balance" || refund.Void {
		refund.SettledAt = asked
	}
	return refund, nil
}

func currencyOr(c *string, other string) string { return cmp.Or(textOf(c), other) }

func sameFlights(a, b gangway.Itinerary) bool {
	return slices.EqualFunc(a.Segments, b.Segments, func(x, y gangway.Segment) bool {
		return x.FlightNumber == y.FlightNumber && x.Departure.Equal(y.Departure) && x.Arrival.Equal(y.Arrival)
	})
}
