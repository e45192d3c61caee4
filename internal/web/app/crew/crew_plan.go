package crew

import (
	"slices"

	"gangway/internal/book"
	"gangway/internal/book/plan"
	"gangway/internal/gangway"
	"gangway/internal/web/app/flights"
	"gangway/internal/web/app/shell"
)

// planChange says that the crew change is not what the search was for, or no longer
// is.
type planChange struct {
	Words   []string
	Change  string // its key, to search for flights again
	Airport string
}

// planNews returns what has changed in the crew change since the search, or nil when
// nothing has.
func planNews(v flights.SearchView) *planChange {
	if !v.Planned.Uploaded() {
		return nil
	}
	n := planChange{Change: v.Change, Airport: flights.PlaceLabel(v.Planned.Place)}
	if v.Planned.Place != v.Airport || v.Planned.Date != v.Date {
		n.Words = append(n.Words, "The ship is now "+whereWhen(v.Planned.Place, v.Planned.Date)+
			". These flights are for the ship "+whereWhen(v.Airport, v.Date)+".")
	}
	if of := absentees(v); of > 0 {
		n.Words = append(n.Words, shell.Plural(of, "traveller of the crew change is",
			"travellers of the crew change are")+" not in this search.")
	}
	if n.Words == nil {
		return nil
	}
	return &n
}

// absentees returns how many people of the crew change are not in the search.
func absentees(v flights.SearchView) int {
	n := 0
	for _, of := range v.Planned.Missing {
		n += of
	}
	return n
}

func whereWhen(place gangway.Place, date gangway.Date) string {
	words := ""
	if place != "" {
		words = "at " + book.ShortPlace(place) + " "
	}
	if !date.Valid() {
		return words + "on a day that nobody has named"
	}
	return words + "on " + shell.DayInWords(date)
}

// besidesShown is how many unneeded bookings are named.
const besidesShown = 100

// besides bounds the list of bookings that no member counts as booked by.
func (p *crewPage) besides() {
	if n := len(p.Beside) - besidesShown; n > 0 {
		p.Beside, p.Besides = p.Beside[:besidesShown], n
	}
}

// bookedOn adds to each day how many of the people already booked would be in time with
// their flights if the ship were at a place on that day.
func bookedOn(v flights.SearchView, days []dayRow, at gangway.Place) []dayRow {
	days = slices.Clone(days)
	for i, b := range v.Booked {
		if v.Fits[i].Unneeded != "" {
			continue
		}
		for n := range days {
			m := v.Members[i]
			m.Legs = slices.Clone(m.Legs)
			plan.MoveMember(&m, v.Search, at, days[n].Date)
			days[n].Booked++
			if v.Planned.FitIf(m, b).OK() {
				days[n].Fit++
			}
		}
	}
	return days
}

// bookedWords says how many are booked as planned, in which states, and how many bookings are not needed as they are.
func bookedWords(booked int, people string, states, misfits []string, unneeded int) string {
	line := shell.Number(booked) + " of " + people + " booked"
	if len(states) > 0 {
		line += ": " + shell.Tally(states)
		if more := booked - len(states); more > 0 {
			line += ", " + shell.Number(more) + " from another search"
		}
	}
	if len(misfits) > 0 {
		line += " · " + shell.Tally(misfits)
	}
	if unneeded > 0 {
		line += " · " + shell.Number(unneeded) + " removed, still booked"
	}
	return line
}
