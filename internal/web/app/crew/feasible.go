package crew

import (
	"gangway"
	"gangway/internal/book"
	"gangway/internal/book/flight"
	"gangway/internal/book/plan"
	"gangway/internal/web/app/shell"
)

// A canWords says of somebody whose flights are not found yet whether the
// traveller can be there in time.
type canWords struct {
	Class string // "" or "act"
	Words string // empty when it is not known
}

// canBe puts into words what is known of a member's way before flights are.
func canBe(r book.Reach, m gangway.SearchMember) canWords {
	if !r.Known || len(m.Legs) == 0 {
		return canWords{}
	}
	leg := m.Legs[len(m.Legs)-1]
	switch {
	case !r.OK && leg.ArriveOn != "":
		return canWords{"act", "cannot be there by then"}
	case !r.OK:
		return canWords{"act", "no way on that day"}
	}
	there := r.Arrival.Add(flight.GroundTo(leg.Destination, r.To))
	leaves := r.Departure.Add(-flight.GroundTo(leg.Origin, r.From))
	return canWords{Words: "can be there " + there.Format("Mon 15:04") + ", leaving " + leaves.Format("Mon 15:04")}
}

// A dayRow is a day on which the crew change could be.
type dayRow struct {
	plan.Day
	Booked int // who are booked already
	Fit    int // and would be in time with that
}

func dayRows(days []plan.Day) []dayRow {
	var rows []dayRow
	for _, d := range days {
		rows = append(rows, dayRow{Day: d})
	}
	return rows
}

// Words says it in few words.
func (d dayRow) Words() string {
	if d.All() {
		return "all " + shell.Number(d.Of)
	}
	return shell.Number(d.Can) + " of " + shell.Number(d.Of)
}

// Class says how it is to be taken.
func (d dayRow) Class() string {
	if d.All() {
		return "good"
	}
	return "act"
}

// Sign goes with the class.
func (d dayRow) Sign() string {
	if d.All() {
		return "✓"
	}
	return "!"
}
