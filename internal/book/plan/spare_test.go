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

// TestSpareByPlan holds that time to spare is what the plan judges, by its hours and its rules, whatever was asked for;
// and that flights which do not fit the plan have none, and somebody has to act.
func TestSpareByPlan(t *testing.T) {
	it := itinerarytest.ViaDubai(t) // in AMS on 2 December at 06:10
	asked := []gangway.Leg{{Origin: "MNL", Destination: "AMS", ArriveOn: "2026-12-03"}}
	hours := 1
	joins := func(day gangway.Date, hour string) gangway.Plan {
		return gangway.Plan{Side: gangway.OnSigner, Hour: hour, ShipDay: day,
			Legs: []gangway.Leg{{Destination: "AMS", ArriveOn: day}}}
	}
	strict := joins("2026-12-02", "08:00")
	strict.Rules = gangway.CrewRules{Critical: &hours}
	for _, tt := range []struct {
		name  string
		plan  gangway.Plan
		left  time.Duration
		grade Grade
	}{
		{"by the end of its day", joins("2026-12-02", ""), 17*time.Hour + 50*time.Minute, Ample},
		{"by the hour that a coordinator set", joins("2026-12-02", "08:00"), 110 * time.Minute, Critical},
		{"by the account's rules", strict, 110 * time.Minute, Short},
		{"a night is no shortage", joins("2026-12-03", ""), 41*time.Hour + 50*time.Minute, Ample},
		{"two nights are another plan", joins("2026-12-04", ""), 65*time.Hour + 50*time.Minute, Misfit},
		{"after the ship", joins("2026-12-02", "06:00"), -10 * time.Minute, Misfit},
		{"nothing is planned", gangway.Plan{}, 41*time.Hour + 50*time.Minute, Ample},
	} {
		s := SpareBy(tt.plan, tt.plan.Meet(it), it, asked)
		urgent := tt.grade == Misfit || tt.grade == Critical
		if s.Grade != tt.grade || s.Left != tt.left || s.Grade.Urgent() != urgent {
			t.Errorf("%s: grade %d, %s; want %d, %s", tt.name, s.Grade, s.Left, tt.grade, tt.left)
		}
	}
}
