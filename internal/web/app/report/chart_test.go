package report

import (
	"math/big"
	"testing"
)

// TestDraw holds that columns are as high as their values, stand on the line of nothing and stay within the chart.
func TestDraw(t *testing.T) {
	one := func(v float64) column { return column{parts: []part{{v, solid}}} }
	for name, columns := range map[string][]column{
		"positive": {one(10), one(20), one(0)}, "below nothing": {one(30), one(-12)}, "none": {one(0)},
		"on each other": {{parts: []part{{5, solid}, {7, hatched}, {8, dotted}}}, one(20)},
		"tiny":          {one(1e-9), one(2e-9)}, "large": {one(9e15), one(1)},
	} {
		t.Run(name, func(t *testing.T) {
			c := draw("id", "title", "desc", 400, columns, short)
			scale := 0.0
			for i, col := range c.Columns {
				if col.X < c.Left || col.X+col.Width > c.Right {
					t.Errorf("column %d is from %v to %v; the chart is from %v to %v", i, col.X, col.X+col.Width,
						c.Left, c.Right)
				}
				height, total := 0.0, 0.0
				for _, p := range col.Parts {
					if p.Y < 0 || p.Y+p.Height > c.Height {
						t.Errorf("a part of column %d is at %v, %v high", i, p.Y, p.Height)
					}
					height += p.Height
				}
				for _, p := range columns[i].parts {
					total += max(p.value, -p.value)
				}
				if total == 0 {
					continue
				}
				if scale == 0 {
					scale = height / total
				}
				if want := max(total*scale, 0.5); height < want-1 || height > want+1 {
					t.Errorf("column %d of %v is %v high; want %v", i, total, height, want)
				}
			}
			for i := 1; i < len(c.Ticks); i++ {
				if c.Ticks[i].Y >= c.Ticks[i-1].Y {
					t.Errorf("the ticks are at %v", c.Ticks)
				}
			}
			if n := len(c.Ticks); n < 2 || n > 6 {
				t.Errorf("there are %d ticks", n)
			}
		})
	}
}

// TestShort holds what labels say in few characters.
func TestShort(t *testing.T) {
	for n, want := range map[float64]string{0: "0", 7: "7", 7.25: "7.2", 845: "845", 999.4: "999", 999.9: "1k",
		12_345: "12.3k", 456_789: "457k", 999_600: "1M", 1_250_000: "1.2M", 3.2e9: "3.2bn", -1500: "−1.5k"} {
		if got := short(n); got != want {
			t.Errorf("%v is %s; want %s", n, got, want)
		}
	}
}

// TestBrief holds what labels say that stand side by side.
func TestBrief(t *testing.T) {
	for n, want := range map[float64]string{0: "0", 7.25: "7.2", 9.96: "10", 845: "845", 999.9: "1k", 9_949: "9.9k",
		12_345: "12k", 96_300: "96k", 999_600: "1M", 1_250_000: "1.2M", -15_400: "−15k"} {
		if got := brief(n); got != want {
			t.Errorf("%v is %s; want %s", n, got, want)
		}
	}
}

// TestWords holds how exact numbers are written.
func TestWords(t *testing.T) {
	n := func(s string) *big.Rat { r, _ := new(big.Rat).SetString(s); return r }
	for _, tt := range []struct{ got, want string }{
		{words(n("1234567.895"), 2), "1,234,567.90"}, {words(n("-1234.5"), 0), "−1,235"},
		{words(n("999"), 2), "999.00"},
		{amount(n("1234.5"), "JPY"), "1,235"}, {amount(n("1.2345"), "BHD"), "1.235"},
		{tonnes(n("12345")), "12.35"},
		{percent(n("0.004")), "below 1 %"}, {percent(n("0")), "0 %"}, {percent(n("0.996")), "above 99 %"},
		{percent(n("1")), "100 %"}, {percent(n("0.255")), "26 %"},
		{signed(n("2"), "2 %"), "+2 %"}, {signed(n("-0.2"), words(n("-0.2"), 0)+" %"), "0 %"},
		{signed(n("0.2"), words(n("0.2"), 0)+" %"), "0 %"},
	} {
		if tt.got != tt.want {
			t.Errorf("it is %s; want %s", tt.got, tt.want)
		}
	}
}
