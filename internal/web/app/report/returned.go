package report

import (
	"fmt"
	"math/big"

	"gangway/internal/web/app/shell"
)

// A returned is what became of the money for tickets that were given back, by month.
type returned struct {
	Currency   string
	Chart      chart
	Rows       []returnedRow
	All        returnedRow
	Share      string // of what is known, that came back
	Any        bool
	HasAwaited bool
	Address    string
}

// A returnedRow is a month's line of the table.
type returnedRow struct {
	Words               string
	Part                bool   // not all of the month's days are reported
	Given               string // what the tickets cost
	Back, Kept, Awaited string
	Share               string // of what is known; empty if nothing is
}

// newReturned makes it of the figures of months, and of those before them if there are any.
func newReturned(rows []monthRow, before *monthRow, currency string) returned {
	r := returned{Currency: currency}
	all := noSums()
	if before != nil {
		all.add(before.sums)
		r.Rows = append(r.Rows, newReturnedRow(before.Words, before.sums, currency))
	}
	for _, m := range rows {
		all.add(m.sums)
		row := newReturnedRow(m.Words, m.sums, currency)
		row.Part = m.Part
		r.Rows = append(r.Rows, row)
	}
	r.All = newReturnedRow("All months", all, currency)
	r.Share = r.All.Share
	r.Any, r.HasAwaited = all.given.Sign() > 0 || all.awaited.Sign() > 0, all.awaited.Sign() > 0
	if !r.Any {
		return r
	}
	columns := monthColumns(rows, func(m monthRow) []part {
		return []part{{float(m.sums.back), solid}, {float(kept(m.sums)), hatched}, {float(m.sums.awaited), dotted}}
	}, func(m monthRow) string {
		row := newReturnedRow("", m.sums, currency)
		return fmt.Sprintf("%s %s came back, %s did not, %s is not known yet", currency, row.Back, row.Kept,
			row.Awaited)
	})
	desc := fmt.Sprintf("Of %s %s for tickets that were given back, %s came back or is promised, %s does not come "+
		"back, and of %s it is not known.", currency, r.All.Given, r.All.Back, r.All.Kept, r.All.Awaited)
	r.Chart = draw("returned", "Tickets given back, "+currency, desc, 560, columns, short)
	return r
}

func kept(s monthSums) *big.Rat { return new(big.Rat).Sub(s.given, s.back) }

func newReturnedRow(title string, s monthSums, currency string) returnedRow {
	row := returnedRow{Words: title, Given: amount(sum(s.given, s.awaited), currency), Back: amount(s.back, currency),
		Kept: amount(kept(s), currency), Awaited: amount(s.awaited, currency)}
	if s.given.Sign() > 0 {
		row.Share = percent(share(s.back, s.given))
	}
	return row
}

// Answer says in a sentence what came back.
func (r returned) Answer() string {
	if !r.Any {
		return "No ticket of these bookings was given back."
	}
	if r.Share == "" {
		return "It is not known yet what comes back."
	}
	return shell.Capital(r.Share + " of the price came back or is promised: " + r.Currency + " " + r.All.Back + ".")
}
