package book

import (
	"strings"
	"time"

	"gangway/internal/gangway"
	"gangway/internal/world"
)

// What a booking is held against.
const (
	AShip    = "ship"
	ARequest = "request"
)

// Against says what a plan is: what was requested, or where the ship is.
func Against(p gangway.Plan) string {
	if p.Side == "" {
		return ARequest
	}
	return AShip
}

// Misfit says in what a booking is not what is planned; nothing when it is.
func Misfit(f gangway.Fit, plan string) string {
	switch {
	case f.Unneeded == gangway.LeftOut:
		return "removed from this crew change"
	case f.Unneeded == gangway.NotListed:
		return "not in this crew change"
	case f.Unneeded == gangway.TakenBack && plan == ARequest:
		return "the travel request was taken back"
	case f.Unneeded == gangway.TakenBack:
		return "the crew change was taken back"
	case f.OK():
		return ""
	case f.Elsewhere():
		return bookedWords(f) + ", " + plannedWords(f, plan)
	}
	return bookedWords(f) + " → " + plannedWords(f, plan)
}

// Off says in few words that a booking is not what is planned, for a badge or a count. Another place on the planned day
// may be meant.
func Off(f gangway.Fit) string {
	if f.Elsewhere() {
		return "booked for another airport"
	}
	return "booked for the old plan"
}

// bookedWords says where and when the booking has the traveller arrive or leave.
// The day includes the way by road, so it may not be the one of landing.
func bookedWords(f gangway.Fit) string {
	switch {
	case f.Elsewhere() && f.From:
		return "starts at " + string(f.Airport)
	case f.Elsewhere():
		return "ends at " + string(f.Airport)
	case f.Place != "":
		return string(f.Airport) + " " + shortDay(f.Date)
	case f.Leaves:
		return "leaves " + shortDay(f.Date)
	}
	return "arrives " + shortDay(f.Date)
}

// plannedWords says where and when the plan has the traveller.
func plannedWords(f gangway.Fit, plan string) string {
	words := "ship"
	switch {
	case plan == ARequest && f.From:
		words = "requested from"
	case plan == ARequest:
		words = "requested"
	case f.Place != "":
		words = "ship at"
	}
	if f.Place != "" {
		words += " " + strings.TrimPrefix(ShortPlace(f.Place), thePort)
	}
	switch {
	case f.Wanted == "":
	case f.Own == "" || plan == ARequest:
		words += " " + shortDay(f.Wanted)
	case f.Place != "":
		words += ", " + ownDayWords(f)
	default:
		words = ownDayWords(f)
	}
	return words
}

// ownDayWords says by when or from when somebody is wanted whose day is another
// than the ship's. Who arrives days before it is not told "by", nor who leaves
// days after it "from": that they would be.
func ownDayWords(f gangway.Fit) string {
	switch day := shortDay(f.Wanted); {
	case f.Leaves && f.Date < f.Wanted:
		return "free to leave from " + day
	case f.Leaves:
		return "to leave " + day
	case f.Date > f.Wanted:
		return "wanted by " + day
	default:
		return "wanted " + day
	}
}

// WantedWords says on which day of their own, another than the ship's, somebody
// is wanted at the ship or leaves it.
func WantedWords(side gangway.Side, date gangway.Date) string {
	if side == gangway.OffSigner {
		return "to leave from " + dayInWords(date) + " on"
	}
	return "wanted there by " + dayInWords(date)
}

func dayInWords(d gangway.Date) string { return d.In(time.UTC).Format("Mon 2 Jan") }

// shortDay is for rows, where both days are close to each other.
func shortDay(d gangway.Date) string { return d.In(time.UTC).Format("2 Jan") }

// thePort begins the name of a port in a sentence.
const thePort = "the port of "

// ShortPlace names a place in few letters: an airport by its code, a port by its name.
func ShortPlace(place gangway.Place) string {
	p, ok := world.PlaceOf(string(place))
	if len(place) == 3 || !ok {
		return string(place)
	}
	name := p.Name
	if end := strings.IndexAny(name, "(/,"); end > 0 {
		name = strings.TrimSpace(name[:end]) // what explains it
	}
	return thePort + name
}
