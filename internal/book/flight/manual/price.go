package manual

import (
	"gangway"
	"gangway/internal/book/flight"
)

// withFare returns a price whose parts make its total: what is not said to be
// taxes or fees is the fare.
func withFare(p gangway.Price) gangway.Price {
	return gangway.PriceOf(p.Total.Sub(p.Taxes).Sub(p.Fees), gangway.Money{Currency: p.Total.Currency}.Add(p.Taxes),
		p.Fees)
}

// price works out what an order costs after a change that was entered: the new
// flights, and the fees, to which comes what was paid beyond the difference.
// Before tickets nothing is paid, so that there is no fee.
func (r record) price(change flight.Entry) (gangway.Price, error) {
	change.Price.Fees = gangway.Money{} // the flights alone
	was, is, due := r.Price, withFare(change.Price), change.Due
	if is.Total.Currency != was.Total.Currency || due.Currency != "" && due.Currency != was.Total.Currency {
		return is, gangway.Errorf(gangway.Invalid, "the booking is in %s: enter what the change cost in it",
			was.Total.Currency)
	}
	fee := due.Sub(is.Total.Sub(was.Flights()))
	switch {
	case r.Status == flight.Held && !due.IsZero():
		return is, gangway.Errorf(gangway.Invalid, "there are no tickets yet: what the flights cost now is paid with "+
			"them, and nothing for the change")
	case r.Status == flight.Held:
		fee = gangway.Money{}
	case fee.Minor < 0:
		return is, gangway.Errorf(gangway.Invalid, "the flights cost %s and now %s: the change cost at least %s",
			was.Flights(), is.Total, is.Total.Sub(was.Flights()))
	}
	return gangway.PriceOf(is.Fare, is.Taxes, was.Fees.Add(fee)), nil
}
