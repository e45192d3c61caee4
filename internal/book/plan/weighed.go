package plan

import (
	"maps"
	"slices"
	"sync"

	"gangway"
)

// A weighed is what was weighed for one member. It serves all who look, until
// more is found or something else is planned.
type weighed struct {
	mu      sync.Mutex
	of      weighing
	choices []Choice
}

// A weighing is all that weighing depends on, besides the offers themselves:
// they are only ever added to.
type weighing struct {
	offers  int
	round   int
	forcing bool
	member  gangway.SearchMember
	plan    gangway.Plan
}

func (w weighing) same(v weighing) bool {
	return w.offers == v.offers && w.round == v.round && w.forcing == v.forcing &&
		w.member.Side == v.member.Side && slices.Equal(w.member.Legs, v.member.Legs) && maps.Equal(w.member.Wishes, v.member.Wishes) &&
		w.plan.Unneeded == v.plan.Unneeded && w.plan.Side == v.plan.Side && w.plan.Own == v.plan.Own && slices.Equal(w.plan.Legs, v.plan.Legs)
}

// Choices returns what was found for a member so far, weighed once for all who
// look at it: m is the member as it would be looked for today, p what is
// planned. Nobody may change what it returns.
func (st Standing) Choices(member int, m gangway.SearchMember, p gangway.Plan, forcing bool) []Choice {
	offers := st.Members[member].Offers
	of := weighing{offers: len(offers), round: st.round, forcing: forcing, member: m, plan: p}
	w := &st.session.weighed[member]
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.choices == nil || !w.of.same(of) {
		w.of, w.choices = of, Weigh(offers, m, p, forcing)
	}
	return w.choices
}
