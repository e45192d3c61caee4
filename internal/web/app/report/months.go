package report

import (
	"cmp"
	"fmt"
	"math/big"
	"net/url"
	"slices"
	"time"

	"gangway/internal/gangway"
	"gangway/internal/web/app/shell"
)

// Months are the figures of each month, and what became of the tickets of each that were given back.
type months struct {
	By       Basis
	Currency string
	Charts   []chart
	Rows     []monthRow // oldest first
	Before   *monthRow  // all months before those; nil: there are none
	Hatched  bool       // a month is not there as a whole
	Cut      int        // months that are in Before
	Address  string
}

// A monthRow is a month's line of the table.
type monthRow struct {
	month    gangway.Date // its first day
	Words    string
	Part     bool // not all of its days are reported
	At       url.Values
	Bookings int
	Tickets  int
	Spend    string
	Co2      string
	Was      *monthRow // of the same month a year before; nil: there is none
	Behind   url.Values
	Paid     url.Values // of the bookings with tickets in the currency
	sums     monthSums
}

// MonthSums are the exact figures of a month.
type monthSums struct{ bookings, tickets, spend, co2, given, back, awaited *big.Rat }

func noSums() monthSums {
	zero := func() *big.Rat { return new(big.Rat) }
	return monthSums{zero(), zero(), zero(), zero(), zero(), zero(), zero()}
}

// add adds the figures of other months.
func (s monthSums) add(o monthSums) {
	for _, n := range []struct{ into, more *big.Rat }{{s.bookings, o.bookings}, {s.tickets, o.tickets},
		{s.spend, o.spend}, {s.co2, o.co2}, {s.given, o.given}, {s.back, o.back}, {s.awaited, o.awaited}} {
		n.into.Add(n.into, n.more)
	}
}

// monthsShown is how many months charts have; those before are one line of the table.
const monthsShown = 36

// byMonth works out the figures of each month.
func (a *asked) byMonth() months {
	q := monthsQuestion(a.page.Filters, a.currency)
	m := months{By: a.page.By, Currency: a.currency, Address: a.address(q)}
	before, latest := noSums(), map[gangway.Date]monthSums{}
	var first, last gangway.Date
	for _, r := range a.ask(q) { // newest first
		if r[0] == nil || r[1] == nil {
			continue // the day is not known, which only departures are
		}
		sums := sumsOfMonth(r)
		month := gangway.Date(fmt.Sprintf("%04d-%02d-01", r.count(0), r.count(1)))
		last = cmp.Or(last, a.lastMonth(month))
		if month <= last.AddMonths(-monthsShown) {
			before.add(sums)
			m.Cut++
			continue
		}
		first, latest[month] = month, sums
	}
	if first == "" {
		a.returned = &returned{}
		return m
	}
	if f := a.page.From; f != "" && m.Cut == 0 {
		first = max(firstOfMonth(f), last.AddMonths(1-monthsShown))
	}
	was := a.was(q)
	for month := first; month <= last; month = month.AddMonths(1) {
		sums, there := latest[month]
		if !there {
			sums = noSums()
		}
		row := a.monthRow(month, sums)
		if r := was[string(month.AddMonths(-12)[:4])+"\x00"+string(month[5:7])]; r != nil {
			before := newMonthRow(sumsOfMonth(r), a.currency)
			row.Was = &before
		}
		m.Rows = append(m.Rows, row)
	}
	if m.Cut > 0 {
		row := newMonthRow(before, a.currency)
		row.Words = "Before " + m.Rows[0].Words
		m.Before = &row
	}
	m.Hatched = slices.ContainsFunc(m.Rows, func(r monthRow) bool { return r.Part })
	m.draw()
	r := newReturned(m.Rows, m.Before, a.currency)
	r.Address, a.returned = m.Address, &r
	return m
}

func sumsOfMonth(r row) monthSums {
	return monthSums{r.number(2), r.number(3), r.number(4), r.number(5), r.number(6), r.number(7), r.number(8)}
}

// lastMonth is the last month of the charts if that is the last one of the answer: with the empty ones behind it.
func (a *asked) lastMonth(answered gangway.Date) gangway.Date {
	end := a.today
	if a.page.To != "" && a.page.To < end {
		end = a.page.To
	}
	return max(answered, firstOfMonth(end))
}

func newMonthRow(sums monthSums, currency string) monthRow {
	return monthRow{Bookings: int(sums.bookings.Num().Int64()), Tickets: int(sums.tickets.Num().Int64()),
		Spend: amount(sums.spend, currency), Co2: tonnes(sums.co2), sums: sums}
}

func (a *asked) monthRow(month gangway.Date, sums monthSums) monthRow {
	row := newMonthRow(sums, a.currency)
	from, to := month, month.AddMonths(1).AddDays(-1)
	row.month, row.Words = month, month.In(time.UTC).Format("Jan 2006")
	row.Part = a.page.From > from || a.page.To != "" && a.page.To < to || a.page.By == ByBooking && a.today <= to
	row.At = a.page.with(url.Values{"from": {string(max(from, a.page.From))}, "to": {string(to)}})
	if a.page.To != "" && a.page.To < to {
		row.At.Set("to", string(a.page.To))
	}
	columns := columnsIn(a.currency)
	row.Paid, row.Behind = a.behindColumn(row.At, columns[0]), a.behindColumn(row.At, columns[2])
	return row
}

// draw makes the charts of the months.
func (m *months) draw() {
	for _, c := range []struct {
		id, title, unit string
		of              func(monthRow) *big.Rat
		words           func(monthRow) string
	}{
		{"month-spend", "Spend, " + m.Currency, "", func(r monthRow) *big.Rat { return r.sums.spend },
			func(r monthRow) string { return m.Currency + " " + r.Spend }},
		{"month-co2", "Emissions, tonnes CO₂e", "", func(r monthRow) *big.Rat {
			return new(big.Rat).Quo(r.sums.co2, big.NewRat(1000, 1))
		}, func(r monthRow) string { return r.Co2 + " t CO₂e" }},
		{"month-bookings", "Bookings", "", func(r monthRow) *big.Rat { return r.sums.bookings },
			func(r monthRow) string { return shell.Plural(r.Bookings, "booking", "bookings") }},
	} {
		columns := monthColumns(m.Rows, func(r monthRow) []part {
			fill := solid
			if r.Part {
				fill = hatched
			}
			return []part{{float(c.of(r)), fill}}
		}, c.words)
		m.Charts = append(m.Charts, draw(c.id, c.title, peak(m.Rows, c.title, c.of, c.words), 320, columns, short))
	}
}

// monthColumns makes a column of each month. Where there are many, only some have names and labels.
func monthColumns(rows []monthRow, parts func(monthRow) []part, title func(monthRow) string) []column {
	const few = 13
	totals := make([]float64, len(rows))
	for i, r := range rows {
		for _, p := range parts(r) {
			totals[i] += p.value
		}
	}
	has := labelled(totals, few)
	columns := make([]column, len(rows))
	for i, r := range rows {
		at := r.month.In(time.UTC)
		c := column{parts: parts(r), title: r.Words + ": " + title(r)}
		if r.Part {
			c.title += ", in part"
		}
		if has(i) && totals[i] != 0 {
			c.label = brief(totals[i])
		}
		if len(rows) <= few || at.Month()%3 == 1 {
			c.name = at.Format("Jan")
		}
		if i == 0 && len(rows) <= few && at.Month() < 12 || at.Month() == 1 {
			c.under = at.Format("2006")
		}
		columns[i] = c
	}
	return columns
}

// peak says in words what a chart of months shows.
func peak(rows []monthRow, title string, of func(monthRow) *big.Rat, words func(monthRow) string) string {
	top := slices.MaxFunc(rows, func(x, y monthRow) int { return of(x).Cmp(of(y)) })
	return fmt.Sprintf("%s of each month from %s to %s; the most in %s: %s.", title, rows[0].Words,
		rows[len(rows)-1].Words, top.Words, words(top))
}
