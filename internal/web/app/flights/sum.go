package flights

import (
	"gangway"
)

// A QuoteLine is an amount of a sum. The lines above a total make it, so that
// what is taken off has a minus; only a cancellation's parts have none, as
// their words say where each goes.
type QuoteLine struct {
	Words  string
	Amount gangway.Money
	Total  bool
}

// PriceSum shows what makes a price.
func PriceSum(p gangway.Price, total string) []QuoteLine {
	lines := []QuoteLine{{"Fare", p.Fare, false}, {"Taxes and charges", p.Taxes, false}}
	if !p.Fees.IsZero() {
		lines = append(lines, QuoteLine{"Fees", p.Fees, false})
	}
	return append(lines, QuoteLine{total, p.Total, true})
}

// AddMoney adds an amount to sums of which there is one for each currency.
func AddMoney(sums []gangway.Money, m gangway.Money) []gangway.Money {
	if m.Currency == "" {
		return sums
	}
	for i := range sums {
		if sums[i].Currency == m.Currency {
			sums[i] = sums[i].Add(m)
			return sums
		}
	}
	return append(sums, m)
}
