package duffel

import (
	"slices"

	"gangway"
	"gangway/internal/book/flight"
)

// An agreement is what a change through here has made of an order's price. Of
// an order's total Duffel does not say whether penalties are in it, nor does it
// say what airlines keep of a dearer fare, so that what was agreed and paid is
// kept here.
type agreement struct {
	Price  gangway.Price   `json:"price"`
	Totals []gangway.Money `json:"totals"` // what Duffel may call it
}

// price returns an order's price, of which Duffel says p. Another total than
// any that means what was agreed was made at Duffel's own desk: it counts, and
// the fees paid before stay paid.
func (a *agreement) price(p gangway.Price) gangway.Price {
	switch {
	case a == nil || p.Total.Currency != a.Price.Total.Currency:
		return p
	case slices.Contains(a.Totals, p.Total):
		return a.Price
	}
	return gangway.PriceOf(p.Fare, p.Taxes, a.Price.Fees)
}

// agreementOn returns what an order's price is after a change offer, however Duffel
// shows it: as the new flights cost, with the penalty or all penalties in it,
// or for a while as it was.
func agreementOn(o flight.ChangeOffer, w wireChangeOffer, was wireOrder) (*agreement, error) {
	flights, err := amount(textOf(w.New), w.NewCurrency)
	if err != nil {
		return nil, err
	}
	before, err := amount(was.Total, was.TotalCurrency)
	if err != nil {
		return nil, err
	}
	return &agreement{o.Price, []gangway.Money{flights, flights.Add(o.Penalty), flights.Add(o.Price.Fees),
		before}}, nil
}

// becomes works out what a change makes of the price of an order for which so
// much was paid, when its new flights cost total and due is to pay, and how much
// of that is the airline's fee. What is paid in all counts: what the airline
// keeps of a dearer fare is paid for the new flights. A fee that is not stated,
// or is in another currency than all else, is what is asked for beyond the difference.
//
// Conflict: it is to be paid in another currency than the order was. The two
// cannot be added, so a person has to ask the airline.
func (c wireChangeOffer) becomes(paid gangway.Price, total,
	due gangway.Money) (p gangway.Price, penalty gangway.Money, err error) {
	in := paid.Total.Currency
	if total.Currency != in || due.Currency != in {
		return p, penalty, gangway.Errorf(gangway.Conflict,
			"the airline asks for %s for this change, and the order was paid in %s: ask the airline", due.Currency, in)
	}
	stated, currency := c.Penalty, c.PenaltyCurrency
	if stated == nil {
		stated, currency = c.Fee, c.FeeCurrency
	}
	if stated != nil && currencyOr(currency, in) == in {
		penalty, err = amount(*stated, in)
	} else {
		penalty = due.Sub(total.Sub(paid.Flights()))
		penalty.Minor = max(0, penalty.Minor)
	}
	if err != nil {
		return p, penalty, err
	}
	flights, taxes := paid.Flights().Add(due).Sub(penalty), paid.Taxes // Duffel does not say what of it are taxes
	if flights.Minor < 0 {
		return p, penalty, gangway.Errorf(gangway.Conflict,
			"the airline does not say plainly what this change costs: ask the airline")
	}
	if taxes.Minor >= flights.Minor {
		taxes.Minor = 0
	}
	return gangway.PriceOf(flights.Sub(taxes), taxes, paid.Fees.Add(penalty)), penalty, nil
}
