package app

import (
	"strings"

	"gangway"
	"gangway/internal/book/flight"
	"gangway/internal/web/app/shell"
)

// A quoteLine is an amount of a sum. The lines above a total make it, so that
// what is taken off has a minus; only a cancellation's parts have none, as
// their words say where each goes.
type quoteLine struct {
	Words  string
	Amount gangway.Money
	Total  bool
}

func minus(m gangway.Money) gangway.Money {
	return gangway.Money{Minor: -m.Minor, Currency: m.Currency}
}

// priceSum shows what makes a price.
func priceSum(p gangway.Price, total string) []quoteLine {
	lines := []quoteLine{{"Fare", p.Fare, false}, {"Taxes and charges", p.Taxes, false}}
	if !p.Fees.IsZero() {
		lines = append(lines, quoteLine{"Fees", p.Fees, false})
	}
	return append(lines, quoteLine{total, p.Total, true})
}

// A bookingMoney is what a booking's page says about its money.
type bookingMoney struct {
	Lines []quoteLine // what it costs, or what was paid for it so far, by what it was for
	Back  []quoteLine // after a cancellation: where that went
	Words []string    // sentences
}

func newBookingMoney(b gangway.Booking) bookingMoney {
	if len(b.PaymentsMade()) == 0 {
		m := bookingMoney{Lines: priceSum(b.Price, "Total")}
		if b.Live() {
			m.Words = []string{"Nothing is paid yet."}
		} else {
			m.Words = []string{"Nothing was paid."}
		}
		return m
	}
	m := bookingMoney{Lines: []quoteLine{{"Fare", b.PaidFor(gangway.ForFare), false}, {"Taxes and charges", b.PaidFor(gangway.ForTaxes), false}}}
	for _, fee := range []struct {
		words string
		of    gangway.PaidFor
	}{{"Fees of changes", gangway.ForChange}, {"Service fee", gangway.ForService}} {
		if paid := b.PaidFor(fee.of); !paid.IsZero() {
			m.Lines = append(m.Lines, quoteLine{fee.words, paid, false})
		}
	}
	m.Lines = append(m.Lines, quoteLine{"Paid so far", b.PaidSoFar(), true})
	if !b.Live() {
		m.goneBack(b)
	}
	return m
}

// goneBack adds what a cancellation brought and brings.
func (m *bookingMoney) goneBack(b gangway.Booking) {
	back, known := b.RefundTotal()
	if !known {
		m.Words = append(m.Words, "It is not known yet what comes back.")
		return
	}
	came, toCome := b.Returned(), gangway.Money{}
	if rest, _ := b.StillToCome(); !rest.IsZero() {
		toCome = rest
	}
	if kept, clear := b.Kept(); clear {
		if !came.IsZero() {
			m.Back = append(m.Back, quoteLine{"Came back", minus(came), false})
		}
		if !toCome.IsZero() {
			m.Back = append(m.Back, quoteLine{"Still to come back", minus(toCome), false})
		}
		m.Back = append(m.Back, quoteLine{"Kept by the airline", kept, true})
	} else {
		m.Words = append(m.Words, shell.Amount(back)+" come back of what was paid; what is kept of it cannot be said here.")
	}
	switch r := b.Refund; {
	case r == nil:
	case r.Void:
		m.Words = append(m.Words, "The tickets were void: in the end nothing was charged.")
	case !toCome.IsZero():
		m.Words = append(m.Words, shell.Amount(toCome)+" is on its way back, asked for on "+r.AskedAt.UTC().Format("2 Jan 15:04 UTC")+".")
	case !back.IsZero():
		m.Words = append(m.Words, shell.Amount(back)+" came back on "+r.SettledAt.UTC().Format("2 Jan 15:04 UTC")+".")
	default:
		m.Words = append(m.Words, "Nothing comes back.")
	}
	if r := b.Refund; r != nil && r.Promised.Currency != "" && r.Promised != r.Amount {
		m.Words = append(m.Words, shell.Amount(r.Promised)+" were promised.")
	}
}

// changeSum shows what a change costs: after tickets what is to pay for it,
// before them what is then paid with the tickets.
func changeSum(now, next gangway.Price, penalty, due gangway.Money, ticketed bool) []quoteLine {
	nothing := gangway.Money{Currency: now.Total.Currency}
	lines := []quoteLine{{"New price, fare and taxes", next.Flights(), false}}
	if !now.Fees.IsZero() {
		lines = append(lines, quoteLine{"Fees so far", now.Fees, false})
	}
	if !ticketed {
		return append(lines, quoteLine{"Paid so far", nothing, false}, quoteLine{"To pay with the tickets", next.Total, true})
	}
	lines = append(lines, quoteLine{"The airline's fee", nothing.Add(penalty), false}, quoteLine{"Paid so far", minus(now.Total), false})
	if due.Minor < 0 {
		return append(lines, quoteLine{"Comes back", due, true})
	}
	return append(lines, quoteLine{"To pay now", due, true})
}

// cancelSum shows where the money goes that was paid for a booking with
// tickets, when it is cancelled: what was paid, and the two parts of it.
func cancelSum(b gangway.Booking, quote flight.CancelQuote) []quoteLine {
	paid := b.PaidSoFar()
	lines := []quoteLine{{"Paid so far", paid, false}}
	switch {
	case quote.Unknown:
		return lines
	case quote.Refund.Currency == paid.Currency && quote.Refund.Minor <= paid.Minor:
		lines = append(lines, quoteLine{"Kept by the airline", paid.Sub(quote.Refund), false})
	}
	return append(lines, quoteLine{"Comes back", quote.Refund, true})
}

// actionMoney says what money went with an action of a booking, in words;
// nothing when none did.
func actionMoney(b gangway.Booking, a gangway.Action) string {
	var sum gangway.Money
	var parts []string
	made := b.PaymentsMade()
	for _, p := range made {
		if p.Seq != a.Seq {
			continue
		}
		if p.For == gangway.ForRefund {
			return shell.Amount(minus(p.Amount)) + " came back"
		}
		sum = sum.Add(p.Amount)
		parts = append(parts, string(p.For)+" "+shell.Amount(p.Amount))
	}
	switch {
	case len(parts) > 0 && sum.Minor < 0:
		return shell.Amount(minus(sum)) + " came back: " + strings.Join(parts, ", ")
	case len(parts) > 0:
		return shell.Amount(sum) + " paid: " + strings.Join(parts, ", ")
	case a.Name == gangway.RefundPending && b.Refund != nil && (b.Refund.Awaited() || len(b.Payments) > 0):
		return refundWords(*b.Refund)
	case a.Name == gangway.ChangePending && a.Seq == b.Version && b.Change != nil && !b.Change.ByAirline:
		return dueWords(*b.Change)
	case a.Name == gangway.Cancelled && len(made) > 0 && b.Returned().IsZero():
		return "nothing comes back"
	}
	return ""
}

// refundWords says what was promised when a refund was asked for.
func refundWords(r gangway.Refund) string {
	switch {
	case r.Promised.Currency != "":
		return shell.Amount(r.Promised) + " promised back"
	case r.Unknown || !r.SettledAt.IsZero():
		return "what comes back was not known yet"
	}
	return shell.Amount(r.Amount) + " promised back"
}

// dueWords says what a change that was chosen costs.
func dueWords(c gangway.PendingChange) string {
	words := shell.Amount(c.Due) + " to pay"
	switch {
	case c.Was != gangway.Issued:
		return shell.Amount(c.NewPrice.Total) + " to pay with the tickets"
	case c.Due.Minor < 0:
		words = shell.Amount(minus(c.Due)) + " to come back"
	}
	if !c.Penalty.IsZero() {
		words += ", with a fee of " + shell.Amount(c.Penalty)
	}
	return words
}
