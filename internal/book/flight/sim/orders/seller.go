// Package orders sells the flights of the simulated network to one account and
// keeps its orders, in a ledger.
//
// A record is an order in the ledger, a manifest has the seats that orders have on a flight; both
// are saved together. store reads and writes them, update repeats a change until no other process
// was faster. hold, issue, cancel, change and accept are what can be done with an order.
// Disruptions are what airlines do by themselves; a notice reports them, and replace looks for
// other flights.
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
	seed   int64 // for what airlines change by themselves; zero: nothing
	now    func() time.Time
	magic  bool // magic travellers work
}

// New returns the seller for the account whose orders are in ledger.
func New(f *search.Finder, ledger flight.Ledger, seed int64, now func() time.Time) *Seller {
	return &Seller{Finder: f, ledger: ledger, seed: seed, now: now}
}

// Sandbox returns s with magic travellers.
func (s *Seller) Sandbox() *Seller {
	playful := *s
	playful.magic = true
	return &playful
}

// Name is the supplier's name as stored with bookings.
const Name = "simulated"

// Name is the supplier's name.
func (s *Seller) Name() string { return Name }

// Simulated is true: nothing of the network is real.
func (s *Seller) Simulated() bool { return true }

// longestName is how many letters the simulated airlines take for a name, as the common
// reservation systems do.
const longestName = 29

// LongestName is how many letters a last name or the first names may have.
func (s *Seller) LongestName() int { return longestName }

var _ flight.Supplier = (*Seller)(nil)
