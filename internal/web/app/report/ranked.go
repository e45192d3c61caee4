package report

import (
	"fmt"
	"math/big"
	"net/url"
	"slices"
	"strings"

	"gangway/internal/web/app/shell"
	"gangway/internal/world"
)

// A ranking is the largest groups of bookings or flights, each a line of a table with bars in it.
type ranking struct {
	grouping
	Currency string
	Rank     string
	Ranks    []rankChoice
	Rows     []rankedRow
	Rest     *rankedRow // all other groups; nil: there are none
	All      rankedRow
	Groups   int
	Answer   string
	Address  string
}

// A rankedRow is a group.
type rankedRow struct {
	Name    string
	Sub     string     // in smaller letters
	At      url.Values // of the report about it; nil: there is none
	Figures []figure   // in the order of the columns
	tickets *big.Rat   // in the table's currency
}

// A figure is a number with its bar.
type figure struct {
	Label string // of its column, where there is no room for columns
	Words string
	At    url.Values // of the list of the bookings behind it; nil: there is none
	Was   string     // that of the year before; empty: there is none
	Bar   string     // in percent of the longest; empty: there is none
	of    *big.Rat
}

// groupsShown is how many groups a table has; the others are one line.
const groupsShown = 15

// A grouping is what rows are grouped by, and what a table shows of each group.
type grouping struct {
	ID, Title string
	Head      string // of the first column
	one, many string // what the groups are
	keys      int    // of a group
	Columns   []rankedColumn
	name      func(values row) (name, sub string, at url.Values) // of a group
}

// A rankedColumn shows a measure.
type rankedColumn struct {
	Head, label string
	at          int // behind the keys of a group
	words       func(*big.Rat) string
	of          string // which bookings it is made of; none: it is no figure of bookings
}

// columnsIn are the columns of groups of bookings, with money in a currency.
func columnsIn(currency string) []rankedColumn {
	return []rankedColumn{
		{"Spend, " + currency, "Spend, " + currency, spendAt, func(n *big.Rat) string { return amount(n, currency) },
			"tickets"},
		{"Emissions, t CO₂e", "Emissions, t", co2At, tonnes, "standing"},
		{"Bookings", "Bookings", bookingsAt, whole, "all"},
	}
}

// whole writes a number without decimals.
func whole(n *big.Rat) string { return words(n, 0) }

func (a *asked) byVessel() ranking {
	return a.ranked(ofVessels, []string{"VesselName"}, grouping{ID: "vessels", Title: "By vessel", one: "vessel",
		many: "vessels", name: func(r row) (string, string, url.Values) {
			if r[0] == nil {
				return "No vessel named", "", nil
			}
			return r.text(0), "", url.Values{"vessel": {`"` + r.text(0) + `"`}}
		}})
}

// byField groups bookings by a field of the customer's own.
func (a *asked) byField() ranking {
	field := a.page.Field
	out := a.ranked(ofField, nil, grouping{ID: "fields", Title: "By " + field, one: "value", many: "values", keys: 1,
		name: func(r row) (string, string, url.Values) {
			if r[0] == nil {
				return "Not given", "", nil
			}
			return r.text(0), "", url.Values{"field": {field}, "value": {r.text(0)}}
		}})
	out.Head, out.Address = field, ""
	return out
}

func (a *asked) byRoute() ranking {
	return a.ranked(ofRoutes, []string{"FirstOrigin", "LastDestination"}, grouping{ID: "routes", Title: "By route",
		one: "route", many: "routes", name: func(r row) (string, string, url.Values) {
			if r[0] == nil || r[1] == nil {
				return "No flights known", "", nil
			}
			from, to := r.text(0), r.text(1)
			return from + " → " + to, place(from) + " to " + place(to),
				url.Values{"origin": {from}, "destination": {to}}
		}})
}

func (a *asked) byAirline() ranking {
	return a.ranked(ofAirlines, []string{"FarePlatingCarriers"}, grouping{ID: "airlines", Title: "By airline",
		one: "airline", many: "airlines", name: func(r row) (string, string, url.Values) {
			if r[0] == nil {
				return "Not known", "", nil
			}
			code := r.text(0)
			airline, known := world.AirlineOf(code)
			if !known {
				return code, "", url.Values{"airline": {code}}
			}
			return airline.Name, code, url.Values{"airline": {code}}
		}})
}

// ranked works out the largest groups of bookings with the same values in some columns.
func (a *asked) ranked(of subject, keys []string, g grouping) ranking {
	g.Head, g.keys, g.Columns = shell.Capital(g.one), max(g.keys, len(keys)), columnsIn(a.currency)
	q := rankedQuestion(a.page.Filters, of, a.currency, a.page.Rank, keys...)
	out := a.largest(q, g)
	out.Currency, out.Rank, out.Ranks = a.currency, a.page.Rank, a.page.Ranks
	for i := range out.Rows {
		out.Rows[i].dash()
	}
	if out.All.dash(); out.Rest != nil {
		out.Rest.dash()
	}
	out.Answer = out.answer()
	return out
}

// dash has a row without tickets say nothing of spend: it may have cost something in another currency.
func (r *rankedRow) dash() {
	if r.tickets.Sign() == 0 {
		r.Figures[0].Words = "—"
	}
}

// flights works out which airlines fly the most. The other table of airlines counts each booking for the one that
// issued its tickets; this counts each flight for the one that sells it.
func (a *asked) flights() ranking {
	out := a.largest(flightsQuestion(a.page.Filters), grouping{ID: "flights", Title: "Flights by airline",
		Head: "Airline that sells the flight", one: "airline", many: "airlines", keys: 2,
		Columns: []rankedColumn{{"Flights", "Flights", 0, whole, ""}, {"km", "km", 1, whole, ""},
			{"Emissions, t CO₂e", "Emissions, t", 2, tonnes, ""}},
		name: func(r row) (string, string, url.Values) {
			switch {
			case r[0] == nil && r[1] == nil:
				return "Not known", "", nil
			case r[1] == nil || r.text(1) == r.text(0):
				return r.text(0), "", nil
			}
			return r.text(1), r.text(0), nil
		}})
	all := out.All.Figures[0]
	switch {
	case out.Groups == 0:
		out.Answer = "No booking here stands."
	case out.Rest == nil:
		out.Answer = all.Words + " flights of bookings that stand, for each airline that sells them."
	default:
		shown := new(big.Rat).Sub(all.of, out.Rest.Figures[0].of)
		out.Answer = fmt.Sprintf("The %d with the most flights of %d airlines: %s of all %s flights of bookings that "+
			"stand.", groupsShown, out.Groups, percent(share(shown, all.of)), all.Words)
	}
	return out
}

// place names the city of an airport.
func place(code string) string {
	if a, ok := world.AirportOf(code); ok && a.City != "" {
		return a.City
	}
	return code
}

// largest works out the largest groups, and all others together.
func (a *asked) largest(q question, g grouping) ranking {
	out := ranking{grouping: g, Address: a.address(q), All: g.row()}
	others, was := g.row(), a.was(q)
	for _, r := range a.ask(q) {
		out.Groups++
		out.All.add(g, r)
		if out.Groups > groupsShown {
			others.add(g, r)
			continue
		}
		group, at := g.row(), url.Values(nil)
		group.add(g, r)
		if group.Name, group.Sub, at = g.name(r); at != nil {
			group.At = a.page.with(at)
		}
		for i, c := range g.Columns {
			group.Figures[i].At = a.behindColumn(group.At, c)
			if before := was[keyOf(r[:g.keys])]; before != nil {
				group.Figures[i].Was = c.words(before[g.keys:].number(c.at))
			}
		}
		out.Rows = append(out.Rows, group)
	}
	out.All.Name = "All " + shell.Plural(out.Groups, g.one, g.many)
	if out.Groups == 1 {
		out.All.Name = "All"
	}
	for i, c := range g.Columns {
		out.All.Figures[i].At = a.behindColumn(a.page.with(nil), c)
		sum := new(big.Rat)
		for _, before := range was {
			sum.Add(sum, before[g.keys:].number(c.at))
		}
		if len(was) > 0 {
			out.All.Figures[i].Was = c.words(sum)
		}
	}
	if n := out.Groups - groupsShown; n > 0 {
		others.Name = shell.Plural(n, "other", "others")
		out.Rest = &others
	}
	out.write()
	return out
}

// behindColumn is where the bookings behind a figure of a column are listed, of the report at an address.
func (a *asked) behindColumn(at url.Values, c rankedColumn) url.Values {
	switch {
	case at == nil || c.of == "":
		return nil
	case c.of == "all":
		return behind(at, "")
	}
	at = behind(at, c.of)
	if c.of == "tickets" {
		at.Set("currency", a.currency)
	}
	return at
}

// row returns a row of nothing.
func (g grouping) row() rankedRow {
	r := rankedRow{tickets: new(big.Rat)}
	for _, c := range g.Columns {
		r.Figures = append(r.Figures, figure{Label: c.label, of: new(big.Rat)})
	}
	return r
}

// add adds the measures of a group.
func (r *rankedRow) add(g grouping, group row) {
	measures := group[g.keys:]
	for i, c := range g.Columns {
		r.Figures[i].of.Add(r.Figures[i].of, measures.number(c.at))
	}
	r.tickets.Add(r.tickets, measures.number(ticketsAt))
}

// write writes the figures of all rows, with bars of those that are groups.
func (r *ranking) write() {
	for i, c := range r.Columns {
		longest := new(big.Rat)
		for _, row := range r.Rows {
			if n := row.Figures[i].of; n.Cmp(longest) > 0 {
				longest = n
			}
		}
		for _, row := range r.Rows {
			f := &row.Figures[i]
			if f.Words = c.words(f.of); f.of.Sign() > 0 {
				f.Bar = new(big.Rat).Mul(share(f.of, longest), big.NewRat(100, 1)).FloatString(1)
			}
		}
		r.All.Figures[i].Words = c.words(r.All.Figures[i].of)
		if r.Rest != nil {
			r.Rest.Figures[i].Words = c.words(r.Rest.Figures[i].of)
		}
	}
}

// answer says how much the groups that are shown make of all.
func (r *ranking) answer() string {
	groups := shell.Plural(r.Groups, r.one, r.many)
	if r.Rest == nil {
		return fmt.Sprintf("%s, most %s first.", groups, r.rankWords())
	}
	isNone := func(row rankedRow) bool { return row.by(r.Rank).Sign() == 0 }
	if some := slices.IndexFunc(r.Rows, isNone); isNone(r.Rows[len(r.Rows)-1]) {
		return fmt.Sprintf("Only %d of %s have %s.", some, groups, r.rankWords())
	}
	of, other := r.All.by(r.Rank), r.Rest.by(r.Rank)
	made := percent(share(new(big.Rat).Sub(of, other), of))
	return fmt.Sprintf("The %d with the most %s of %s: %s of all %s.", groupsShown, r.rankWords(), groups, made,
		r.rankWords())
}

// by is the figure that rows are ordered by.
func (r rankedRow) by(rank string) *big.Rat {
	return r.Figures[map[string]int{"Co2Kg": 1, "Bookings": 2}[rank]].of
}

func (r *ranking) rankWords() string {
	for _, choice := range ranks {
		if choice.value == r.Rank {
			if choice.value == "Spend" {
				return choice.words + " in " + r.Currency
			}
			return choice.words
		}
	}
	return strings.ToLower(r.Rank)
}
