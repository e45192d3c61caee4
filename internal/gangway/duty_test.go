package gangway

import (
	"testing"
	"time"

	"gangway/internal/calltest"
)

func TestDutyNextEnd(t *testing.T) {
	at := func(s string) time.Time {
		v := calltest.Must(time.Parse(time.DateTime, s))(t)
		return v
	}
	for _, tt := range []struct{ duty, now, want string }{
		{"off", "2026-11-24 02:05:00", "2026-11-25 02:05:00"},
		{"Mon-Fri 08:00-18:00 Europe/Oslo", "2026-11-24 02:05:00", "2026-11-24 17:00:00"}, // before the day's duty
		{"Mon-Fri 08:00-18:00 Europe/Oslo", "2026-11-24 09:00:00", "2026-11-25 17:00:00"}, // on duty: the next one
		{"Mon-Fri 08:00-18:00 Europe/Oslo", "2026-11-27 16:30:00", "2026-11-30 17:00:00"}, // over the weekend
		{"Sun,Wed-Thu 22:00-06:00 Europe/Oslo", "2026-11-24 02:05:00", "2026-11-26 05:00:00"},
		{"07:00-19:00 Europe/Oslo", "2026-11-27 20:00:00", "2026-11-28 18:00:00"},         // every day
		{"Mon-Sun 08:00-18:00 Europe/Oslo", "2026-10-24 12:00:00", "2026-10-25 17:00:00"}, // the clocks are set back
		{"Mon 08:00-18:00 Nowhere/None", "2026-11-24 02:05:00", "2026-11-25 02:05:00"},
	} {
		d := calltest.Must(ParseDuty(tt.duty))(t)
		if got := d.NextEnd(at(tt.now), time.LoadLocation); !got.Equal(at(tt.want)) {
			t.Errorf("%s at %s ends %s; want %s", tt.duty, tt.now, got.UTC(), tt.want)
		}
		if again, err := ParseDuty(d.String()); err != nil || again != d {
			t.Errorf("%s is written %s, and read as %v, %v", tt.duty, d, again, err)
		}
	}
	for _, wrong := range []string{"", "Mon-Fri", "Mon-Fri 8-18 Europe/Oslo", "mon 08:00-18:00 UTC",
		"Mon- 08:00-18:00 UTC", "Mon-Fri 08:00-25:00 UTC"} {
		if d, err := ParseDuty(wrong); KindOf(err) != Invalid {
			t.Errorf("ParseDuty(%q) = %v, %v; want it refused", wrong, d, err)
		}
	}
}

// TestEnded holds that what ends without a person is told as that, and what a person ends as theirs.
func TestEnded(t *testing.T) {
	now := time.Date(2026, 11, 24, 2, 5, 0, 0, time.UTC)
	held := Booking{State: Confirmed, HoldUntil: now.Add(-time.Minute)}
	automatic, early, asked, expired := held, held, held, held
	automatic.AutoIssue = true
	early.HoldUntil = now.Add(time.Hour)
	asked.State = ApprovalRequired
	expired.State, expired.Approval = ApprovalRequired, &Approval{DecidedBy: System, DecidedAt: now}
	issued := Booking{State: Issued}
	for _, tt := range []struct {
		name  string
		b     Booking
		event Event
		by    string
		want  Ending
	}{
		{"a hold that runs out", held, EndHold, System, SeatsReleased},
		{"one that waited for an approver", asked, EndHold, System, SeatsReleased},
		{"one that nobody has approved", expired, EndHold, System, SeatsReleased},
		{"one that was to issue itself", automatic, EndHold, System, NotIssued},
		{"one that issues itself", automatic, Issue, System, IssuedItself},
		{"one that the airline cancels", early, CancelElsewhere, System, SeatsLost},
		{"tickets that the airline cancels", issued, RefundElsewhere, System, SeatsLost},
		{"one that a person issues", held, Issue, "mara@example.com", ""},
		{"one that a person releases", held, Cancel, "mara@example.com", EndedByPerson},
		{"tickets that a person cancels", issued, CancelForRefund, "mara@example.com", EndedByPerson},
		{"one that is refused", asked, Decline, "tomas@example.com", EndedByPerson},
		{"a change by the airline", issued, AskChange, System, ""},
	} {
		a, err := tt.b.Move(tt.event, tt.by, now)
		if got := tt.b.Ended(a); err != nil || got != tt.want {
			t.Errorf("%s: %q, %v; want %q", tt.name, got, err, tt.want)
		}
	}
}

func TestCompared(t *testing.T) {
	at := func(hour int) time.Time { return time.Date(2026, 11, 24, hour, 0, 0, 0, time.UTC) }
	flight := func(number string, from, to Airport, leaves, lands int) Segment {
		return Segment{Carrier: "EK", FlightNumber: number, Origin: from, Destination: to, Departure: at(leaves),
			Arrival: at(lands)}
	}
	was := Itinerary{Segments: []Segment{flight("531", "COK", "DXB", 4, 8), flight("147", "DXB", "AMS", 10, 17)}}
	late := flight("531", "COK", "DXB", 8, 12)
	is := Itinerary{Segments: []Segment{late, flight("149", "DXB", "AMS", 15, 22)}}
	got := was.Compared(is)
	if len(got) != 3 || got[0].Is.Departure != at(8) || got[1].Is != nil || !got[1].Missed || got[2].Was != nil ||
		got[2].Is.FlightNumber != "149" {
		t.Errorf("Compared = %+v", got)
	}
	if same := was.Compared(was); len(same) != 2 || same[1].Missed || !same[1].Is.Departure.Equal(at(10)) {
		t.Errorf("with itself: %+v", same)
	}
}
