package gangway

import "testing"

func TestMoney(t *testing.T) {
	tests := []struct {
		text string
		want Money
		out  string
	}{
		{"482.00 USD", Money{48200, "USD"}, "USD 482.00"},
		{"USD 482", Money{48200, "USD"}, "USD 482.00"},
		{"0.05 eur", Money{5, "EUR"}, "EUR 0.05"},
		{"-3.50 USD", Money{-350, "USD"}, "USD -3.50"},
		{"1200 JPY", Money{1200, "JPY"}, "JPY 1200"},
		{"1.5 KWD", Money{1500, "KWD"}, "KWD 1.500"},
	}
	for _, tt := range tests {
		got, err := ParseMoney(tt.text)
		if err != nil || got != tt.want || got.String() != tt.out {
			t.Errorf("ParseMoney(%q) = %+v, %v, reads %q; want %+v, %q", tt.text, got, err, got.String(), tt.want,
				tt.out)
		}
	}
	for _, text := range []string{"", "500", "500.005 USD", "1.5 JPY", "ten USD", "5 US", "500 XXZ", "5 XAU",
		"1.2.3 USD", ". USD"} {
		if got, err := ParseMoney(text); KindOf(err) != Invalid {
			t.Errorf("ParseMoney(%q) = %+v, %v; want Invalid", text, got, err)
		}
	}
}

func TestDateValid(t *testing.T) {
	for _, d := range []Date{"2026-02-28", "2024-02-29", "2000-02-29", "1950-12-31"} {
		if !d.Valid() {
			t.Errorf("Date(%q).Valid() = false; it is a real date", d)
		}
	}
	for _, d := range []Date{"", "2026-02-29", "1900-02-29", "2026-13-01", "2026-00-10", "2026-04-31", "2026-4-1",
		"01-02-2026", "2026/02/01", "2026-02-1a", "20260-2-01"} {
		if d.Valid() {
			t.Errorf("Date(%q).Valid() = true; it is no real date", d)
		}
	}
}
