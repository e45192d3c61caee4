package bookings

import (
	"strings"

	"gangway/internal/book/flight"
	"gangway/internal/gangway"
	"gangway/internal/web/app/flights"
	"gangway/internal/web/app/shell"
)

func negated(m gangway.Money) gangway.Money {
	return gangway.Money{Minor: -m.Minor, Currency: m.Currency}
}

// A bookingMoney is what a booking's page says about money.
type bookingMoney struct {
	Lines []flights.QuoteLine // what it costs, or what was paid so far, by purpose
	Back  []flights.QuoteLine // after a cancellation: where what was paid went
	Words []string            // sentences
}

func newBookingMoney(b gangway.Booking) bookingMoney {
	if len(b.Payments) == 0 {
		m := bookingMoney{Lines: flights.PriceSum(b.Price, "Total")}
		if b.Live() {
			m.Words = []string{"Nothing is paid yet."}
		} else {
			m.Words = []string{"Nothing was paid."}
		}
		return m
	}
	m := bookingMoney{Lines: []flights.QuoteLine{{Words: "Fare", Amount: b.PaidFor(gangway.ForFare), Total: false},
		{Words: "Taxes and charges", Amount: b.PaidFor(gangway.ForTaxes), Total: false}}}
	for _, fee := range []struct {
		words string
		of    gangway.PaidFor
	}{{"Fees of changes", gangway.ForChange}, {"Service fee", gangway.ForService}} {
		if paid := b.PaidFor(fee.of); !paid.IsZero() {
			m.Lines = append(m.Lines, flights.QuoteLine{Words: fee.words, Amount: paid, Total: false})
		}
	}
	m.Lines = append(m.Lines, flights.QuoteLine{Words: "Paid so far", Amount: b.PaidSoFar(), Total: true})
	if !b.Live() {
		m.goneBack(b)
	}
	return m
}

// goneBack adds what a cancellation has refunded and will refund.
func (m *bookingMoney) goneBack(b gangway.Booking) {
	back, known := b.RefundTotal()
	if !known {
		m.Words = append(m.Words, "The refund is not known yet.")
		return
	}
	came, toCome := b.Returned(), gangway.Money{}
	if rest, _ := b.StillToCome(); !rest.IsZero() {
		toCome = rest
	}
	if kept, clear := b.Kept(); clear {
		if !came.IsZero() {
			m.Back = append(m.Back, flights.QuoteLine{Words: "Refunded", Amount: negated(came), Total: false})
		}
		if !toCome.IsZero() {
			m.Back = append(m.Back, flights.QuoteLine{Words: "Refund to come", Amount: negated(toCome),
				Total: false})
		}
		m.Back = append(m.Back, flights.QuoteLine{Words: keptWords(b), Amount: kept, Total: true})
	} else {
		m.Words = append(m.Words, shell.Amount(back)+" refunded; the cancellation fee is not known here.")
	}
	switch r := b.Refund; {
	case r == nil:
	case r.Void:
		m.Words = append(m.Words, "Voided: nothing was charged.")
	case !toCome.IsZero():
		m.Words = append(m.Words, shell.Amount(toCome)+" refund to come, asked for on "+
			r.AskedAt.UTC().Format(shell.LongUTC)+".")
	case !back.IsZero():
		m.Words = append(m.Words, shell.Amount(back)+" refunded on "+r.SettledAt.UTC().Format(shell.LongUTC)+".")
	default:
		m.Words = append(m.Words, "Non-refundable.")
	}
	if r := b.Refund; r != nil && r.Promised.Currency != "" && r.Promised != r.Amount {
		m.Words = append(m.Words, shell.Amount(r.Promised)+" was promised.")
	}
}

// changeSum shows what a change costs: what is due for it once there are tickets, and before that
// what will be paid with the tickets.
func changeSum(now, next gangway.Price, penalty, due gangway.Money, ticketed bool) []flights.QuoteLine {
	nothing := gangway.Money{Currency: now.Total.Currency}
	lines := []flights.QuoteLine{{Words: "New price, fare and taxes", Amount: next.Flights(), Total: false}}
	if !now.Fees.IsZero() {
		lines = append(lines, flights.QuoteLine{Words: "Fees so far", Amount: now.Fees, Total: false})
	}
	if !ticketed {
		return append(lines, flights.QuoteLine{Words: "Paid so far", Amount: nothing, Total: false},
			flights.QuoteLine{Words: "To pay with the tickets", Amount: next.Total, Total: true})
	}
	lines = append(lines, flights.QuoteLine{Words: "Change fee", Amount: nothing.Add(penalty), Total: false},
		flights.QuoteLine{Words: "Paid so far", Amount: negated(now.Total), Total: false})
	if due.Minor < 0 {
		return append(lines, flights.QuoteLine{Words: "Refund", Amount: due, Total: true})
	}
	return append(lines, flights.QuoteLine{Words: "To pay now", Amount: due, Total: true})
}

// cancelSum shows where the money goes when a booking with tickets is cancelled: what was paid, and
// the parts that are kept and refunded.
func cancelSum(b gangway.Booking, quote flight.CancelQuote) []flights.QuoteLine {
	paid := b.PaidSoFar()
	lines := []flights.QuoteLine{{Words: "Paid so far", Amount: paid, Total: false}}
	switch {
	case quote.Unknown:
		return lines
	case quote.Refund.Currency == paid.Currency && quote.Refund.Minor <= paid.Minor:
		lines = append(lines, flights.QuoteLine{Words: keptWords(b), Amount: paid.Sub(quote.Refund),
			Total: false})
	}
	return append(lines, flights.QuoteLine{Words: "Refund", Amount: quote.Refund, Total: true})
}

// keptWords names what the airline keeps of what was paid for a booking.
func keptWords(b gangway.Booking) string {
	if b.PaidFor(gangway.ForChange).IsZero() {
		return "Cancellation fee"
	}
	return "Cancellation and change fees"
}

// actionMoney describes the money that was paid or refunded with an action. It is empty if there was
// none.
func actionMoney(b gangway.Booking, a gangway.Action) string {
	var sum gangway.Money
	var parts []string
	made := b.Payments
	for _, p := range made {
		if p.Seq != a.Seq {
			continue
		}
		if p.For == gangway.ForRefund {
			return shell.Amount(negated(p.Amount)) + " refunded"
		}
		sum = sum.Add(p.Amount)
		parts = append(parts, string(p.For)+" "+shell.Amount(p.Amount))
	}
	switch {
	case len(parts) > 0 && sum.Minor < 0:
		return shell.Amount(negated(sum)) + " refunded: " + strings.Join(parts, ", ")
	case len(parts) > 0:
		return shell.Amount(sum) + " paid: " + strings.Join(parts, ", ")
	case a.Name == gangway.RefundPending && b.Refund != nil && (b.Refund.Awaited() || len(b.Payments) > 0):
		return refundWords(*b.Refund)
	case a.Name == gangway.ChangePending && a.Seq == b.Version && b.Change != nil && !b.Change.ByAirline:
		return dueWords(*b.Change)
	case a.Name == gangway.Cancelled && len(made) > 0 && b.Returned().IsZero():
		return "no refund"
	}
	return ""
}

// refundWords says what was promised when the refund was requested.
func refundWords(r gangway.Refund) string {
	switch {
	case r.Promised.Currency != "":
		return shell.Amount(r.Promised) + " refund promised"
	case r.Unknown || !r.SettledAt.IsZero():
		return "refund not known yet"
	}
	return shell.Amount(r.Amount) + " refund promised"
}

// dueWords says what a change that was chosen costs.
func dueWords(c gangway.PendingChange) string {
	words := shell.Amount(c.Due) + " to pay"
	switch {
	case c.Was != gangway.Issued:
		return shell.Amount(c.NewPrice.Total) + " to pay with the tickets"
	case c.Due.Minor < 0:
		words = shell.Amount(negated(c.Due)) + " to be refunded"
	}
	if !c.Penalty.IsZero() {
		words += ", with a fee of " + shell.Amount(c.Penalty)
	}
	return words
}
