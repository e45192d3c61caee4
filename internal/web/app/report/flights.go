package report

import (
	"fmt"
	"math/big"

	"gangway/internal/web/app/shell"
)

// A flown is the airlines with the most flights. The other table of airlines counts each booking for the one that
// issued its tickets; this counts each flight for the one that sells it.
type flown struct {
	Rows     []flownRow
	Rest     *flownRow // all other airlines; nil: there are none
	All      flownRow
	Airlines int
	Answer   string
	Address  string
}

// A flownRow is an airline.
type flownRow struct {
	Name, Sub        string
	Flights, Km, Co2 figure
}

func newFlownRow() flownRow {
	return flownRow{Flights: figure{of: new(big.Rat)}, Km: figure{of: new(big.Rat)}, Co2: figure{of: new(big.Rat)}}
}

// add adds the flights, kilometres and emissions of a group.
func (r *flownRow) add(measures row) {
	r.Flights.of.Add(r.Flights.of, measures.number(0))
	r.Km.of.Add(r.Km.of, measures.number(1))
	r.Co2.of.Add(r.Co2.of, measures.number(2))
}

// flights works out which airlines fly the most.
func (a *asked) flights() flown {
	q := flightsQuestion(a.page.Filters)
	out := flown{All: newFlownRow(), Address: a.address(q)}
	rest := newFlownRow()
	for _, r := range a.ask(q) {
		out.Airlines++
		out.All.add(r[2:])
		if out.Airlines > groupsShown {
			rest.add(r[2:])
			continue
		}
		one := newFlownRow()
		one.add(r[2:])
		switch {
		case r[0] == nil && r[1] == nil:
			one.Name = "Not known"
		case r[1] == nil || r.text(1) == r.text(0):
			one.Name = r.text(0)
		default:
			one.Name, one.Sub = r.text(1), r.text(0)
		}
		out.Rows = append(out.Rows, one)
	}
	out.All.Name = "All " + shell.Plural(out.Airlines, "airline", "airlines")
	without := []*flownRow{&out.All}
	if n := out.Airlines - groupsShown; n > 0 {
		rest.Name = shell.Plural(n, "other", "others")
		out.Rest = &rest
		without = append(without, &rest)
	}
	rows := make([]*flownRow, len(out.Rows))
	for i := range out.Rows {
		rows[i] = &out.Rows[i]
	}
	whole := func(n *big.Rat) string { return words(n, 0) }
	writeColumn(rows, without, func(r *flownRow) *figure { return &r.Flights }, whole)
	writeColumn(rows, without, func(r *flownRow) *figure { return &r.Km }, whole)
	writeColumn(rows, without, func(r *flownRow) *figure { return &r.Co2 }, tonnes)
	out.Answer = out.answer()
	return out
}

// answer says how many flights there are, and how many are shown.
func (f flown) answer() string {
	switch {
	case f.Airlines == 0:
		return "No booking here stands."
	case f.Rest == nil:
		return f.All.Flights.Words + " flights of bookings that stand, for each airline that sells them."
	}
	shown := new(big.Rat).Sub(f.All.Flights.of, f.Rest.Flights.of)
	return fmt.Sprintf("The %d with the most flights of %d airlines: %s of all %s flights of bookings that stand.",
		groupsShown, f.Airlines, percent(share(shown, f.All.Flights.of)), f.All.Flights.Words)
}
