package duffel

import (
	"slices"

	"gangway/internal/book/flight"
	"gangway/internal/gangway"
)

// An agreement is the price of an order after a change made through us. Duffel does not say
// whether an order's total includes penalties, nor what airlines keep of a dearer fare, so what
// was agreed and paid is stored here.
type agreement struct {
	Price  gangway.Price   `json:"price"`
	Totals []gangway.Money `json:"totals"` // the totals that Duffel may show for it
}

// price returns an order's price when Duffel shows p. A total that does not belong to the
// agreement was made at Duffel's own desk: it replaces the agreement, and the fees paid before
// remain paid.
func (a *agreement) price(p gangway.Price) gangway.Price {
	switch {
	case a == nil || p.Total.Currency != a.Price.Total.Currency:
		return p
	case slices.Contains(a.Totals, p.Total):
		return a.Price
	}
	return gangway.PriceOf(p.Fare, p.Taxes, a.Price.Fees)
}

// agreementOn returns an order's price after a change offer, with every total that Duffel may
// show for it: the new flights alone, with the penalty or all penalties, or for a while the old
// total.
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

// becomes works out the price of an order after a change: paid was paid for it before, its new
// flights cost total, and due is to be paid, of which a part is the airline's fee. The amounts
// actually paid count: what the airline keeps of a dearer fare counts as paid for the new
// flights. A fee that is not stated, or is in another currency, is whatever is due beyond the
// difference.
//
// Conflict: it is to be paid in another currency than the order was. The two cannot be added,
// so a person has to ask the airline.
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
	flights, taxes := paid.Flights().Add(due).Sub(penalty), paid.Taxes // Duffel does not state the new taxes
	if flights.Minor < 0 {
		return p, penalty, gangway.Errorf(gangway.Conflict,
			"the airline does not state clearly what this change costs: ask the airline")
	}
	if taxes.Minor >= flights.Minor {
		taxes.Minor = 0
	}
	return gangway.PriceOf(flights.Sub(taxes), taxes, paid.Fees.Add(penalty)), penalty, nil
}
