package crew

import (
	"strings"
	"time"

	"gangway/internal/book"
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
	if hoursChanged(v) {
		n.Words = append(n.Words, "The ship’s hours have changed. These flights were found for others.")
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

// hoursChanged reports whether a coordinator has set other hours of the ship since the search.
func hoursChanged(v flights.SearchView) bool {
	for i, m := range v.Members {
		for n, leg := range flights.AtPlan(m.Legs, v.Planned.Members[i]) {
			if leg.ArriveBy != m.Legs[n].ArriveBy || leg.LeaveAfter != m.Legs[n].LeaveAfter {
				return true
			}
		}
	}
	return false
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

// bookedOn adds to each day how many of the people already booked would be in time with
// their flights if the ship were at a place on that day.
func bookedOn(v flights.SearchView, days []dayRow, at gangway.Place) []dayRow {
	for n := range days {
		then := v.Planned.If(at, days[n].Date, v.Now)
		for i := range v.Crew.People {
			if p := v.Crew.People[i]; p.Booking != nil && p.Plan.Unneeded == "" {
				days[n].Booked++
				if then(p).Fit.OK() {
					days[n].Fit++
				}
			}
		}
	}
	return days
}

// heldWords says how many people are booked, what giving that up costs, how many of them are not booked for today's
// plan, and how many are no longer needed.
func heldWords(people []book.Person, now time.Time) (booked int, words string) {
	var states, misfits []string
	var ends time.Time // of the first that can be voided
	n, open := map[string]int{}, 0
	for _, p := range people {
		if p.Booking == nil {
			open += map[bool]int{true: 1}[p.Plan.Unneeded == ""]
			continue
		}
		booked++
		switch {
		case p.Plan.Unneeded != "":
			n["removed"]++
		case !p.Fit.OK():
			misfits = append(misfits, book.Off(p.Fit))
		}
		switch b := p.Booking; {
		case p.Holds(gangway.AirlineChanged):
			n["answer"]++
		case b.State == gangway.Confirmed:
			n["hold"]++
		case !b.Ticketed():
			states = append(states, flights.StateWords(b.State))
		default:
			if n["tickets"]++; now.Before(b.VoidUntil) {
				n["void"]++
				ends = earlier(ends, b.VoidUntil)
			}
		}
	}
	if booked == 0 {
		return 0, "0 of " + shell.Number(open) + " booked"
	}
	add := func(n int, before, after string) {
		if n > 0 {
			words += before + shell.Number(n) + after
		}
	}
	add(n["hold"], ", ", " on hold (free to release)")
	if len(states) > 0 {
		words += ", " + shell.Tally(states)
	}
	add(n["tickets"], ", ", " ticketed"+voidWords(n["void"], n["tickets"], ends, now))
	add(n["answer"], ", ", map[bool]string{true: " schedule change", false: " schedule changes"}[n["answer"] == 1])
	words = shell.Number(booked) + " booked: " + strings.TrimPrefix(words, ", ")
	if len(misfits) > 0 {
		words += " · **" + misfitWords(misfits) + "**"
	}
	add(n["removed"], " · ", " removed")
	add(open, " · ", " not booked")
	return booked, words
}

// voidWords say how many of the tickets can be voided, and until when the first.
func voidWords(void, tickets int, ends, now time.Time) string {
	layout := "15:04 UTC"
	if ends.Sub(now) >= 24*time.Hour {
		layout = shell.LongUTC
	}
	switch until := ends.UTC().Format(layout); {
	case void == 0:
		return ""
	case tickets == 1:
		return " (void free until " + until + ")"
	case void == tickets:
		return " (void free, first ends " + until + ")"
	default:
		return " (" + shell.Number(void) + " void free, first ends " + until + ")"
	}
}

// misfitWords says in one number how many bookings are not what is planned: "39 booked for the old plan (17 another
// airport)". Where all are for another airport, that may be meant.
func misfitWords(misfits []string) string {
	other := 0
	for _, off := range misfits {
		if off == book.OtherAirport {
			other++
		}
	}
	if other == 0 || other == len(misfits) {
		return shell.Tally(misfits)
	}
	return shell.Number(len(misfits)) + " " + book.OldPlan + " (" + shell.Number(other) + " another airport)"
}

// bookedWords says how many are booked as planned, and how many bookings are not needed as they are.
func bookedWords(booked int, people string, misfits []string, unneeded int) string {
	line := shell.Number(booked) + " of " + people + " booked"
	if len(misfits) > 0 {
		line += " · " + misfitWords(misfits)
	}
	if unneeded > 0 {
		line += " · " + shell.Number(unneeded) + " removed, still booked"
	}
	return line
}
