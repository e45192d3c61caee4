package sim

import (
	"testing"

	"pgregory.net/rapid"

	"gangway"
)

func TestMoney(t *testing.T) {
	for _, tt := range []struct {
		cents    int
		currency string
		want     string
	}{
		{48200, "USD", "USD 482.00"}, {48200, "EUR", "EUR 416.06"}, {48200, "JPY", "JPY 71649"}, {48200, "KWD", "KWD 147.685"},
		{48200, "IDR", "IDR 7943360.00"}, {1, "JPY", "JPY 1"}, {0, "GBP", "GBP 0.00"},
	} {
		if got := money(tt.cents, tt.currency).String(); got != tt.want {
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
			if exact := float64(total) * float64(shares[i]) / float64(max(1, sum)); sum > 0 && (float64(n) <= exact-1 || float64(n) >= exact+1) {
				t.Fatalf("share %d of %v is %d of %d; want %.2f, up or down to a whole one", i, shares, n, total, exact)
			}
		}
		if back != total {
			t.Fatalf("the shares make %d; want %d", back, total)
		}
	})
}

// TestCurrency holds that prices are the same whatever they are quoted in, and
// that not a cent is lost on the way.
func TestCurrency(t *testing.T) {
	n := network(t)
	ask := crew(gangway.Leg{Origin: "MNL", Destination: "AMS", Date: "2026-12-20"})
	dollars := find(t, n, ask)
	if len(dollars) == 0 {
		t.Fatal("nothing found")
	}
	for currency := range rates {
		ask.Currency = currency
		offers := find(t, n, ask)
		if len(offers) != len(dollars) {
			t.Fatalf("%d offers in %s; want %d", len(offers), currency, len(dollars))
		}
		for i, o := range offers {
			want := money(int(dollars[i].Price.Total.Minor), currency)
			if p := o.Price; p.Total != want || p.Fare.Add(p.Taxes) != p.Total || p.Fare.Currency != currency || p.Taxes.Currency != currency {
				t.Fatalf("%s costs %+v; want %s in all", o.ID, p, want)
			}
			if fee := dollars[i].Terms.ChangeFee; !fee.IsZero() && o.Terms.ChangeFee != money(int(fee.Minor), currency) {
				t.Fatalf("%s: change fee %s; want %s in %s", o.ID, o.Terms.ChangeFee, fee, currency)
			}
			q, err := n.quoteOf(o.ID)
			if err != nil || n.offer(q).Price != o.Price {
				t.Fatalf("%s read again: %v", o.ID, err)
			}
		}
	}
	for _, unknown := range []string{"XYZ", "eur", "-"} {
		ask.Currency = unknown
		if o := find(t, n, ask)[0]; o.Price.Total.Currency != "USD" {
			t.Errorf("asked for %s: %s; want dollars", unknown, o.Price.Total)
		}
	}
}
