package book_test

import (
	"testing"
	"time"

	"gangway/internal/book"
	"gangway/internal/gangway"
)

// TestMisfit reads what is said of a booking that is not what is planned:
// whether it arrives or leaves, and by when or from when it should.
func TestMisfit(t *testing.T) {
	const nov23, nov26, nov28 = "2026-11-23", "2026-11-26", "2026-11-28"
	clock := func(day, hour int) time.Time { return time.Date(2026, 11, day, hour, 0, 0, 0, time.UTC) }
	tests := []struct {
		name string
		fit  gangway.Fit
		plan string
		want string
	}{
		{"an on-signer after the ship", gangway.Fit{Date: nov28, Wanted: nov26}, book.AShip,
			"arrives 28 Nov → ship 26 Nov"},
		{"an on-signer too late for a day of their own",
			gangway.Fit{Date: nov28, Wanted: nov26, Own: gangway.OnSigner}, book.AShip,
			"arrives 28 Nov → wanted by 26 Nov"},
		{"an on-signer too early for it", gangway.Fit{Date: nov23, Wanted: nov26, Own: gangway.OnSigner}, book.AShip,
			"arrives 23 Nov → wanted 26 Nov"},
		{"an off-signer before the ship", gangway.Fit{Date: nov23, Wanted: nov26, Leaves: true}, book.AShip,
			"leaves 23 Nov → ship 26 Nov"},
		{"an off-signer too early for a day of their own",
			gangway.Fit{Date: nov23, Wanted: nov26, Leaves: true, Own: gangway.OffSigner}, book.AShip,
			"leaves 23 Nov → free to leave from 26 Nov"},
		{"an off-signer too late for it",
			gangway.Fit{Date: nov28, Wanted: nov26, Leaves: true, Own: gangway.OffSigner}, book.AShip,
			"leaves 28 Nov → to leave 26 Nov"},
		{"another place", gangway.Fit{Airport: "BRU", Place: "SIN"}, book.AShip,
			"ends at BRU, ship at SIN"},
		{"from another place", gangway.Fit{Airport: "BRU", Place: "SIN", From: true}, book.AShip,
			"starts at BRU, ship at SIN"},
		{"another place and day", gangway.Fit{Airport: "BRU", Place: "SIN", Date: nov28, Wanted: nov26}, book.AShip,
			"BRU 28 Nov → ship at SIN 26 Nov"},
		{"from another place and on another day", gangway.Fit{Airport: "BRU", Place: "SIN", From: true, Date: nov23,
			Wanted: nov26, Leaves: true, Own: gangway.OffSigner}, book.AShip,
			"BRU 23 Nov → ship at SIN, free to leave from 26 Nov"},
		{"a request for another day", gangway.Fit{Date: nov28, Wanted: nov26, Leaves: true}, book.ARequest,
			"leaves 28 Nov → requested 26 Nov"},
		{"a request to another place and for another day",
			gangway.Fit{Airport: "SIN", Place: "AMS", Date: nov28, Wanted: nov26, Leaves: true}, book.ARequest,
			"SIN 28 Nov → requested AMS 26 Nov"},
		{"the right day, and after the ship sails", gangway.Fit{Date: nov26, Wanted: nov26, At: clock(26, 8),
			Due: clock(26, 6)}, book.AShip, "arrives 08:00, due 06:00"},
		{"the right day, and before the ship is in", gangway.Fit{Date: nov26, Wanted: nov26, At: clock(26, 8),
			Due: clock(26, 12), Leaves: true}, book.AShip, "leaves 08:00, free to leave from 12:00"},
		{"after the end of the day", gangway.Fit{Date: "2026-11-27", Wanted: nov26, At: clock(27, 1),
			Due: clock(27, 0)}, book.AShip, "arrives 27 Nov → ship 26 Nov"},
		{"as planned", gangway.Fit{}, book.AShip, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := book.Misfit(tt.fit, tt.plan); got != tt.want {
				t.Fatalf("Misfit(%+v) = %q; want %q", tt.fit, got, tt.want)
			}
		})
	}
}
