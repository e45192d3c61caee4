package report

import (
	"math"
	"math/big"
	"strconv"
	"strings"

	"gangway/internal/gangway"
)

// sum returns the sum of numbers.
func sum(list ...*big.Rat) *big.Rat {
	total := new(big.Rat)
	for _, n := range list {
		total.Add(total, n)
	}
	return total
}

// share returns part/whole; 0 of nothing.
func share(part, whole *big.Rat) *big.Rat {
	if whole.Sign() == 0 {
		return new(big.Rat)
	}
	return new(big.Rat).Quo(part, whole)
}

// words writes a number with so many decimals and its thousands apart: "12,345.60".
func words(n *big.Rat, decimals int) string {
	digits, rest, _ := strings.Cut(n.FloatString(decimals), ".")
	sign := ""
	if d, negative := strings.CutPrefix(digits, "-"); negative {
		sign, digits = "−", d
	}
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	if rest != "" {
		digits += "." + rest
	}
	return sign + digits
}

// amount writes money of a currency, without the currency: "12,345.60".
func amount(n *big.Rat, currency string) string { return words(n, gangway.Exponent(currency)) }

// tonnes writes kilograms as tonnes: "12.35".
func tonnes(kg *big.Rat) string { return words(new(big.Rat).Quo(kg, big.NewRat(1000, 1)), 2) }

// percent writes a share: "41 %". What is some and rounds to none, or not all and rounds to all, says so.
func percent(share *big.Rat) string {
	switch p := new(big.Rat).Mul(share, big.NewRat(100, 1)); {
	case p.Sign() > 0 && p.Cmp(big.NewRat(1, 1)) < 0:
		return "below 1 %"
	case p.Cmp(big.NewRat(99, 1)) > 0 && p.Cmp(big.NewRat(100, 1)) < 0:
		return "above 99 %"
	default:
		return words(p, 0) + " %"
	}
}

// short writes a number in a few characters for the label of a chart: "845", "12.3k", "1.2M".
func short(n float64) string {
	sign := ""
	if n < 0 {
		sign, n = "−", -n
	}
	unit := ""
	for _, u := range []string{"k", "M", "bn"} {
		if n < 999.5 {
			break
		}
		n, unit = n/1000, u
	}
	decimals := 0
	if n < 99.95 && (unit != "" || n != float64(int(n))) {
		decimals = 1
	}
	text := strconv.FormatFloat(n, 'f', decimals, 64)
	if strings.Contains(text, ".") {
		text = strings.TrimSuffix(text, ".0")
	}
	return sign + text + unit
}

// brief is short with two digits, for labels that stand side by side: "7.2", "12k", "1.2M".
func brief(n float64) string {
	size := math.Abs(n)
	unit := 1.0
	for size/unit >= 999.5 {
		unit *= 1000
	}
	if size/unit >= 9.95 {
		n = math.Round(n/unit) * unit
	}
	return short(n)
}

// float returns a number to draw with.
func float(n *big.Rat) float64 {
	f, _ := n.Float64()
	return f
}
