package gangway_test

import (
	"testing"
	"time"

	"gangway/internal/gangway"
)

// A booking that was made up waits for nothing, and nothing can be done with it.
func TestSample(t *testing.T) {
	now := time.Date(2026, 11, 2, 12, 0, 0, 0, time.UTC)
	for _, state := range gangway.States {
		b := gangway.Booking{State: state, Locator: "AB2CD3", HoldUntil: now.Add(time.Hour), AutoIssue: true,
			TicketBy: now.Add(time.Hour), CheckAt: now}
		b.Change = &gangway.PendingChange{Was: gangway.Issued, Expires: now}
		b.Itinerary.Segments = []gangway.Segment{{Departure: now.AddDate(0, 0, 9), Arrival: now.AddDate(0, 0, 9)}}
		b.MarkSample()
		if !b.Sample() || !b.Simulated {
			t.Errorf("%s: it is not known as made up", state)
		}
		if !b.Deadline().IsZero() || !b.NextCheck(now).IsZero() || !b.CheckAt.IsZero() || b.MayIssueItself(now) {
			t.Errorf("%s: it waits for something", state)
		}
		for _, event := range gangway.Events {
			was := b
			if _, err := b.Move(event, "ana@example.com", now); gangway.KindOf(err) != gangway.Conflict ||
				b.State != was.State || b.Version != was.Version || b.Can(event) {
				t.Errorf("%s: %s can be done with it: %v", state, event, err)
			}
		}
	}
}
