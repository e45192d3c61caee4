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
	All, Live url.Values // of the lists of all bookings, and of those that stand
	Was       wasTotals
}

// wasTotals are the figures of the year before, each with how much more there is now; empty: there was none.
type wasTotals struct{ Of, Bookings, Co2, Km string }

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
	Paid      url.Values // of the list of bookings with tickets
	Given     url.Values // of those given back
	Was       string     // spend of the year before
	bookings  int
}

// currenciesShown is how many currencies stand beside each other; more are in the table, unless it is only one more.
const currenciesShown = 4

// totals works out the totals.
func (a *asked) totals() totals {
	q := totalsQuestion(a.page.Filters)
	t := totals{Address: a.address(q), Narrowed: a.page.More, Every: url.Values{"from": {""}, "to": {""}}}
	t.Unfounded = !t.Narrowed && a.page.From == "" && a.page.To == ""
	now, was := addUp(a.ask(q)), addUp(nil)
	if a.before != nil {
		was = addUp(a.before.answer(q, ""))
		t.Was = wasTotals{Of: a.year.words(),
			Bookings: wasWords(big.NewRat(int64(now.bookings), 1), big.NewRat(int64(was.bookings), 1), whole),
			Co2:      wasWords(now.co2, was.co2, func(n *big.Rat) string { return tonnes(n) + " t" }),
			Km:       wasWords(now.km, was.km, func(n *big.Rat) string { return words(n, 0) + " km" })}
	}
	t.Bookings, t.Standing = now.bookings, now.standing
	t.All, t.Live = behind(a.page.with(nil), ""), behind(a.page.with(nil), "standing")
	states, money, co2, km, dated, seconds := now.states, now.money, now.co2, now.km, now.dated, now.seconds
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
		total.Paid, total.Given = behind(total.At, "tickets"), behind(total.At, "given")
		if a.before != nil {
			spent := new(big.Rat)
			if before := was.money[currency]; before != nil {
				spent = before.spend
			}
			total.Was = wasWords(m.spend, spent, func(n *big.Rat) string { return amount(n, currency) })
		}
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

// An added is what the totals are made of.
type added struct {
	bookings, standing      int
	states                  map[gangway.State]int
	money                   map[string]*addedMoney
	co2, km, dated, seconds *big.Rat
}

type addedMoney struct{ bookings, tickets, spend, given, back, awaited *big.Rat }

// addUp adds up the answer to the question about totals.
func addUp(rows []row) added {
	t := added{states: map[gangway.State]int{}, money: map[string]*addedMoney{}, co2: new(big.Rat), km: new(big.Rat),
		dated: new(big.Rat), seconds: new(big.Rat)}
	for _, r := range rows {
		state, currency, refunded := gangway.State(r.text(0)), r.text(1), r.text(2)
		n := r.count(3)
		t.bookings += n
		t.states[state] += n
		if standing(state) {
			t.standing += n
		}
		t.co2.Add(t.co2, r.number(7))
		t.km.Add(t.km, r.number(8))
		t.dated.Add(t.dated, r.number(9))
		t.seconds.Add(t.seconds, r.number(10))
		if currency == "" {
			continue
		}
		m := t.money[currency]
		if m == nil {
			m = &addedMoney{new(big.Rat), new(big.Rat), new(big.Rat), new(big.Rat), new(big.Rat), new(big.Rat)}
			t.money[currency] = m
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
