package book

import (
	"context"

	"gangway/internal/book/flight"
	"gangway/internal/gangway"
	"gangway/internal/store"
)

// Reach says of every member of a search whether they can get there at all and
// when, much sooner than a search finds flights. A member whose destination is
// not known, or who has several legs, has no Reach. It is nil if the supplier
// cannot tell.
func (d *Desk) Reach(ctx context.Context, in store.Scoped, s gangway.Search) ([]Reach, error) {
	supplier, err := d.suppliers(ctx, in, "")
	if err != nil {
		return nil, err
	}
	scout, ok := supplier.(flight.Scout)
	if !ok {
		return nil, nil
	}
	account, err := in.Account(ctx)
	if err != nil {
		return nil, err
	}
	all := make([]Reach, len(s.Members))
	var asks []flight.Ask
	var of []int // the member of each ask
	for i, m := range s.Members {
		if completeReach(m) != nil || len(m.Legs) != 1 {
			continue
		}
		ask, err := askOf(account.Settings, s, m)
		if err != nil {
			continue // the search itself reports what is wrong
		}
		asks, of = append(asks, ask), append(of, i)
	}
	found, err := scout.Reach(ctx, asks)
	if err != nil {
		return nil, err
	}
	for i, r := range found {
		all[of[i]] = Reach{Known: true, Reach: r}
	}
	return all, nil
}

// A Reach is what is known about a member's journey before the flights are.
type Reach struct {
	Known bool
	flight.Reach
}
