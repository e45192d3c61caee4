package report

import (
	"cmp"
	"math/big"
	"net/url"
	"slices"
	"strings"

	"gangway/internal/gangway"
	"gangway/internal/web/app/shell"
)

// Totals are the figures of all bookings that are reported.
type totals struct {
	Bookings  int
	States    []stateTotal
	Money     []moneyTotal // of each currency, the one with the most tickets first
	Currency  string       // that the charts are in: the chosen one, or the first of them
	Co2, Km   string       // of the bookings that stand
	Standing  int
	Ahead     string // the average of days between booking and departure; empty if none is known
	Address   string
	Narrowed  bool       // filters besides the days are set
	Every     url.Values // the address of a report of all bookings
	Unfounded bool       // there are none on any day
}

// A stateTotal is how many bookings are in a state.
type stateTotal struct {
	Words string
	Count int
	Share string
	At    url.Values // of the report for that state
}

// A moneyTotal is the money in one currency.
type moneyTotal struct {
	Currency  string
	Tickets   int
	Spend     string
	Net       string     // spend without what came back or is promised
	Charted   bool       // the charts are in it
	Chart     url.Values // the address of the page with charts in it
	Cancelled string     // what the cancelled tickets cost of which the refund is known; empty if there are none
	Back      string     // what of that came back, or is promised
	Share     string
	Awaited   string // what the tickets cost of which the refund is not known yet; empty if there are none
	At        url.Values
	bookings  int
}

// currenciesShown is how many currencies stand beside each other; more are in the table, unless it is only one more.
const currenciesShown = 4

// totals works out the totals.
func (a *asked) totals() totals {
	q := totalsQuestion(a.page.Filters)
	t := totals{Address: a.address(q), Narrowed: a.page.More, Every: url.Values{"from": {""}, "to": {""}}}
	t.Unfounded = !t.Narrowed && a.page.From == "" && a.page.To == ""
	type sums struct{ bookings, tickets, spend, given, back, awaited *big.Rat }
	states, money := map[gangway.State]int{}, map[string]*sums{}
	co2, km, dated, seconds := new(big.Rat), new(big.Rat), new(big.Rat), new(big.Rat)
	for _, r := range a.ask(q) {
		state, currency, refunded := gangway.State(r.text(0)), r.text(1), r.text(2)
		n := r.count(3)
		t.Bookings += n
		states[state] += n
		if standing(state) {
			t.Standing += n
		}
		co2.Add(co2, r.number(7))
		km.Add(km, r.number(8))
		dated.Add(dated, r.number(9))
		seconds.Add(seconds, r.number(10))
		if currency == "" {
			continue
		}
		m := money[currency]
		if m == nil {
			m = &sums{new(big.Rat), new(big.Rat), new(big.Rat), new(big.Rat), new(big.Rat), new(big.Rat)}
			money[currency] = m
		}
		m.bookings.Add(m.bookings, r.number(3))
		m.tickets.Add(m.tickets, r.number(4))
		m.spend.Add(m.spend, r.number(5))
		if state == gangway.Cancelled || state == gangway.RefundPending {
			switch refunded {
			case currency:
				m.given.Add(m.given, r.number(5))
				m.back.Add(m.back, r.number(6))
			case "":
				m.awaited.Add(m.awaited, r.number(5))
			}
		}
	}
	all := big.NewRat(int64(max(t.Bookings, 1)), 1)
	for _, s := range gangway.States {
		if n := states[s]; n > 0 {
			t.States = append(t.States, stateTotal{stateWords(s), n, percent(share(big.NewRat(int64(n), 1), all)),
				a.page.with(url.Values{"state": {string(s)}})})
		}
	}
	for currency, m := range money {
		total := moneyTotal{Currency: currency, Tickets: int(m.tickets.Num().Int64()),
			Spend: amount(m.spend, currency), Net: amount(new(big.Rat).Sub(m.spend, m.back), currency),
			Chart:    a.page.with(url.Values{"money": {currency}}),
			At:       a.page.with(url.Values{"currency": {currency}}),
			bookings: int(m.bookings.Num().Int64())}
		if m.given.Sign() > 0 {
			total.Cancelled, total.Back = amount(m.given, currency), amount(m.back, currency)
			total.Share = percent(share(m.back, m.given))
		}
		if m.awaited.Sign() > 0 {
			total.Awaited = amount(m.awaited, currency)
		}
		t.Money = append(t.Money, total)
	}
	slices.SortFunc(t.Money, func(x, y moneyTotal) int {
		return cmp.Or(y.Tickets-x.Tickets, y.bookings-x.bookings, cmp.Compare(x.Currency, y.Currency))
	})
	if len(t.Money) > 0 {
		charted := max(0, slices.IndexFunc(t.Money, func(m moneyTotal) bool { return m.Currency == a.page.Money }))
		t.Money[charted].Charted, t.Currency = true, t.Money[charted].Currency
	}
	t.Co2, t.Km = tonnes(co2), words(km, 0)
	if dated.Sign() > 0 {
		t.Ahead = words(share(seconds, new(big.Rat).Mul(dated, big.NewRat(24*3600, 1))), 1)
	}
	return t
}

// Shown are the currencies that stand beside each other.
func (t totals) Shown() []moneyTotal {
	if len(t.Money) > currenciesShown+1 {
		return t.Money[:currenciesShown]
	}
	return t.Money
}

// More are the currencies that are only in the table.
func (t totals) More() []moneyTotal { return t.Money[len(t.Shown()):] }

// stateWords names a state.
func stateWords(s gangway.State) string {
	return shell.Capital(strings.ReplaceAll(string(s), "_", " "))
}
