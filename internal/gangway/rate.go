package gangway

import (
	"fmt"
	"math/big"
	"regexp"
	"strings"
	"time"
)

// A Rate says what one unit of a currency is worth in another one, as an admin found it.
type Rate struct {
	From, Value, To string // "EUR", "1.0845", "USD"
	On              Date
	Source          string // who says so, as in "ECB"
}

// Words says by which rate an amount was converted: "at 1.0845 of 27 Nov 2026, ECB".
func (r Rate) Words() string { return "at " + r.Value + " of " + r.of() }

func (r Rate) of() string { return r.On.In(time.UTC).Format("2 Jan 2006") + ", " + r.Source }

// Rates are an account's, one a line, as in "1 EUR = 1.0845 USD, 27 Nov 2026, ECB".
type Rates string

// mostRates is how many rates an account can have.
const mostRates = 20

var rateLine = regexp.MustCompile(`^1 ([A-Z]{3}) = (\d{1,7}(?:\.\d{1,8})?) ([A-Z]{3}), ([^,]+), ([^,]{1,60})$`)

func readRate(line string, today Date) (r Rate, err error) {
	p := rateLine.FindStringSubmatch(strings.TrimSpace(line))
	if p == nil || !currencies[p[1]] || !currencies[p[3]] || p[1] == p[3] || strings.Trim(p[2], "0.") == "" {
		return Rate{}, Errorf(Invalid, "write a rate as in %q", "1 EUR = 1.0845 USD, 27 Nov 2026, ECB")
	}
	r = Rate{From: p[1], Value: p[2], To: p[3], Source: p[5]}
	if r.On, err = ReadDate(p[4], today, Nearest); err == nil && r.On > today {
		err = Errorf(Invalid, "the day is still to come")
	}
	return r, err
}

// ReadRates reads rates, one a line, by today's date.
func ReadRates(text string, today Date) (Rates, error) {
	lines, err := readLines(text, mostRates, func(line string) (pair, kept string, err error) {
		r, err := readRate(line, today)
		return r.From + r.To, "1 " + r.From + " = " + r.Value + " " + r.To + ", " + r.of(), err
	})
	return Rates(lines), err
}

// Convert returns m in another currency, rounded to its minor unit, halves away from zero, and the rate that was used:
// none where m is in that currency. ok is false where there is no rate.
func (r Rates) Convert(m Money, to string) (in Money, by Rate, ok bool) {
	if m.Currency == to {
		return m, Rate{}, true
	}
	for line := range strings.Lines(string(r)) {
		by, err := readRate(line, "9999-12-31")
		if err != nil || by.From != m.Currency || by.To != to {
			continue
		}
		value, _ := new(big.Rat).SetString(fmt.Sprintf("%se%d", by.Value, Exponent(to)-Exponent(m.Currency)))
		whole, _ := new(big.Int).SetString(value.Mul(value, big.NewRat(m.Minor, 1)).FloatString(0), 10)
		return Money{Minor: whole.Int64(), Currency: to}, by, whole.IsInt64()
	}
	return Money{}, Rate{}, false
}
