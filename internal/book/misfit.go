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
		return "no longer in this crew change"
	case f.Unneeded == gangway.NotListed:
		return "not in this crew change"
	case f.Unneeded == gangway.TakenBack && plan == ARequest:
		return "the travel request was taken back"
	case f.Unneeded == gangway.TakenBack:
		return "the crew change was taken back"
	case f.OK():
		return ""
	}
	return bookedWords(f) + "; " + plannedWords(f, plan)
}

// bookedWords says where and when the booking has the traveller arrive or leave.
// The day includes the way by road, so it may not be the one of landing.
func bookedWords(f gangway.Fit) string {
	words, arrives, leaves := "", "arrives on ", "leaves on "
	if f.Place != "" {
		words = way(f) + string(f.Airport)
		arrives, leaves = ", arriving on ", ", leaving on "
	}
	switch {
	case f.Wanted == "":
		return words
	case f.Leaves:
		return words + leaves + dayInWords(f.Date)
	}
	return words + arrives + dayInWords(f.Date)
}

// plannedWords says where and when the plan has the traveller.
func plannedWords(f gangway.Fit, plan string) string {
	switch {
	case plan == ARequest:
		words := "the request is now"
		if f.Place != "" {
			words += " " + way(f) + ShortPlace(f.Place)
		}
		if f.Wanted != "" {
			words += " for " + dayInWords(f.Wanted)
		}
		return words
	case f.Place == "" && f.Own != "":
		return ownDayWords(f)
	case f.Place == "":
		return "the ship is there on " + dayInWords(f.Wanted)
	}
	words := "the crew change is now at " + ShortPlace(f.Place)
	switch {
	case f.Own != "":
		words += ", " + ownDayWords(f)
	case f.Wanted != "":
		words += " on " + dayInWords(f.Wanted)
	}
	return words
}

func way(f gangway.Fit) string {
	if f.From {
		return "from "
	}
	return "to "
}

// ownDayWords says by when or from when somebody is wanted whose day is another
// than the ship's. Who arrives days before it is not told "by", nor who leaves
// days after it "from": that they would be.
func ownDayWords(f gangway.Fit) string {
	switch day := dayInWords(f.Wanted); {
	case f.Leaves && f.Date < f.Wanted:
		return "to leave from " + day + " on"
	case f.Leaves:
		return "to leave on " + day
	case f.Date > f.Wanted:
		return "wanted there by " + day
	default:
		return "wanted there on " + day
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
	return "the port of " + name
}
