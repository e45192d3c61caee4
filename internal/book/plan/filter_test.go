package plan

import (
	"slices"
	"testing"

	"gangway/internal/book/flight"
)

func offers(choices []Choice) []flight.Offer {
	var list []flight.Offer
	for _, c := range choices {
		list = append(list, *c.Offer)
	}
	return list
}

// valuesOf returns the values that c has of a facet.
func valuesOf(c *Choice, f Facet) (list []string) {
	if f >= Airlines {
		return c.codes()[f-Airlines]
	}
	for i, v := range facetValues[f] {
		if c.marks[f]&(1<<i) != 0 {
			list = append(list, v)
		}
	}
	return list
}

// TestCount checks that counting by marks gives the same as testing every choice, each flight once
// however many of its fares pass.
func TestCount(t *testing.T) {
	choices := sample(t)
	for i := range choices {
		at := "BRU"
		if slices.Contains(choices[i].Airlines, "EK") {
			at = "AMS"
		}
		choices[i].PortAirports = []string{at}
	}
	for _, tt := range []struct {
		name string
		want func(*Filter)
	}{
		{"all", func(*Filter) {}},
		{"direct", func(f *Filter) { f.Want(Stops, "0") }},
		{"either number of stops", func(f *Filter) { f.Want(Stops, "0"); f.Want(Stops, "1") }},
		{"by one airline", func(f *Filter) { f.Want(Airlines, "EK") }},
		{"by one airport of the port", func(f *Filter) { f.Want(PortAirports, "AMS"); f.Want(Stops, "1") }},
		{"refundable, by one airline", func(f *Filter) { f.Want(Rules, "refund"); f.Want(Airlines, "EK") }},
		{"a value that no choice has", func(f *Filter) { f.Want(Fare, "charter") }},
		{"not dear", func(f *Filter) { f.CostAtMost("482") }},
		{"cheap and direct", func(f *Filter) { f.CostAtMost("482"); f.Want(Stops, "0") }},
	} {
		var f Filter
		tt.want(&f)
		got := f.Count(choices)
		for facet := range facetsAll {
			others := f
			if facet >= Airlines {
				others.codes[facet-Airlines] = nil
			} else {
				others.wanted[facet] = 0
			}
			want, flown := map[string]int{}, map[string]map[uint64]bool{}
			for i := range choices {
				for _, v := range valuesOf(&choices[i], facet) {
					if flown[v] == nil {
						flown[v] = map[uint64]bool{}
					}
					if others.Keeps(&choices[i]) {
						flown[v][choices[i].flown] = true
					}
					want[v] = len(flown[v])
				}
			}
			for v, n := range want {
				if got[facet][v] != n {
					t.Errorf("%s: facet %d counts %d of %q; want %d", tt.name, facet, got[facet][v], v, n)
				}
			}
			if len(got[facet]) != len(want) {
				t.Errorf("%s: facet %d has the values %v; want %v", tt.name, facet, got[facet], want)
			}
		}
	}
}
