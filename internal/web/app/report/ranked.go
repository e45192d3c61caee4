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

// A ranked is the largest groups of bookings, each a line of a table with bars in it.
type ranked struct {
	ID, Title string
	One, Many string // what the groups are
	Currency  string
	Rank      string
	Ranks     []rankChoice
	Rows      []rankedRow
	Rest      *rankedRow // all other groups; nil: there are none
	All       rankedRow
	Groups    int
	Answer    string
	Address   string
}

// A rankedRow is a group.
type rankedRow struct {
	Name     string
	Sub      string     // in smaller letters
	At       url.Values // of the report about it; nil: there is none
	Bookings figure
	Spend    figure   // in Currency
	Currency string   // that of the table
	tickets  *big.Rat // in that currency
	Co2      figure
}

// A figure is a number with its bar.
type figure struct {
	Words string
	Bar   string // in percent of the longest; empty: there is none
	of    *big.Rat
}

// groupsShown is how many groups a table has; the others are one line.
const groupsShown = 15

// A grouping is what bookings are grouped by.
type grouping struct {
	id, title, one, many string
	of                   subject
	columns              []string
	name                 func(values row) (name, sub string, at url.Values) // of a group
}

func (a *asked) byVessel() ranked {
	return a.ranked(grouping{"vessels", "By vessel", "vessel", "vessels", ofVessels, []string{"VesselName"},
		func(r row) (string, string, url.Values) {
			if r[0] == nil {
				return "No vessel named", "", nil
			}
			return r.text(0), "", url.Values{"vessel": {`"` + r.text(0) + `"`}}
		}})
}

func (a *asked) byRoute() ranked {
	return a.ranked(grouping{"routes", "By route", "route", "routes", ofRoutes,
		[]string{"FirstOrigin", "LastDestination"},
		func(r row) (string, string, url.Values) {
			if r[0] == nil || r[1] == nil {
				return "No flights known", "", nil
			}
			from, to := r.text(0), r.text(1)
			return from + " → " + to, place(from) + " to " + place(to),
				url.Values{"origin": {from}, "destination": {to}}
		}})
}

func (a *asked) byAirline() ranked {
	return a.ranked(grouping{"airlines", "By airline", "airline", "airlines", ofAirlines,
		[]string{"FarePlatingCarriers"},
		func(r row) (string, string, url.Values) {
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

// place names the city of an airport.
func place(code string) string {
	if a, ok := world.AirportOf(code); ok && a.City != "" {
		return a.City
	}
	return code
}

// ranked works out the largest groups, and all others together.
func (a *asked) ranked(g grouping) ranked {
	q := rankedQuestion(a.page.Filters, g.of, a.currency, a.page.Rank, g.columns...)
	out := ranked{ID: g.id, Title: g.title, One: g.one, Many: g.many, Currency: a.currency, Rank: a.page.Rank,
		Ranks: a.page.Ranks, Address: a.address(q)}
	rest, all := newRankedRow(), newRankedRow()
	for _, r := range a.ask(q) {
		out.Groups++
		measures := r[len(g.columns):]
		group := newRankedRow()
		for _, into := range []*rankedRow{&group, &all} {
			into.add(measures)
		}
		if out.Groups > groupsShown {
			rest.add(measures)
			continue
		}
		var at url.Values
		if group.Name, group.Sub, at = g.name(r); at != nil {
			group.At = a.page.with(at)
		}
		out.Rows = append(out.Rows, group)
	}
	all.Name = "All " + shell.Plural(out.Groups, g.one, g.many)
	if out.Groups == 1 {
		all.Name = "All"
	}
	if n := out.Groups - groupsShown; n > 0 {
		rest.Name = shell.Plural(n, "other", "others")
		out.Rest = &rest
	}
	out.All = all
	out.write()
	out.Answer = out.answer(rest)
	return out
}

func newRankedRow() rankedRow {
	return rankedRow{tickets: new(big.Rat), Bookings: figure{of: new(big.Rat)}, Spend: figure{of: new(big.Rat)},
		Co2: figure{of: new(big.Rat)}}
}

// add adds the measures of a group.
func (r *rankedRow) add(measures row) {
	r.Bookings.of.Add(r.Bookings.of, measures.number(bookingsAt))
	r.tickets.Add(r.tickets, measures.number(ticketsAt))
	r.Spend.of.Add(r.Spend.of, measures.number(spendAt))
	r.Co2.of.Add(r.Co2.of, measures.number(co2At))
}

// write writes the figures of all rows, with bars of those that are groups.
func (r *ranked) write() {
	rows := make([]*rankedRow, len(r.Rows))
	for i := range r.Rows {
		rows[i] = &r.Rows[i]
	}
	without := []*rankedRow{&r.All}
	if r.Rest != nil {
		without = append(without, r.Rest)
	}
	for _, m := range []struct {
		of    func(*rankedRow) *figure
		words func(*big.Rat) string
	}{
		{func(r *rankedRow) *figure { return &r.Spend }, func(n *big.Rat) string { return amount(n, r.Currency) }},
		{func(r *rankedRow) *figure { return &r.Co2 }, tonnes},
		{func(r *rankedRow) *figure { return &r.Bookings }, func(n *big.Rat) string { return words(n, 0) }},
	} {
		writeColumn(rows, without, m.of, m.words)
	}
	for _, row := range append(rows, without...) {
		row.Currency = r.Currency
		if row.tickets.Sign() == 0 {
			row.Spend.Words = "—" // it may have cost something in another currency
		}
	}
}

// writeColumn writes a figure of all rows of a table, of some of them with bars.
func writeColumn[T any](bars, without []*T, of func(*T) *figure, words func(*big.Rat) string) {
	longest := new(big.Rat)
	for _, row := range bars {
		if f := of(row); f.of.Cmp(longest) > 0 {
			longest = f.of
		}
	}
	for _, row := range bars {
		if f := of(row); f.of.Sign() > 0 {
			f.Bar = new(big.Rat).Mul(share(f.of, longest), big.NewRat(100, 1)).FloatString(1)
		}
	}
	for _, row := range append(bars[:len(bars):len(bars)], without...) {
		f := of(row)
		f.Words = words(f.of)
	}
}

// answer says how much the groups that are shown make of all.
func (r *ranked) answer(rest rankedRow) string {
	if r.Rest == nil {
		return fmt.Sprintf("%s, %s first.", shell.Plural(r.Groups, r.One, r.Many), r.order())
	}
	if last := r.Rows[len(r.Rows)-1]; last.by(r.Rank).Sign() == 0 {
		some := slices.IndexFunc(r.Rows, func(row rankedRow) bool { return row.by(r.Rank).Sign() == 0 })
		return fmt.Sprintf("Only %d of %s have %s.", some, shell.Plural(r.Groups, r.One, r.Many), r.rankWords())
	}
	of, other := r.All.by(r.Rank), rest.by(r.Rank)
	made := percent(share(new(big.Rat).Sub(of, other), of))
	return fmt.Sprintf("The %d with the %s of %s: %s of all %s.", groupsShown, r.order(),
		shell.Plural(r.Groups, r.One, r.Many), made, r.rankWords())
}

// by is the figure that rows are ordered by.
func (r rankedRow) by(rank string) *big.Rat {
	switch rank {
	case "Co2Kg":
		return r.Co2.of
	case "Bookings":
		return r.Bookings.of
	}
	return r.Spend.of
}

func (r *ranked) order() string { return "most " + r.rankWords() }

func (r *ranked) rankWords() string {
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
