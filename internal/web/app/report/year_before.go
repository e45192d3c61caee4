package report

import (
	"math/big"
	"strings"

	"gangway/internal/gangway"
)

// yearBefore returns the filters for the same days a year before; not known: the days are open. Of days of booking only
// those up to today count.
func (f Filters) yearBefore(today gangway.Date) (before Filters, known bool) {
	if before = f; f.From == "" || f.To == "" {
		return before, false
	}
	if f.By == ByBooking {
		before.To = min(f.To, today)
	}
	before.From, before.To = f.From.AddMonths(-12), before.To.AddMonths(-12)
	return before, before.From <= before.To
}

// was returns the answer to a question for the year before, by the keys of its rows; nil: there is none.
func (a *asked) was(q question) map[string]row {
	if a.before == nil {
		return nil
	}
	rows, n := map[string]row{}, shapes[q.Of].keys
	for _, r := range a.before.answer(q, a.currency) {
		rows[keyOf(r[:n])] = r
	}
	return rows
}

func keyOf(keys row) string {
	var all []string
	for i := range keys {
		all = append(all, keys.text(i))
	}
	return strings.Join(all, "\x00")
}

// wasWords is a figure of the year before, and how much more it is now.
func wasWords(now, was *big.Rat, in func(*big.Rat) string) string {
	text := "a year before " + in(was)
	if was.Sign() != 0 {
		more := share(new(big.Rat).Sub(now, was), was)
		text += " (" + signed(more, words(new(big.Rat).Mul(more, big.NewRat(100, 1)), 0)+" %") + ")"
	}
	return text
}
