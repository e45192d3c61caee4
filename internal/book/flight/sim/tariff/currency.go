package tariff

import (
	"cmp"
	"maps"
	"slices"

	"gangway/internal/gangway"
)

// filed is the currency in which the simulated airlines file their fares.
const filed = "USD"

// rates lists what a dollar is worth in other currencies, in millionths. They are fixed, as of 30 October
// 2026, and illustrative: plausible, but no bank's.
var rates = map[string]int64{
	filed: 1_000_000,
	"AED": 3_672_500, "AUD": 1_527_300, "BRL": 5_412_000, "CAD": 1_384_600, "CHF": 804_200, "CNY": 7_118_400,
	"DKK": 6_441_500, "EUR": 863_200,
	"GBP": 752_900, "HKD": 7_783_100, "IDR": 16_480_000_000, "INR": 87_940_000, "JPY": 148_650_000,
	"KRW": 1_412_300_000, "KWD": 306_400,
	"MXN": 18_473_000, "NOK": 10_027_000, "PHP": 57_860_000, "PLN": 3_674_800, "QAR": 3_640_000, "SAR": 3_750_000,
	"SEK": 9_438_000,
	"SGD": 1_288_700, "TRY": 41_350_000, "ZAR": 17_412_000,
}

// HasRate reports whether there are prices in a currency, ISO 4217.
func HasRate(currency string) bool {
	_, ok := rates[currency]
	return ok
}

// Currencies are those with a rate, in the order of their codes.
func Currencies() []string { return slices.Sorted(maps.Keys(rates)) }

// CurrencyOf returns the currency in which prices are quoted when one is asked for: that one if there is a
// rate for it, else the one in which fares are filed.
func CurrencyOf(asked string) string {
	if HasRate(asked) {
		return asked
	}
	return filed
}

// InCurrency converts cents of a dollar into a currency that has a rate, rounded to its minor unit.
func InCurrency(cents int, currency string) gangway.Money {
	// Cents have two decimals. If the currency has more or fewer, so has the result.
	n, unit := int64(cents)*rates[currency], int64(1_000_000)
	for e := gangway.Exponent(currency); e > 2; e-- {
		n *= 10
	}
	for e := gangway.Exponent(currency); e < 2; e++ {
		unit *= 10
	}
	return gangway.Money{Minor: (n + unit/2) / unit, Currency: currency}
}

// apportion divides a total over shares, none of them negative, without losing a cent: what rounding leaves
// over goes to the shares that were cut most.
func apportion(total int64, shares []int64) []int64 {
	var sum int64
	for _, s := range shares {
		sum += s
	}
	out := make([]int64, len(shares))
	if sum == 0 {
		if len(out) > 0 {
			out[0] = total
		}
		return out
	}
	left := total
	byRest := make([]int, len(shares))
	for i, s := range shares {
		out[i] = total * s / sum
		left -= out[i]
		byRest[i] = i
	}
	slices.SortStableFunc(byRest, func(a, b int) int { return cmp.Compare(total*shares[b]%sum, total*shares[a]%sum) })
	for _, i := range byRest[:left] {
		out[i]++
	}
	return out
}
