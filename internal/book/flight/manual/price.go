package manual

import (
	"gangway/internal/book/flight"
	"gangway/internal/gangway"
)

// withFare returns a price whose parts add up to its total: whatever is not taxes or fees
// is the fare.
func withFare(p gangway.Price) gangway.Price {
	return gangway.PriceOf(p.Total.Sub(p.Taxes).Sub(p.Fees), gangway.Money{Currency: p.Total.Currency}.Add(p.Taxes),
		p.Fees)
}

// price works out what an order costs after a change that was entered: the new flights, and
// the fees, among them whatever was paid beyond the difference. Before tickets nothing has
// been paid, so there is no fee.
func (r record) price(change flight.Entry) (gangway.Price, error) {
	change.Price.Fees = gangway.Money{} // the flights alone
	was, is, due := r.Price, withFare(change.Price), change.Due
	if is.Total.Currency != was.Total.Currency || due.Currency != "" && due.Currency != was.Total.Currency {
		return is, gangway.Errorf(gangway.Invalid, "the booking is in %s: enter what the change cost in this currency",
			was.Total.Currency)
	}
	fee := due.Sub(is.Total.Sub(was.Flights()))
	switch {
	case r.Status == flight.Held && !due.IsZero():
		return is, gangway.Errorf(gangway.Invalid, "there are no tickets yet: the new price is paid when they are "+
			"issued, and nothing for the change")
	case r.Status == flight.Held:
		fee = gangway.Money{}
	case fee.Minor < 0:
		return is, gangway.Errorf(gangway.Invalid, "the flights cost %s and now cost %s: the change cost at least %s",
			was.Flights(), is.Total, is.Total.Sub(was.Flights()))
	}
	return gangway.PriceOf(is.Fare, is.Taxes, was.Fees.Add(fee)), nil
}
