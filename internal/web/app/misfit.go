package app

import "gangway"

// What a booking is held against.
const (
	aShip    = "ship"
	aRequest = "request"
)

// misfit says in what a booking is not what is planned; nothing when it is.
func misfit(f gangway.Fit, plan string) string {
	switch {
	case f.Unneeded == gangway.LeftOut:
		return "no longer in this crew change"
	case f.Unneeded == gangway.NotListed:
		return "not in this crew change"
	case f.Unneeded == gangway.TakenBack && plan == aRequest:
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
	if plan == aRequest {
		planned = "the request is now"
	}
	if f.Place != "" {
		booked, where = way+string(f.Airport), " at "+shortPlace(f.Place)
		planned = "the crew change is now"
		if plan == aRequest {
			planned, where = "the request is now", " "+way+shortPlace(f.Place)
		}
	}
	on := ""
	if f.Wanted != "" {
		if booked != "" {
			booked += " "
		}
		booked += "for " + dayInWords(f.Date)
		on = " on " + dayInWords(f.Wanted)
		if plan == aRequest {
			on = " for " + dayInWords(f.Wanted)
		}
	}
	return booked + "; " + planned + where + on
}

// shortPlace names a place in few letters: an airport by its code, a port by its name.
func shortPlace(place gangway.Place) string {
	if len(place) == 3 {
		return string(place)
	}
	return placeIn(place)
}
