package book

import (
	"context"

	"gangway/internal/gangway"
	"gangway/internal/store"
)

// comparedAtOnce is how many bookings are compared with their plans in one transaction, and compareTurns how often
// that is done before other work is looked for.
const (
	comparedAtOnce = 200
	compareTurns   = 5
)

// compareWithPlans compares bookings whose plan or itinerary has changed with today's plans, so that pages can tell of
// those for an old plan. Replicas may do the same at once: it comes to the same.
func (d *Desk) compareWithPlans(ctx context.Context) error {
	for range compareTurns {
		list, err := d.db.ToCompare(ctx, comparedAtOnce)
		if err != nil || len(list) == 0 {
			return err
		}
		accounts := map[gangway.Scope][]store.ToCompare{}
		for _, c := range list {
			accounts[c.Scope] = append(accounts[c.Scope], c)
		}
		for scope, some := range accounts {
			if err := d.compareSome(ctx, d.db.In(scope), some); err != nil {
				return err
			}
		}
	}
	return nil
}

func (d *Desk) compareSome(ctx context.Context, in store.Scoped, list []store.ToCompare) error {
	ids := gangway.Each(list, func(c store.ToCompare) string { return c.ID })
	bookings, err := in.Among(ctx, ids)
	if err != nil {
		return err
	}
	plans, err := PlansOf(ctx, in, bookings)
	if err != nil {
		return err
	}
	old := map[string]bool{}
	for _, b := range bookings {
		old[b.ID] = b.Live() && !b.Sample() && plans.OldPlan(b)
	}
	return in.Compared(ctx, list, func(id string) bool { return old[id] }, d.now(in))
}
