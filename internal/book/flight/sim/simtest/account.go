package simtest

import (
	"testing"

	"gangway/internal/book/flight"
)

// An Account is the network for one account, whose seed of disruptions can be set later.
type Account struct {
	flight.Supplier
	For func(seed int64) flight.Supplier // the same account with a seed
}

// Disturb sets the seed so that an order's flights are disrupted in a way that fits. It
// changes nothing else about the order.
func (a *Account) Disturb(t *testing.T, order string, fits func(flight.Order) bool) flight.Order {
	t.Helper()
	for seed := range int64(20_000) {
		other := a.For(seed + 1)
		o, err := other.Order(t.Context(), order)
		if err != nil {
			t.Fatal(err)
		}
		if o.Notice != nil && fits(o) {
			a.Supplier = other
			return o
		}
	}
	t.Fatal("no seed disturbs this order")
	return flight.Order{}
}
