package gangway

import (
	"testing"
	"time"
)

var at0 = time.Date(2026, 12, 1, 12, 0, 0, 0, time.UTC)

// TestABookingThatEndsIsNoSecondJourney: while a booking takes another one's place by itself, the traveller is not
// booked twice; once a person has to decide, they are.
func TestABookingThatEndsIsNoSecondJourney(t *testing.T) {
	old, anew := Booking{ID: "old", State: Issued}, Booking{ID: "new", State: Confirmed}
	for want, r := range map[bool]*Replacing{
		false: {Booking: "old"},
		true:  {Booking: "old", Person: "Both are live."},
	} {
		anew.Replaces = r
		if j := (Plan{}).Judge([]Booking{anew, old}, false, at0); j.Holds(BookedTwice) != want {
			t.Errorf("replacing %+v: %v", *r, j.Also)
		}
	}
}

// TestSureBeside: tickets are given up only for tickets, and a hold for one that is kept at least as long.
func TestSureBeside(t *testing.T) {
	old := Booking{State: Confirmed, HoldUntil: at0}
	for _, c := range []struct {
		state    State
		ticketed bool // what is replaced
		longer   int  // by so many days it is kept longer
		useless  bool
		want     bool
	}{
		{Confirmed, false, 0, false, true}, {Confirmed, false, -1, false, false}, {Confirmed, false, -1, true, true},
		{Issued, false, -1, false, true}, {Confirmed, true, 1, true, false}, {Issued, true, -1, false, true},
		{ApprovalRequired, false, 1, true, false}, {ChangePending, false, 1, true, false},
	} {
		b := Booking{State: c.state, HoldUntil: at0.AddDate(0, 0, c.longer), Replaces: &Replacing{Ticketed: c.ticketed}}
		if got := b.SureBeside(old, c.useless); got != c.want {
			t.Errorf("%+v: %v", c, got)
		}
	}
}
