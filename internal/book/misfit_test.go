package book_test

import (
	"testing"

	"gangway/internal/book"
	"gangway/internal/gangway"
)

// TestMisfit reads what is said of a booking that is not what is planned:
// whether it arrives or leaves, and by when or from when it should.
func TestMisfit(t *testing.T) {
	const nov23, nov26, nov28 = "2026-11-23", "2026-11-26", "2026-11-28"
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
