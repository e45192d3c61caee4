package crew

import (
	"testing"

	"gangway/internal/book"
	"gangway/internal/book/flight"
	"gangway/internal/book/plan"
	"gangway/internal/gangway"
	"gangway/internal/itinerarytest"
)

func TestCanBe(t *testing.T) {
	there := book.Reach{Known: true, Reach: flight.Reach{OK: true, From: "MNL", To: "AMS",
		Departure: itinerarytest.At(t, "2026-11-30 21:10", 8), Arrival: itinerarytest.At(t, "2026-12-01 08:40", 1)}}
	none := book.Reach{Known: true}
	tests := []struct {
		name  string
		reach book.Reach
		leg   gangway.Leg
		want  canWords
	}{
		{"in time", there, gangway.Leg{Origin: "MNL", Destination: "AMS", ArriveOn: "2026-12-01"},
			canWords{"", "can be there Tue 08:40, leaving Mon 21:10"}},
		{"by road to the port", there, gangway.Leg{Origin: "MNL", Destination: "NLAMS", ArriveOn: "2026-12-01"},
			canWords{"", "can be there Tue 09:28, leaving Mon 21:10"}},
		{"too late", none, gangway.Leg{Origin: "MNL", Destination: "AMS", ArriveOn: "2026-12-01"},
			canWords{"act", "cannot be there by then"}},
		{"not at all", none, gangway.Leg{Origin: "MNL", Destination: "AMS", Date: "2026-12-01"},
			canWords{"act", "no way on that day"}},
		{"not known", book.Reach{}, gangway.Leg{Origin: "MNL", Destination: "AMS", ArriveOn: "2026-12-01"}, canWords{}},
	}
	for _, tt := range tests {
		if got := canBe(tt.reach, gangway.SearchMember{Legs: []gangway.Leg{tt.leg}}); got != tt.want {
			t.Errorf("%s: canBe = %+v; want %+v", tt.name, got, tt.want)
		}
	}
}

// TestDayRow holds that the words and the colour of a day say the same: it is green only where everybody can be there
// and those who are booked fit.
func TestDayRow(t *testing.T) {
	for _, tt := range []struct {
		can, booked, fit   int
		class, sign, words string
	}{
		{40, 0, 0, "good", "✓", "all 40 can make it"},
		{40, 12, 12, "good", "✓", "all 40 can make it"},
		{40, 12, 3, "", "", "flights exist for all 40"},
		{38, 12, 12, "act", "!", "38 of 40 can make it"},
	} {
		d := dayRow{plan.Day{Can: tt.can, Of: 40}, tt.booked, tt.fit}
		if d.Class() != tt.class || d.Sign() != tt.sign || d.Words() != tt.words {
			t.Errorf("%+v: %q, %q, %q; want %q, %q, %q", d, d.Class(), d.Sign(), d.Words(), tt.class, tt.sign, tt.words)
		}
	}
}
