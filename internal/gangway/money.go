package gangway

import (
	"cmp"
	"strconv"
	"strings"
)

// Money is an amount in the minor units of its currency: 48200 USD is
// 482 dollars. It is never a float.
type Money struct {
	Minor    int64  `json:"minor"`
	Currency string `json:"ccy"` // ISO 4217
}

// Decimal returns the amount as a decimal number, as in "482.00".
func (m Money) Decimal() string {
	exp := Exponent(m.Currency)
	sign, n := "", m.Minor
	if n < 0 {
		sign, n = "-", -n
	}
	s := strconv.FormatInt(n, 10)
	if exp == 0 {
		return sign + s
	}
	if len(s) <= exp {
		s = strings.Repeat("0", exp-len(s)+1) + s
	}
	return sign + s[:len(s)-exp] + "." + s[len(s)-exp:]
}

// String returns the amount as people read it, as in "USD 482.00".
func (m Money) String() string { return m.Currency + " " + m.Decimal() }

// Words returns the amount as it is written in sentences, as in "USD 1,482.00".
func (m Money) Words() string {
	whole, decimals, found := strings.Cut(m.Decimal(), ".")
	if found {
		decimals = "." + decimals
	}
	return m.Currency + " " + Thousands(whole) + decimals
}

// Thousands writes the digits of a number as people read them, as in "−1,482".
func Thousands(digits string) string {
	sign := ""
	if strings.HasPrefix(digits, "-") {
		sign, digits = "−", digits[1:]
	}
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return sign + digits
}

// IsZero reports whether there is no amount.
func (m Money) IsZero() bool { return m.Minor == 0 }

// Add returns m + n, which must be in the same currency; a zero Money has none.
func (m Money) Add(n Money) Money {
	m.Currency = cmp.Or(m.Currency, n.Currency)
	return Money{Minor: m.Minor + n.Minor, Currency: m.Currency}
}

// Sub returns m - n, which must be in the same currency.
func (m Money) Sub(n Money) Money { return m.Add(Money{Minor: -n.Minor, Currency: n.Currency}) }

// ParseMoney reads "482.00 USD" or "USD 482.00".
func ParseMoney(s string) (Money, error) {
	a, b, ok := strings.Cut(strings.TrimSpace(s), " ")
	if !ok {
		return Money{}, Errorf(Invalid, "an amount needs a currency, as in %q", "500.00 USD")
	}
	if len(a) == 3 && a == strings.ToUpper(a) && a[0] >= 'A' {
		a, b = b, a
	}
	b = strings.ToUpper(strings.TrimSpace(b))
	if !currencies[b] {
		return Money{}, Errorf(Invalid, "%q is not a currency: give its code, as in %q", b, "500.00 USD")
	}
	exp := Exponent(b)
	whole, frac, _ := strings.Cut(strings.TrimSpace(a), ".")
	if whole == "" || whole == "-" {
		return Money{}, Errorf(Invalid, "%q is not an amount", a)
	}
	if len(frac) > exp {
		return Money{}, Errorf(Invalid, "%s has at most %d decimals", b, exp)
	}
	n, err := strconv.ParseInt(whole+frac+strings.Repeat("0", exp-len(frac)), 10, 64)
	if err != nil {
		return Money{}, Errorf(Invalid, "%q is not an amount", a)
	}
	return Money{Minor: n, Currency: b}, nil
}

// AddMoney adds an amount to sums. Each currency has one sum.
func AddMoney(sums []Money, m Money) []Money {
	if m.Currency == "" {
		return sums
	}
	for i := range sums {
		if sums[i].Currency == m.Currency {
			sums[i] = sums[i].Add(m)
			return sums
		}
	}
	return append(sums, m)
}
