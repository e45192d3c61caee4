package app

import (
	"testing"
	"time"
)

// TestLongWait holds that a night more than planned is no green tick, and that
// what is proposed does not change by it.
func TestLongWait(t *testing.T) {
	wanted := time.Date(2036, 12, 6, 0, 0, 0, 0, time.UTC)
	for _, tt := range []struct {
		left       time.Duration
		sign, note string
	}{
		{12 * time.Hour, "✓", ""},
		{36 * time.Hour, "✓", ""},
		{37*time.Hour + 15*time.Minute, "△", "a night more than planned"},
	} {
		s := slackUntil(wanted.Add(-tt.left), wanted)
		if s.Sign != tt.sign || s.Note != tt.note || s.urgency() != urgency["good"] {
			t.Errorf("%s to spare is %s %q, urgency %d; want %s %q", tt.left, s.Sign, s.Note, s.urgency(), tt.sign, tt.note)
		}
	}
}
