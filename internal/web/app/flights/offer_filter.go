package flights

import (
	"cmp"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"gangway/internal/book/plan"
	"gangway/internal/gangway"
	"gangway/internal/world"
)

// A facetRule says how the page shows one property to filter offers by.
type facetRule struct {
	Name   string // in the address
	Legend string
	facet  plan.Facet
	label  func(string) string
	order  []string // values in the order to show them; others follow, most frequent first
}

// facetRules lists the filters in the order of the page. To add one, add a line
// here and its values in package plan.
var facetRules = []facetRule{
	{"stops", "Stops", plan.Stops, labels(map[string]string{"0": "Direct", "1": "1 stop", "2": "2 or more"}),
		[]string{"0", "1", "2"}},
	{"connection", "Connections", plan.Connections,
		labels(map[string]string{"safe": "No tight ones", "tight": "Tight ones"}), []string{"safe", "tight"}},
	{"layover", "Longest layover", plan.LongestLayover, labels(map[string]string{"3": "Up to 3 h", "6": "3 to 6 h",
		"10": "6 to 10 h", "more": "More than 10 h"}), []string{"3", "6", "10", "more"}},
	{"fare", "Fare", plan.Fare, labels(map[string]string{"marine": "Marine", "public": "Public"}),
		[]string{"marine", "public"}},
	{"rule", "Rules", plan.Rules, labels(map[string]string{"refund": "Refundable", "change": "Changeable"}),
		[]string{"refund", "change"}},
	{"bags", "Baggage", plan.Baggage, labels(map[string]string{"0": "None", "1": "1 bag", "2": "2 bags or more"}),
		[]string{"2", "1", "0"}},
	{"leave", "Departure, local", plan.Leaves, windowLabel, windows},
	{"land", "Arrival, local", plan.Lands, windowLabel, windows},
	{"airport", "Airport of the port", plan.PortAirports, func(v string) string { return PlaceLabel(gangway.Place(v)) },
		nil},
	{"co2", "CO₂e", plan.CarbonShare, labels(map[string]string{"less": "Below the median", "more": "Above"}),
		[]string{"less", "more"}},
	{"airline", "Airlines", plan.Airlines, world.AirlineName, nil},
}

func labels(words map[string]string) func(string) string {
	return func(v string) string { return cmp.Or(words[v], v) }
}

// windows are the quarters of the day.
var windows = []string{"00", "06", "12", "18"}

func windowLabel(w string) string {
	from, err := strconv.Atoi(w)
	if err != nil {
		return w
	}
	return w + ":00–" + strconv.Itoa(from+5) + ":59"
}

// A filter is which offers a reader wants to see. It lives in the address, so that a
// link shows another reader the same.
type filter struct {
	chosen map[string][]string // by facet
	Max    string              // price at most, as typed: whole units of the currency
	Sort   string
	Show   int // rows shown of the list
	By     *plan.Filter
}

// rowsShown is how many flights a list shows at first; a click shows more.
const rowsShown = 40

func readFilter(q url.Values) filter {
	f := filter{chosen: map[string][]string{}, Max: strings.TrimSpace(q.Get("max")), Sort: q.Get("sort"),
		Show: rowsShown, By: &plan.Filter{}}
	for _, rule := range facetRules {
		for _, v := range q[rule.Name] {
			if v != "" && !slices.Contains(f.chosen[rule.Name], v) {
				f.chosen[rule.Name] = append(f.chosen[rule.Name], v)
				f.By.Want(rule.facet, v)
			}
		}
	}
	if f.Max != "" {
		f.By.CostAtMost(f.Max)
	}
	if _, ok := sorts[f.Sort]; !ok {
		f.Sort = ""
	}
	if n, err := strconv.Atoi(q.Get("show")); err == nil && n > rowsShown {
		f.Show = n
	}
	return f
}

// On counts the choices that f makes.
func (f filter) On() int {
	n := 0
	for _, values := range f.chosen {
		n += len(values)
	}
	if f.Max != "" {
		n++
	}
	return n
}

// apply returns the flights with a fare that f lets through, in its order.
func (f filter) apply(choices []plan.Choice) []plan.Flight {
	var kept []*plan.Choice
	for i := range choices {
		if f.By.Keeps(&choices[i]) {
			kept = append(kept, &choices[i])
		}
	}
	list := plan.ByFlight(kept)
	slices.SortStableFunc(list, func(a, b plan.Flight) int { return sorts[f.Sort](a.Best(), b.Best()) })
	return list
}

// sorts are the orders of a list; ties go by price, then arrival. Until a reader chooses one, what the customer's
// system asked for comes first.
var sorts = map[string]func(a, b *plan.Choice) int{
	"": func(a, b *plan.Choice) int {
		return cmp.Or(plan.CompareBool(b.Wished || b.Nearest, a.Wished || a.Nearest), plan.CrewByPrice(a, b))
	},
	"price":     plan.CrewByPrice,
	"arrival":   func(a, b *plan.Choice) int { return cmp.Or(a.Arrives.Compare(b.Arrives), plan.ByPrice(a, b)) },
	"departure": func(a, b *plan.Choice) int { return cmp.Or(a.Departs.Compare(b.Departs), plan.ByPrice(a, b)) },
	"duration":  func(a, b *plan.Choice) int { return cmp.Or(cmp.Compare(a.Takes, b.Takes), plan.ByPrice(a, b)) },
	"spare": func(a, b *plan.Choice) int {
		return cmp.Or(cmp.Compare(b.Spare.Left, a.Spare.Left), plan.ByPrice(a, b))
	},
}

// A facet is a filter as the page shows it.
type facet struct {
	Name, Legend string
	Choices      []facetChoice
}

// A facetChoice is one value of a filter and how many flights it would leave.
type facetChoice struct {
	Name         string // of the filter
	Value, Label string
	Count        int
	On           bool
}

// airlinesShown bounds the longest of the filters.
const airlinesShown = 12

// facets counts, for each choice of each filter, the flights that have it and pass all
// other filters. A filter without a choice is not shown.
func (f filter) facets(lists ...[]plan.Choice) []facet {
	all := f.By.Count(lists...)
	var list []facet
	for _, rule := range facetRules {
		counts := all[rule.facet]
		for _, v := range f.chosen[rule.Name] {
			counts[v] += 0
		}
		values := rule.sorted(counts)
		out := facet{Name: rule.Name, Legend: rule.Legend}
		for i, v := range values {
			on := slices.Contains(f.chosen[rule.Name], v)
			if i >= airlinesShown && !on {
				continue
			}
			out.Choices = append(out.Choices, facetChoice{rule.Name, v, rule.label(v), counts[v], on})
		}
		if len(out.Choices) > 1 || len(f.chosen[rule.Name]) > 0 {
			list = append(list, out)
		}
	}
	return list
}

// sorted returns the values counted, in the rule's order.
func (r facetRule) sorted(counts map[string]int) []string {
	return slices.SortedFunc(maps.Keys(counts), func(a, b string) int {
		i, j := slices.Index(r.order, a), slices.Index(r.order, b)
		if i >= 0 && j >= 0 {
			return cmp.Compare(i, j)
		}
		return cmp.Or(cmp.Compare(counts[b], counts[a]), strings.Compare(a, b))
	})
}
