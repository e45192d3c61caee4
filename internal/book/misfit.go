package book

import (
	"strings"
	"time"

	"gangway"
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
	way, where := "to ", ""
	if f.From {
		way = "from "
	}
	booked, planned := "", "the ship is there"
	if plan == ARequest {
		planned = "the request is now"
	}
	if f.Place != "" {
		booked, where = way+string(f.Airport), " at "+ShortPlace(f.Place)
		planned = "the crew change is now"
		if plan == ARequest {
			planned, where = "the request is now", " "+way+ShortPlace(f.Place)
		}
	}
	on := ""
	if f.Wanted != "" {
		if booked != "" {
			booked += " "
		}
		booked += "for " + dayInWords(f.Date)
		on = " on " + dayInWords(f.Wanted)
		switch {
		case plan == ARequest:
			on = " for " + dayInWords(f.Wanted)
		case f.Own != "" && f.Place == "":
			planned, on = WantedWords(f.Own, f.Wanted), ""
		case f.Own != "":
			on = ", " + WantedWords(f.Own, f.Wanted)
		}
	}
	return booked + "; " + planned + where + on
}

// WantedWords says on which day of their own, another than the ship's, somebody
// is wanted at the ship or leaves it.
func WantedWords(side gangway.Side, date gangway.Date) string {
	if side == gangway.OffSigner {
		return "wanted to leave on " + dayInWords(date)
	}
	return "wanted there on " + dayInWords(date)
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
