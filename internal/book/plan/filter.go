package plan

import (
	"slices"

	"gangway"
)

// A Filter is which choices are looked at: of each facet those that have any
// of the values that are wanted, or all where none is.
type Filter struct {
	wanted   marks
	airlines []string
	most     string           // price at most, in whole units of whatever currency; empty: any
	limits   map[string]int64 // the same by currency, in minor units; below zero: none
}

// Want lets through what has a value of a facet, besides others of the same.
func (f *Filter) Want(facet Facet, value string) {
	if facet == Airlines {
		f.airlines = append(f.airlines, value)
		return
	}
	f.wanted[facet] |= markOf(facet, value)
}

// CostAtMost lets through what costs no more. What is no amount is not asked.
func (f *Filter) CostAtMost(amount string) { f.most, f.limits = amount, map[string]int64{} }

// Keeps reports whether f lets c through.
func (f *Filter) Keeps(c *Choice) bool {
	_, fails := f.fails(c)
	return fails == 0
}

// fails returns how many of the facets keep c out, and the last of them; a
// price above the limit counts for two, since it keeps c out of every count.
func (f *Filter) fails(c *Choice) (last Facet, n int) {
	for i := range f.wanted {
		if f.wanted[i] != 0 && f.wanted[i]&c.marks[i] == 0 {
			last, n = Facet(i), n+1
		}
	}
	if len(f.airlines) > 0 && !slices.ContainsFunc(c.Airlines, func(code string) bool {
		return slices.Contains(f.airlines, code)
	}) {
		last, n = Airlines, n+1
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

// Counts is, for each facet, how many choices have each of its values and are
// let through by all other facets. A value that only others keep out counts none.
type Counts [facetsAll]map[string]int

// Count counts the choices of several people.
func (f *Filter) Count(lists ...[]Choice) Counts {
	var n [Airlines][8]int
	var seen marks
	airlines := map[string]int{}
	for _, choices := range lists {
		for i := range choices {
			c := &choices[i]
			last, fails := f.fails(c)
			for facet, has := range c.marks {
				seen[facet] |= has
				if fails > 0 && (fails > 1 || last != Facet(facet)) {
					continue
				}
				for bit := 0; has != 0; bit, has = bit+1, has>>1 {
					n[facet][bit] += int(has & 1)
				}
			}
			kept := 0
			if fails == 0 || fails == 1 && last == Airlines {
				kept = 1
			}
			for _, code := range c.Airlines {
				airlines[code] += kept
			}
		}
	}
	counts := Counts{Airlines: airlines}
	for facet, values := range facetValues {
		counts[facet] = map[string]int{}
		for bit, v := range values {
			if seen[facet]&(1<<bit) != 0 {
				counts[facet][v] = n[facet][bit]
			}
		}
	}
	return counts
}
