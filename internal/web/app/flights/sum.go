package flights

import (
	"slices"

	"gangway/internal/gangway"
)

// A QuoteLine is an amount of a sum. The lines above a total add up to it, so
// deductions have a minus. Only the parts of a cancellation have none, because their
// words say where each amount goes.
type QuoteLine struct {
	Words  string
	Amount gangway.Money
	Total  bool
}

// comesBack are words that already say which way the money goes.
var comesBack = []string{"Comes back", "Came back", "Still to come back"}

// Shown is the amount as it is printed: without a minus where the words say that the
// money comes back.
func (l QuoteLine) Shown() gangway.Money {
	if l.Amount.Minor < 0 && slices.Contains(comesBack, l.Words) {
		return gangway.Money{Minor: -l.Amount.Minor, Currency: l.Amount.Currency}
	}
	return l.Amount
}

// PriceSum lists the parts of a price.
func PriceSum(p gangway.Price, total string) []QuoteLine {
	lines := []QuoteLine{{"Fare", p.Fare, false}, {"Taxes and charges", p.Taxes, false}}
	if !p.Fees.IsZero() {
		lines = append(lines, QuoteLine{"Fees", p.Fees, false})
	}
	return append(lines, QuoteLine{total, p.Total, true})
}
