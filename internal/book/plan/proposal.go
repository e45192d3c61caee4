package plan

import (
	"cmp"
	"slices"
	"strings"
)

// flexibleWorth is how much more, in percent of the cheapest, a changeable and
// refundable fare may cost and still be proposed: ships move.
const flexibleWorth = 25

// tightWorth is how much dearer, in percent, flights without a tight connection may be and still be proposed: a ship
// does not wait.
const tightWorth = 10

// hourWorth and stopWorth are how much dearer, in percent, flights that take an hour less, the way by road included, or
// have a stop less, may be and still be proposed: crew arrive to work.
const hourWorth, stopWorth = 2, 5

// Proposal returns which of the choices is proposed for a person: the chosen one, by
// its key; else, of those that crew may use, that fit the plan and that keep lets through, the one that
// the company asked for; else the cheapest of those that arrive in good time, or do
// not leave the ship before noon; a changeable and refundable fare, a shorter journey and no tight connection may cost
// a little more.
func Proposal(choices []Choice, chosen string, keep func(*Choice) bool) (i int, ok bool) {
	if i := slices.IndexFunc(choices, func(c Choice) bool { return c.Key == chosen }); i >= 0 {
		return i, true
	}
	best, free := -1, -1
	for i := range choices {
		c := &choices[i]
		if !c.ForCrew() || !c.Fit.OK() || c.Road > 0 || !keep(c) {
			continue
		}
		if best < 0 || compareProposals(c, &choices[best]) < 0 {
			best = i
		}
		if c.Refundable && c.Changeable && (free < 0 || compareProposals(c, &choices[free]) < 0) {
			free = i
		}
	}
	if free >= 0 && choices[free].worth(&choices[best]) {
		return free, true
	}
	return best, best >= 0
}

// worth reports whether c, which is changeable and refundable, is proposed instead of
// best: it is as good in everything but the price, which is only a little higher.
func (c *Choice) worth(best *Choice) bool {
	return c.Wished == best.Wished && c.Early == best.Early && c.Tight == best.Tight &&
		c.Spare.Grade.Urgency() == best.Spare.Grade.Urgency() &&
		c.Price().Minor*100 <= best.Price().Minor*(100+flexibleWorth)
}

// compareProposals compares two choices as proposals. Of those that arrive late or just
// in time, the earlier is better whatever it costs.
func compareProposals(a, b *Choice) int {
	if c := cmp.Or(CompareBool(b.Wished, a.Wished), CompareBool(a.Early, b.Early)); c != 0 {
		return c
	}
	if c := cmp.Compare(a.Spare.Grade.Urgency(), b.Spare.Grade.Urgency()); c != 0 {
		return c
	}
	if a.Spare.Grade.Urgent() {
		return cmp.Or(cmp.Compare(b.Spare.Left, a.Spare.Left), ByPrice(a, b))
	}
	return cmp.Or(cmp.Compare(a.worthPercent(), b.worthPercent()), cmp.Compare(a.Takes, b.Takes), ByPrice(a, b))
}

// worthPercent is a hundred times the price at which c is compared as a proposal.
func (c *Choice) worthPercent() int64 {
	percent := 100 + hourWorth*(c.Takes+c.Ground).Hours() + stopWorth*float64(c.Stops)
	if c.Tight {
		percent *= 1 + tightWorth/100.0
	}
	return int64(float64(c.Price().Minor) * percent)
}

// ByPrice compares two choices by price, then by arrival; no two are equal.
func ByPrice(a, b *Choice) int {
	return cmp.Or(cmp.Compare(a.Price().Minor, b.Price().Minor), a.Arrives.Compare(b.Arrives),
		strings.Compare(a.Key, b.Key))
}

// CompareBool orders false before true.
func CompareBool(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return 1
	}
	return -1
}
