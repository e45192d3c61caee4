package app

import (
	"strings"
	"time"

	"gangway"
)

// A stripLeg is one leg of an itinerary as a strip: where and when it starts
// and ends, and the connections under the join.
type stripLeg struct {
	From, To           gangway.Airport
	Departure, Arrival time.Time
	Duration           time.Duration
	Flights            []string // "SQ 917"
	Stops              []stripStop
}

// A stripStop is a change of flights.
type stripStop struct {
	Airport gangway.Airport
	Wait    time.Duration
}

// strip lays out an itinerary for the template of the same name.
func strip(it gangway.Itinerary) []stripLeg {
	var legs []stripLeg
	for _, segments := range it.Legs() {
		first, last := segments[0], segments[len(segments)-1]
		leg := stripLeg{
			From: first.Origin, To: last.Destination,
			Departure: first.Departure, Arrival: last.Arrival,
			Duration: last.Arrival.Sub(first.Departure),
		}
		for i, s := range segments {
			leg.Flights = append(leg.Flights, flightName(s))
			if i > 0 {
				leg.Stops = append(leg.Stops, stripStop{s.Origin, s.Departure.Sub(segments[i-1].Arrival)})
			}
		}
		legs = append(legs, leg)
	}
	return legs
}

// flightName writes a flight as people read it: "SQ 917".
func flightName(s gangway.Segment) string {
	return s.Carrier + " " + strings.TrimPrefix(s.FlightNumber, s.Carrier)
}
