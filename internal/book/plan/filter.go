package plan

import (
	"slices"

	"gangway/internal/gangway"
)

// A Filter selects choices: in each facet those with any of the wanted values, or
// all if none is wanted.
type Filter struct {
	wanted marks
	codes  codes
	most   string           // the highest price, in whole units of any currency; empty: any
	limits map[string]int64 // the same by currency, in minor units; below zero: none
}

// Want lets choices with a value of a facet through, besides other values of the facet.
func (f *Filter) Want(facet Facet, value string) {
	if facet >= Airlines {
		f.codes[facet-Airlines] = append(f.codes[facet-Airlines], value)
		return
	}
	f.wanted[facet] |= markOf(facet, value)
}

// CostAtMost lets choices through that cost no more. Text that is not an amount is ignored.
func (f *Filter) CostAtMost(amount string) { f.most, f.limits = amount, map[string]int64{} }

// Keeps reports whether f lets c through.
func (f *Filter) Keeps(c *Choice) bool {
	_, fails := f.fails(c)
	return fails == 0
}

// fails returns how many of the facets exclude c, and the last of them; a price
// above the limit counts for two, because it excludes c from every count.
func (f *Filter) fails(c *Choice) (last Facet, n int) {
	for i := range f.wanted {
		if f.wanted[i] != 0 && f.wanted[i]&c.marks[i] == 0 {
			last, n = Facet(i), n+1
		}
	}
	for i, has := range c.codes() {
		if len(f.codes[i]) > 0 && len(has) > 0 && !slices.ContainsFunc(has, func(code string) bool {
			return slices.Contains(f.codes[i], code)
		}) {
			last, n = Airlines+Facet(i), n+1
		}
	}
	if f.most != "" && !f.affords(c.Price()) {
		n += 2
	}
	return last, n
}

func (f *Filter) affords(price gangway.Money) bool {
	limit, known := f.limits[price.Currency]
	if !known {
		limit = -1
		if m, err := gangway.ParseMoney(f.most + " " + price.Currency); err == nil {
			limit = m.Minor
		}
		f.limits[price.Currency] = limit
	}
	return limit < 0 || price.Minor <= limit
}

// Counts has, for each facet and value, how many flights have a fare with that value that passes all
// other facets. A value whose choices are all excluded has no entry.
type Counts [facetsAll]map[string]int

// A countedMarks is what a flight has been counted for, on any of its fares.
type countedMarks struct {
	marks marks
	codes [facetsAll - Airlines]bool
}

// Count counts the flights of several people.
func (f *Filter) Count(lists ...[]Choice) Counts {
	var n [Airlines][8]int
	var seen marks
	var counts Counts
	for facet := range counts {
		counts[facet] = map[string]int{}
	}
	for _, choices := range lists {
		counted := make(map[uint64]*countedMarks, len(choices))
		for i := range choices {
			c := &choices[i]
			flight := counted[c.flown]
			if flight == nil {
				flight = &countedMarks{}
				counted[c.flown] = flight
			}
			last, fails := f.fails(c)
			for facet, has := range c.marks {
				seen[facet] |= has
				if fails > 0 && (fails > 1 || last != Facet(facet)) {
					continue
				}
				has, flight.marks[facet] = has&^flight.marks[facet], has|flight.marks[facet]
				for bit := 0; has != 0; bit, has = bit+1, has>>1 {
					n[facet][bit] += int(has & 1)
				}
			}
			for i, has := range c.codes() {
				facet, kept := Airlines+Facet(i), 0
				if !flight.codes[i] && (fails == 0 || fails == 1 && last == facet) {
					kept, flight.codes[i] = 1, true
				}
				for _, code := range has {
					counts[facet][code] += kept
				}
			}
		}
	}
	for facet, values := range facetValues {
		for bit, v := range values {
			if seen[facet]&(1<<bit) != 0 {
				counts[facet][v] = n[facet][bit]
			}
		}
	}
	return counts
}
