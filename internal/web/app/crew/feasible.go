package crew

import (
	"gangway/internal/book"
	"gangway/internal/book/flight"
	"gangway/internal/book/plan"
	"gangway/internal/gangway"
	"gangway/internal/web/app/shell"
)

// A canWords says whether a traveller whose flights are still being found can be there
// in time.
type canWords struct {
	Class string // "" or "act"
	Words string // empty when it is not known
}

// canBe puts into words what is known of a member's route before the flights are known.
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
	Booked int // how many are booked already
	Fit    int // how many of them would be in time
}

func dayRows(days []plan.Day) []dayRow {
	var rows []dayRow
	for _, d := range days {
		rows = append(rows, dayRow{Day: d})
	}
	return rows
}

// OK reports whether everybody can be there, and everybody booked is.
func (d dayRow) OK() bool { return d.All() && d.Fit == d.Booked }

// Words says briefly how many can be there.
func (d dayRow) Words() string {
	switch {
	case d.OK():
		return "all " + shell.Number(d.Of) + " can make it"
	case d.All():
		return "flights exist for all " + shell.Number(d.Of)
	}
	return shell.Number(d.Can) + " of " + shell.Number(d.Of) + " can make it"
}

// Class is the colour class of the day: none where there are flights for everybody, but some are booked on others.
func (d dayRow) Class() string {
	switch {
	case d.OK():
		return "good"
	case d.All():
		return ""
	}
	return "act"
}

// Sign goes with the class.
func (d dayRow) Sign() string { return map[string]string{"good": "✓", "act": "!"}[d.Class()] }
