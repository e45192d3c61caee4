package gangway_test

import (
	"strings"
	"testing"
	"time"

	"gangway/internal/gangway"
)

// TestUnmadeSince has an outlet's latest tries, the oldest first, two minutes apart: "+" was accepted, "-" refused,
// a letter is a booking of which nothing could be made, and "again" one that was tried before.
func TestUnmadeSince(t *testing.T) {
	began := time.Date(2026, 11, 2, 9, 0, 0, 0, time.UTC)
	for name, tt := range map[string]struct {
		tries string
		since int // which try; 0: it is not failing
	}{
		"one kind of record says nothing of the outlet": {"+ A + B + C + D +", 0},
		"two bookings may be of that kind":              {"+ A B", 0},
		"of three in a row nothing leaves any more":     {"+ A B C", 2},
		"nor did it ever":                               {"A B C D", 1},
		"the actions of one booking are one":            {"+ A A A B B", 0},
		"what is refused meanwhile leaves neither":      {"+ A - B - C -", 2},
		"what is accepted ends it":                      {"A B C +", 0},
		"what is delivered again says nothing new":      {"+ A again again again B", 0},
	} {
		t.Run(name, func(t *testing.T) {
			var tries []gangway.OutletTry
			for i, s := range strings.Fields(tt.tries) {
				try := gangway.OutletTry{Booking: s, At: began.Add(time.Duration(i) * 2 * time.Minute),
					Accepted: s == "+", Unmade: s >= "A" && s <= "Z"}
				tries = append([]gangway.OutletTry{try}, tries...)
			}
			var want time.Time
			if tt.since > 0 {
				want = began.Add(time.Duration(tt.since-1) * 2 * time.Minute)
			}
			if got := gangway.UnmadeSince(tries); !got.Equal(want) {
				t.Errorf("failing since %s; want %s", got, want)
			}
		})
	}
}
