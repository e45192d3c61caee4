package report

import (
	"fmt"
	"math/big"

	"gangway/internal/web/app/shell"
)

// An ahead is how many days before departure bookings are made, and what their tickets cost then.
type ahead struct {
	Currency string
	Bookings chart
	Price    chart
	Priced   bool // there are tickets
	Rows     []aheadRow
	Answer   string
	Address  string
}

// An aheadRow is a range of days.
type aheadRow struct {
	Words    string
	Bookings int
	Share    string
	Tickets  int
	Spend    string
	Average  string // price of a ticket; empty without tickets
	bookings *big.Rat
	average  *big.Rat
}

// byDaysAhead works out how early bookings are made.
func (a *asked) byDaysAhead() ahead {
	q := aheadQuestion(a.page.Filters, a.currency)
	out := ahead{Currency: a.currency, Address: a.address(q)}
	all, lateOnes := new(big.Rat), new(big.Rat)
	found := map[int]row{}
	for _, r := range a.ask(q) {
		from := -1 // the day of departure is not known
		if r[0] != nil {
			from = r.count(0)
		}
		found[from] = r
		all.Add(all, r.number(1+bookingsAt))
		if from >= 0 && from < aheads[2] {
			lateOnes.Add(lateOnes, r.number(1+bookingsAt))
		}
	}
	for _, from := range append(aheads[:len(aheads):len(aheads)], -1) {
		r, there := found[from]
		if !there && from < 0 {
			continue
		}
		line := aheadRow{Words: aheadWords(from), bookings: new(big.Rat), average: new(big.Rat), Share: "0 %"}
		if there {
			tickets, spend := r.number(1+ticketsAt), r.number(1+spendAt)
			line.bookings, line.Bookings = r.number(1+bookingsAt), r.count(1+bookingsAt)
			line.Tickets = r.count(1 + ticketsAt)
			line.Share, line.Spend = percent(share(line.bookings, all)), amount(spend, a.currency)
			if line.Tickets > 0 {
				line.average = share(spend, tickets)
				line.Average = amount(line.average, a.currency)
				out.Priced = true
			}
		}
		out.Rows = append(out.Rows, line)
	}
	out.Answer = fmt.Sprintf("%s of bookings are made less than a week before departure.",
		percent(share(lateOnes, all)))
	out.draw()
	return out
}

func (out *ahead) draw() {
	var counts, prices []column
	for _, r := range out.Rows {
		counts = append(counts, column{name: briefDays(r.Words), parts: []part{{float(r.bookings), solid}},
			label: r.Share,
			title: r.Words + " days: " + shell.Plural(r.Bookings, "booking", "bookings") + ", " + r.Share})
		price := column{name: briefDays(r.Words), title: r.Words + " days: no tickets"}
		if r.Average != "" {
			price.parts = []part{{float(r.average), solid}}
			price.label = short(float(r.average))
			price.title = r.Words + " days: " + out.Currency + " " + r.Average + " on average"
		}
		prices = append(prices, price)
	}
	out.Bookings = draw("ahead-bookings", "Bookings by days ahead", out.Answer, 460, counts, short)
	out.Price = draw("ahead-price", "Average price of a ticket, "+out.Currency+", all routes", "The average price "+
		"of tickets in "+out.Currency+" by how many days before departure they were booked.", 460, prices, short)
}
