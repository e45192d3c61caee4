package plan

import (
	"testing"
	"time"

	"gangway/internal/gangway"
	"gangway/internal/itinerarytest"
)

func TestSpare(t *testing.T) {
	on := gangway.Leg{Origin: "MNL", Destination: "AMS", ArriveOn: "2026-12-02"}
	by := func(clock string) gangway.Leg { l := on; l.ArriveBy = clock; return l }
	tests := []struct {
		name  string
		leg   gangway.Leg
		left  time.Duration
		grade Grade
	}{
		{"without a time the day has to be kept", on, 17*time.Hour + 50*time.Minute, Ample},
		{"twelve hours are good", by("18:10"), 12 * time.Hour, Ample},
		{"a minute less is to be watched", by("18:09"), 12*time.Hour - time.Minute, Short},
		{"six hours are to be watched", by("12:10"), 6 * time.Hour, Short},
		{"a minute less needs somebody to act", by("12:09"), 6*time.Hour - time.Minute, Critical},
		{"late", by("06:00"), -10 * time.Minute, Late},
		{"a time that is none is the day", by("noon"), 17*time.Hour + 50*time.Minute, Ample},
		{"nobody waits", gangway.Leg{Origin: "MNL", Destination: "AMS", Date: "2026-12-01"}, 0, NotWanted},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := SpareOf(itinerarytest.ViaDubai(t), []gangway.Leg{tt.leg})
			if got.Grade != tt.grade || got.Left != tt.left {
				t.Fatalf("SpareOf = grade %d, %s; want %d, %s", got.Grade, got.Left, tt.grade, tt.left)
			}
		})
	}
}

// TestLongWait checks that one more night than planned is a grade of its own, and that
// it does not change what is proposed.
func TestLongWait(t *testing.T) {
	wanted := time.Date(2036, 12, 6, 0, 0, 0, 0, time.UTC)
	for left, want := range map[time.Duration]Grade{
		12 * time.Hour: Ample, 36 * time.Hour: Ample, 37*time.Hour + 15*time.Minute: Overnight,
	} {
		s := SpareUntil(wanted.Add(-left), wanted)
		if s.Grade != want || s.Grade.Urgency() != Ample.Urgency() {
			t.Errorf("%s to spare is grade %d, urgency %d; want %d and no urgency", left, s.Grade, s.Grade.Urgency(),
				want)
		}
	}
}

// TestAgainst checks that a flight which does not fit the plan has no time to spare,
// whenever it lands, and that somebody has to act.
func TestAgainst(t *testing.T) {
	early := Spare{Grade: Ample, Left: 14 * time.Hour}
	if got := early.Against(gangway.Fit{}); got != early {
		t.Errorf("a flight that fits is %+v; want %+v", got, early)
	}
	for _, s := range []Spare{early, {}} {
		if got := s.Against(gangway.Fit{Unneeded: gangway.LeftOut}); got.Grade != Misfit || !got.Known() ||
			!got.Grade.Urgent() {
			t.Errorf("a flight that does not fit has grade %d; want a misfit", got.Grade)
		}
	}
}
