package plan

import (
	"hash/maphash"
	"reflect"
	"slices"
	"sync"

	"gangway/internal/gangway"
)

// memberChoices are the offers found for one member, graded. Everybody who looks gets
// the same ones, until more is found or the plan changes.
type memberChoices struct {
	mu      sync.Mutex
	basis   choiceBasis
	choices []Choice
}

// A choiceBasis is everything that the choices depend on. It has only the number of
// offers, because offers are only ever added. It holds nothing about the traveller,
// because erasure does not go through sessions.
type choiceBasis struct {
	offers   int
	round    int
	settings gangway.Settings
	side     gangway.Side
	legs     []gangway.Leg
	wishes   uint64 // a hash, because wishes may name somebody
	plan     gangway.Plan
}

func newChoiceBasis(offers, round int, s gangway.Settings, m gangway.SearchMember, p gangway.Plan) choiceBasis {
	w := choiceBasis{offers: offers, round: round, settings: s, side: m.Side, legs: m.Legs, plan: p}
	w.plan.Who, w.plan.New, w.plan.Roads, w.plan.Zones = gangway.Traveller{}, false, nil, nil
	for name, wish := range m.Wishes {
		w.wishes += maphash.Comparable(wishSeed, [2]string{name, wish})
	}
	return w
}

var wishSeed = maphash.MakeSeed()

func (w choiceBasis) same(v choiceBasis) bool {
	return w.offers == v.offers && w.round == v.round && w.side == v.side && slices.Equal(w.legs, v.legs) &&
		w.wishes == v.wishes && reflect.DeepEqual(w.settings, v.settings) && reflect.DeepEqual(w.plan, v.plan)
}

// Choices returns the offers found for a member so far, graded once for everybody who
// looks at them. m is the member as in a search begun now, p is the plan. Callers must
// not change the result.
func (st SessionState) Choices(member int, m gangway.SearchMember, p gangway.Plan,
	s gangway.Settings) []Choice {
	offers := st.Members[member].Offers
	of := newChoiceBasis(len(offers), st.round, s, m, p)
	w := &st.session.choices[member]
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.choices == nil || !w.basis.same(of) {
		w.basis, w.choices = of, Weigh(offers, m, p, s)
	}
	return w.choices
}
