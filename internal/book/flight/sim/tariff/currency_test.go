package tariff

import (
	"testing"

	"pgregory.net/rapid"
)

func TestMoney(t *testing.T) {
	for _, tt := range []struct {
		cents    int
		currency string
		want     string
	}{
		{48200, "USD", "USD 482.00"}, {48200, "EUR", "EUR 416.06"}, {48200, "JPY", "JPY 71649"},
		{48200, "KWD", "KWD 147.685"},
		{48200, "IDR", "IDR 7943360.00"}, {1, "JPY", "JPY 1"}, {0, "GBP", "GBP 0.00"},
	} {
		if got := InCurrency(tt.cents, tt.currency).String(); got != tt.want {
			t.Errorf("%d cents are %s; want %s", tt.cents, got, tt.want)
		}
	}
}

func TestApportion(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		total := rapid.Int64Range(0, 1_000_000_00).Draw(t, "total")
		shares := rapid.SliceOfN(rapid.Int64Range(0, 10_000_00), 1, 12).Draw(t, "shares")
		var sum, back int64
		for _, s := range shares {
			sum += s
		}
		for i, n := range apportion(total, shares) {
			back += n
			if exact := float64(total) * float64(shares[i]) / float64(max(1, sum)); sum > 0 &&
				(float64(n) <= exact-1 || float64(n) >= exact+1) {
				t.Fatalf("share %d of %v is %d of %d; want %.2f, rounded up or down", i, shares, n, total, exact)
			}
		}
		if back != total {
			t.Fatalf("the shares add up to %d; want %d", back, total)
		}
	})
}
