package report

import (
	"fmt"
	"math/big"
	"slices"
	"strings"
)

// A late is what tickets cost beside those on the same route, at the same kind of fare, that were booked
// early. Only what has tickets of both times is compared, so that a far route that is always booked late is not taken
// for a dear one, nor a public fare for a late one.
type late struct {
	Currency string
	Early    int // from how many days ahead a booking is not late
	Chart    chart
	Rows     []lateRow
	Late     lateRow // all late ones together
	Left     string  // late tickets that nothing can be compared with; empty: none
	Any      bool
	Answer   string
	Address  string
}

// A lateRow is a range of days.
type lateRow struct {
	Words    string
	Tickets  int
	Spend    string
	Expected string // what as many cost alike that were booked early
	More     string // what they cost more; with its sign
	Percent  string
	sums     lateSums
}

type lateSums struct{ tickets, spend, expected *big.Rat }

// late works out what late booking cost.
func (a *asked) late() late {
	q := lateQuestion(a.page.Filters, a.currency)
	out := late{Currency: a.currency, Early: early, Address: a.address(q)}
	ranges := map[int]*lateSums{}
	for _, from := range aheads {
		ranges[from] = &lateSums{new(big.Rat), new(big.Rat), new(big.Rat)}
	}
	lateTickets := new(big.Rat) // on all routes
	var route []row
	compare := func() { // the tickets of one route and kind of fare
		tickets, spend := new(big.Rat), new(big.Rat)
		for _, r := range route {
			if r.count(3) >= early {
				tickets.Add(tickets, r.number(4))
				spend.Add(spend, r.number(5))
			} else {
				lateTickets.Add(lateTickets, r.number(4))
			}
		}
		if tickets.Sign() == 0 || len(route) == 0 || route[0].count(3) >= early {
			return
		}
		price := share(spend, tickets)
		for _, r := range route {
			s := ranges[r.count(3)]
			if s == nil {
				continue
			}
			s.tickets.Add(s.tickets, r.number(4))
			s.spend.Add(s.spend, r.number(5))
			s.expected.Add(s.expected, new(big.Rat).Mul(price, r.number(4)))
		}
	}
	for _, r := range a.ask(q) {
		if len(route) > 0 && !slices.Equal(route[0][:3], r[:3]) {
			compare()
			route = route[:0]
		}
		route = append(route, r)
	}
	compare()
	all := lateSums{new(big.Rat), new(big.Rat), new(big.Rat)}
	for _, from := range aheads {
		s := ranges[from]
		out.Rows = append(out.Rows, newLateRow(aheadWords(from), *s, a.currency))
		if from < early {
			all.tickets.Add(all.tickets, s.tickets)
			all.spend.Add(all.spend, s.spend)
			all.expected.Add(all.expected, s.expected)
		}
	}
	out.Late = newLateRow(fmt.Sprintf("All below %d", early), all, a.currency)
	if left := new(big.Rat).Sub(lateTickets, all.tickets); left.Sign() > 0 {
		out.Left = words(left, 0)
	}
	out.Any = all.tickets.Sign() > 0
	out.Answer = out.answer(lateTickets)
	if out.Any {
		out.draw()
	}
	return out
}

func newLateRow(title string, s lateSums, currency string) lateRow {
	more := new(big.Rat).Sub(s.spend, s.expected)
	row := lateRow{Words: title, Tickets: int(s.tickets.Num().Int64()), Spend: amount(s.spend, currency),
		Expected: amount(s.expected, currency), More: signed(more, amount(more, currency)), sums: s}
	if s.expected.Sign() > 0 {
		p := share(more, s.expected)
		row.Percent = signed(p, words(new(big.Rat).Mul(p, big.NewRat(100, 1)), 0)+" %")
	}
	return row
}

// signed writes what is more with a plus, and what is rounded to nothing without a sign.
func signed(n *big.Rat, text string) string {
	if strings.Trim(text, "−0., %") == "" {
		return strings.TrimPrefix(text, "−")
	}
	if n.Sign() > 0 {
		return "+" + text
	}
	return text
}

// answer says what the late tickets cost more that can be compared, and how many of all late ones these are.
func (l late) answer(all *big.Rat) string {
	if !l.Any {
		return fmt.Sprintf("No route has tickets at one kind of fare that were booked %d days ahead and others that "+
			"were booked later: there is nothing to compare.", early)
	}
	more := new(big.Rat).Sub(l.Late.sums.spend, l.Late.sums.expected)
	than := "more"
	if more.Sign() < 0 {
		than = "less"
	}
	return fmt.Sprintf("Of %s tickets booked less than %d days ahead, %d can be compared with earlier ones on the "+
		"same route at the same kind of fare: they cost %s %s %s (%s).", words(all, 0), early, l.Late.Tickets,
		l.Currency, amount(new(big.Rat).Abs(more), l.Currency), than, l.Late.Percent)
}

func (l *late) draw() {
	var columns []column
	for _, r := range l.Rows {
		c := column{name: briefDays(r.Words), title: r.Words + " days: no tickets"}
		if r.Percent != "" {
			p := share(new(big.Rat).Sub(r.sums.spend, r.sums.expected), r.sums.expected)
			c.parts, c.label = []part{{float(p) * 100, solid}}, r.Percent
			c.title = fmt.Sprintf("%s days: %s %s instead of %s", r.Words, l.Currency, r.Spend, r.Expected)
		}
		columns = append(columns, c)
	}
	l.Chart = draw("late", "Price beside early bookings of the same route and kind of fare", l.Answer, 460, columns,
		func(v float64) string { return short(v) + " %" })
}
