package book_test

import (
	"testing"

	"gangway"
	"gangway/internal/store/storetest"
)

func TestTwice(t *testing.T) {
	c := open(t, storetest.New(t), plain)
	b := c.booked(t, marine)
	legs := func(on gangway.Date) []gangway.Leg {
		return []gangway.Leg{{Origin: "MNL", Destination: "SIN", Date: on}}
	}
	other := maria
	other.DOB = "1961-01-01"
	for _, tt := range []struct {
		name string
		who  gangway.Traveller
		legs []gangway.Leg
		want int
	}{
		{"around the same days", maria, legs("2026-12-02"), 1},
		{"a week later", maria, legs("2026-12-09"), 0},
		{"somebody else of the same name", other, legs("2026-12-02"), 0},
		{"nobody yet", gangway.Traveller{}, legs("2026-12-02"), 0},
	} {
		if list, err := c.Twice(t.Context(), c.in, tt.who, tt.legs); err != nil || len(list) != tt.want {
			t.Errorf("%s: Twice = %d bookings, %v; want %d", tt.name, len(list), err, tt.want)
		}
	}
	quote, err := c.QuoteCancel(t.Context(), c.in, b.ID)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.Cancel(t.Context(), c.in, c.booker, b.ID, quote.ID); err != nil {
		t.Fatal(err)
	}
	if list, err := c.Twice(t.Context(), c.in, maria, legs("2026-12-02")); err != nil || len(list) != 0 {
		t.Errorf("after cancelling: %d bookings, %v; want none", len(list), err)
	}
}
