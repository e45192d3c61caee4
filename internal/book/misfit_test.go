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
			"arrives on Sat 28 Nov; the ship is there on Thu 26 Nov"},
		{"an on-signer too late for a day of their own",
			gangway.Fit{Date: nov28, Wanted: nov26, Own: gangway.OnSigner}, book.AShip,
			"arrives on Sat 28 Nov; wanted there by Thu 26 Nov"},
		{"an on-signer too early for it", gangway.Fit{Date: nov23, Wanted: nov26, Own: gangway.OnSigner}, book.AShip,
			"arrives on Mon 23 Nov; wanted there on Thu 26 Nov"},
		{"an off-signer before the ship", gangway.Fit{Date: nov23, Wanted: nov26, Leaves: true}, book.AShip,
			"leaves on Mon 23 Nov; the ship is there on Thu 26 Nov"},
		{"an off-signer too early for a day of their own",
			gangway.Fit{Date: nov23, Wanted: nov26, Leaves: true, Own: gangway.OffSigner}, book.AShip,
			"leaves on Mon 23 Nov; to leave from Thu 26 Nov on"},
		{"an off-signer too late for it",
			gangway.Fit{Date: nov28, Wanted: nov26, Leaves: true, Own: gangway.OffSigner}, book.AShip,
			"leaves on Sat 28 Nov; to leave on Thu 26 Nov"},
		{"another place", gangway.Fit{Airport: "BRU", Place: "SIN"}, book.AShip,
			"to BRU; the crew change is now at SIN"},
		{"another place and day", gangway.Fit{Airport: "BRU", Place: "SIN", Date: nov28, Wanted: nov26}, book.AShip,
			"to BRU, arriving on Sat 28 Nov; the crew change is now at SIN on Thu 26 Nov"},
		{"from another place and on another day", gangway.Fit{Airport: "BRU", Place: "SIN", From: true, Date: nov23,
			Wanted: nov26, Leaves: true, Own: gangway.OffSigner}, book.AShip,
			"from BRU, leaving on Mon 23 Nov; the crew change is now at SIN, to leave from Thu 26 Nov on"},
		{"a request for another day", gangway.Fit{Date: nov28, Wanted: nov26, Leaves: true}, book.ARequest,
			"leaves on Sat 28 Nov; the request is now for Thu 26 Nov"},
		{"a request to another place and for another day",
			gangway.Fit{Airport: "SIN", Place: "AMS", Date: nov28, Wanted: nov26, Leaves: true}, book.ARequest,
			"to SIN, leaving on Sat 28 Nov; the request is now to AMS for Thu 26 Nov"},
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
