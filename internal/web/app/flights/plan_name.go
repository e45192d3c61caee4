package flights

import (
	"fmt"
	"hash/fnv"
	"slices"
	"strconv"
	"strings"

	"gangway/internal/book"
	"gangway/internal/book/plan"
	"gangway/internal/gangway"
)

// Ships move while people look at flights. Forms carry the plan that their page was
// made for, so that nobody chooses or books flights for another day or port without
// being told.

// A PlanName identifies in a few letters where and when the ship is, and what is
// searched for one traveller.
type PlanName struct{ ship, traveller string }

// MadeFor names the plan of a member of s.
func MadeFor(p book.Planned, s gangway.Search, member int) PlanName {
	place, date := p.Members[member].Ship()
	return PlanName{ShipName(p), lettersOf(s.Members[member].Legs, place, date)}
}

// ShipName names where and when a plan has the ship.
func ShipName(p book.Planned) string { return lettersOf(p.Place, p.Date) }

func lettersOf(values ...any) string {
	h := fnv.New64a()
	fmt.Fprintf(h, "%+q", values)
	return strconv.FormatUint(h.Sum64(), 36)
}

// String writes it for a form.
func (n PlanName) String() string { return n.ship + "." + n.traveller }

// An OtherPlan says in what a plan differs; empty: it is the same.
type OtherPlan string

// What differs.
const (
	OtherShip  OtherPlan = "ship"
	OtherRoute OtherPlan = "route"
)

// Than compares a plan with the one that a form was made for.
func (n PlanName) Than(carried string) OtherPlan {
	ship, _, _ := strings.Cut(carried, ".")
	switch {
	case carried == n.String():
		return ""
	case ship == n.ship:
		return OtherRoute
	}
	return OtherShip
}

func (v SearchView) madeFor(member int) string {
	return MadeFor(v.Planned, v.Search, member).String()
}

// Chosen returns the key of the flight that is chosen for a member. A flight chosen
// before the ship moved stays chosen if it is found again and fits.
func (v SearchView) Chosen(member int, choices []plan.Choice) string {
	m := v.Members[member]
	if m.Carried && !slices.ContainsFunc(choices, func(c plan.Choice) bool { return c.Key == m.Chosen && c.Fit.OK() }) {
		return ""
	}
	return m.Chosen
}
