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

// TestNet: what the replaced booking brings back is deducted in one currency, until that is settled.
func TestNet(t *testing.T) {
	usd := func(minor int64) Money { return Money{minor, "USD"} }
	for want, r := range map[Money]*Replacing{
		usd(160): {Back: usd(480)},
		usd(-60): {Back: usd(700)},
		usd(640): {Back: Money{480, "EUR"}},
		usd(650): {Back: usd(700), SettledAt: at0},
		usd(660): nil,
	} {
		b := Booking{Replaces: r}
		if b.Price.Total = want; r.Open() {
			b.Price.Total = usd(640)
		}
		if got := b.Net(); got != want {
			t.Errorf("%v replacing %+v; want %v", got, r, want)
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
