package flights

import (
	"strings"
	"testing"
	"time"

	"gangway/internal/book"
	"gangway/internal/gangway"
)

// A state without a badge would be shown by its name on the wire, with no sign.
func TestEveryStateHasABadge(t *testing.T) {
	for _, state := range gangway.States {
		if b := badges[state]; b.words == "" || b.sign == "" {
			t.Errorf("%s has the badge %+v; want a sign and words", state, b)
		}
	}
}

// TestStandings holds that every standing has words, and that nothing is green but what is as planned.
func TestStandings(t *testing.T) {
	var lands gangway.Booking
	lands.Itinerary.Segments = []gangway.Segment{{Origin: "MNL", Destination: "AMS",
		Arrival: time.Date(2026, 12, 8, 5, 50, 0, 0, time.UTC)}}
	for _, s := range gangway.Standings {
		j := gangway.Judgement{Standing: s, Booking: &lands}
		if got := StandOf(j, book.AShip, false); got.Words == "" || (got.Class == "good") != (s == gangway.Fits) {
			t.Errorf("%s is shown as %+v", s, got)
		}
		if got := StandOf(j, book.AShip, true); got.Plain() {
			t.Errorf("%s is shown as %+v while people are asked whether the ship moved", s, got)
		}
		j.Also = []gangway.Standing{gangway.BookedTwice}
		if got := StandOf(j, book.AShip, false); got.Plain() || !strings.Contains(got.Words, "booked twice") {
			t.Errorf("%s of somebody booked twice is shown as %+v", s, got)
		}
	}
	meets := gangway.Meeting{Nights: 3}
	for _, tt := range []struct {
		j            gangway.Judgement
		class, words string
	}{
		{gangway.Judgement{Standing: gangway.TooEarly, Meeting: meets}, "watch", "too early · 3 nights"},
		{gangway.Judgement{Standing: gangway.WrongPlace, Also: []gangway.Standing{gangway.TooEarly}, Meeting: meets},
			"act", "wrong place · 3 nights"},
		{gangway.Judgement{Standing: gangway.Changing, Also: []gangway.Standing{gangway.WrongPlace, gangway.TooLate}},
			"act", "change to confirm"},
		{gangway.Judgement{Standing: gangway.UnderWay, Booking: &lands}, "watch", "under way · lands AMS Tue 05:50"},
		{gangway.Judgement{Standing: gangway.NotBooked, Also: []gangway.Standing{gangway.NewInPlan}}, "watch",
			"not booked · new"},
		{gangway.Judgement{Standing: gangway.Fits, Also: []gangway.Standing{gangway.BookedTwice}}, "watch",
			"booked twice"},
		{gangway.Judgement{Standing: gangway.JustInTime, Meeting: gangway.Meeting{Critical: true}}, "act",
			"just in time"},
		{gangway.Judgement{Standing: gangway.NoLongerTravelling, Also: []gangway.Standing{gangway.AirlineChanged}}, "",
			"removed · schedule change"},
	} {
		if got := StandOf(tt.j, book.AShip, false); got.Class != tt.class || got.Words != tt.words {
			t.Errorf("%s, %v: %q %q; want %q %q", tt.j.Standing, tt.j.Also, got.Class, got.Words, tt.class, tt.words)
		}
	}
}
