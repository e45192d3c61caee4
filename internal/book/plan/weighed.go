package plan

import (
	"hash/maphash"
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
// they are only ever added to. It says nothing of who travels: a session is
// not looked through when somebody is erased.
type weighing struct {
	offers  int
	round   int
	forcing bool
	side    gangway.Side
	legs    []gangway.Leg
	wishes  uint64 // a mark of them: they may name somebody
	plan    gangway.Plan
}

func newWeighing(offers, round int, forcing bool, m gangway.SearchMember, p gangway.Plan) weighing {
	w := weighing{offers: offers, round: round, forcing: forcing, side: m.Side, legs: m.Legs, plan: p}
	for name, wish := range m.Wishes {
		w.wishes += maphash.Comparable(wishSeed, [2]string{name, wish})
	}
	return w
}

var wishSeed = maphash.MakeSeed()

func (w weighing) same(v weighing) bool {
	return w.offers == v.offers && w.round == v.round && w.forcing == v.forcing &&
		w.side == v.side && slices.Equal(w.legs, v.legs) && w.wishes == v.wishes &&
		w.plan.Unneeded == v.plan.Unneeded && w.plan.Side == v.plan.Side && w.plan.Own == v.plan.Own &&
		slices.Equal(w.plan.Legs, v.plan.Legs)
}

// Choices returns what was found for a member so far, weighed once for all who
// look at it: m is the member as it would be looked for today, p what is
// planned. Nobody may change what it returns.
func (st SessionState) Choices(member int, m gangway.SearchMember, p gangway.Plan, forcing bool) []Choice {
	offers := st.Members[member].Offers
	of := newWeighing(len(offers), st.round, forcing, m, p)
	w := &st.session.weighed[member]
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.choices == nil || !w.of.same(of) {
		w.of, w.choices = of, Weigh(offers, m, p, forcing)
	}
	return w.choices
}
