package gangway

import (
	"fmt"
	"strings"
	"testing"
)

// TestConvert: an amount is converted by the account's rate, to the minor unit, and only in the direction of the rate.
func TestConvert(t *testing.T) {
	const today = "2026-11-28"
	rates, err := ReadRates("1 EUR = 1.0845 USD, 27 nov, ECB\n\n1 JPY  =  0.0064 USD, 2026-11-27, Bank of Japan\r\n"+
		"1 USD = 3.75 BHD, 28 Nov 2026, CBB\n1 GBP = 9999999.99999999 USD, 1 Nov, us", today)
	again, wrong := ReadRates(string(rates), today)
	if err != nil || wrong != nil || again != rates || !strings.HasPrefix(string(rates),
		"1 EUR = 1.0845 USD, 27 Nov 2026, ECB\n1 GBP") {
		t.Fatalf("the rates are %q, %v; read again %q, %v", rates, err, again, wrong)
	}
	for _, tt := range []struct {
		m    Money
		to   string
		want int64
		ok   bool
	}{
		{Money{10000, "EUR"}, "USD", 10845, true},
		{Money{-10000, "EUR"}, "USD", -10845, true},
		{Money{1, "EUR"}, "USD", 1, true},
		{Money{1000, "EUR"}, "USD", 1085, true}, // 10.845
		{Money{-1000, "EUR"}, "USD", -1085, true},
		{Money{10000, "JPY"}, "USD", 6400, true},
		{Money{100, "USD"}, "BHD", 3750, true},
		{Money{5, "USD"}, "USD", 5, true},
		{Money{100, "USD"}, "EUR", 0, false},
		{Money{1 << 62, "GBP"}, "USD", 0, false},
	} {
		got, by, ok := rates.Convert(tt.m, tt.to)
		if ok != tt.ok || ok && (got != Money{tt.want, tt.to} || (by != Rate{}) != (tt.m.Currency != tt.to)) {
			t.Errorf("%v is %v %s, %t by %v; want %d", tt.m, got, tt.to, ok, by, tt.want)
		}
	}
	if _, by, _ := rates.Convert(Money{1, "EUR"}, "USD"); by.Words() != "at 1.0845 of 27 Nov 2026, ECB" {
		t.Errorf("it says %q", by.Words())
	}
	var many strings.Builder
	for i := range 21 {
		fmt.Fprintf(&many, "1 %s = 1 USD, 27 Nov, ECB\n", strings.Fields(inUse)[i])
	}
	for _, wrong := range []string{"1 USD = 1 USD, 27 Nov, ECB", "1 EUX = 1 USD, 27 Nov, ECB",
		"1 EUR = 0 USD, 27 Nov, ECB", "1 EUR = 1 USD, 27 Nov, ",
		"1 EUR = 0.00 USD, 27 Nov, ECB", "1 EUR = 1,08 USD, 27 Nov, ECB", "2 EUR = 1 USD, 27 Nov, ECB",
		"1 EUR = 1 USD, 29 Nov 2026, ECB", "1 EUR = 1 USD, lately, ECB", "1 EUR = 1 USD, 27 Nov",
		"1 EUR = 1 USD, 27 Nov, ECB\n1 EUR = 2 USD, 27 Nov, ECB", many.String()} {
		if got, err := ReadRates(wrong, today); KindOf(err) != Invalid {
			t.Errorf("%.60q is read as %q, %v", wrong, got, err)
		}
	}
}
