// Package orders sells the flights of the simulated network to one account and
// keeps its orders, in a ledger.
//
// A record is an order as it is kept, a manifest is the seats that orders have on
// a flight; both are written together. store reads and writes them, update does
// so until nobody else was faster. hold, issue, cancel, change and accept are what
// can be done with an order. Disruptions are what airlines do by themselves; a
// notice tells, and replace looks for flights instead.
package orders

import (
	"time"

	"gangway/internal/book/flight"
	"gangway/internal/book/flight/sim/search"
)

// A Seller sells the network's flights to one account and keeps its orders.
type Seller struct {
	*search.Finder
	ledger flight.Ledger
	seed   int64 // of what airlines change by themselves; zero: nothing
	now    func() time.Time
}

// New returns the seller of an account whose orders lie in ledger.
func New(f *search.Finder, ledger flight.Ledger, seed int64, now func() time.Time) *Seller {
	return &Seller{Finder: f, ledger: ledger, seed: seed, now: now}
}

// LongestName is how many letters of a name the simulated airlines take, as the
// common reservation systems do.
const LongestName = 29
