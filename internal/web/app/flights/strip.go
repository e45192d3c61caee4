package flights

import (
	"slices"
	"time"

	"gangway/internal/book/flight"
	"gangway/internal/book/plan"
	"gangway/internal/gangway"
	"gangway/internal/web/app/shell"
	"gangway/internal/world"
)

// A StripLeg is one leg of an itinerary as a strip: where and when it starts
// and ends, and the connections under the join.
type StripLeg struct {
	From, To           gangway.Airport
	Departure, Arrival time.Time
	Duration           time.Duration
	Flights            []string // "SQ 917"
	Airlines           []string // codes, each once, in the order flown
	Stops              []stripStop
	Road, ToRoad       Road   // before the first flight and after the last
	Day                string // of departure, as in "Thu 10", where that is not the day that was asked for
}

// AtPort returns when the traveller is at the place behind the airport, by the local time there.
func (l StripLeg) AtPort() time.Time { return l.Arrival.Add(l.ToRoad.Takes) }

// A stripStop is a connection.
type stripStop struct {
	Airport gangway.Airport
	Wait    time.Duration
	Risk    risk
	Tight   bool   // a small delay makes the traveller miss it
	Next    string // of a tight one: when the next flight leaves, "next 18:40"
	Later   string // what the traveller takes who has missed it, if that was looked for
}

// A Road is the way between an airport and a port that it serves.
type Road struct {
	Takes time.Duration
	Words string // "1 h 45 by road from AMS to the port of Rotterdam"
}

// strip lays out an itinerary for the template of the same name.
func strip(it gangway.Itinerary) []StripLeg {
	var legs []StripLeg
	changes := it.Connections
	for _, segments := range it.Legs() {
		first, last := segments[0], segments[len(segments)-1]
		leg := StripLeg{
			From: first.Origin, To: last.Destination,
			Departure: first.Departure, Arrival: last.Arrival,
			Duration: last.Arrival.Sub(first.Departure),
		}
		for i, s := range segments {
			leg.Flights = append(leg.Flights, FlightName(s))
			if !slices.Contains(leg.Airlines, s.Carrier) {
				leg.Airlines = append(leg.Airlines, s.Carrier)
			}
			if i > 0 {
				stop := stripStop{Airport: s.Origin, Wait: s.Departure.Sub(segments[i-1].Arrival)}
				if len(changes) > 0 {
					stop.Risk, stop.Tight = connectionRisk(stop.Wait, changes[0]), plan.Tight(stop.Wait, changes[0])
					changes = changes[1:]
				}
				leg.Stops = append(leg.Stops, stop)
			}
		}
		legs = append(legs, leg)
	}
	return legs
}

// StripTo lays out an itinerary with the road between its airports and the places that
// were asked for, and with the days that differ from those asked for.
func StripTo(it gangway.Itinerary, asked []gangway.Leg) []StripLeg {
	legs := strip(it)
	for i := range min(len(legs), len(asked)) {
		l := &legs[i]
		if asked[i].ArriveOn != "" || len(legs) > 1 {
			l.Day = l.Departure.Format("Mon 2")
		}
		if d := flight.GroundTo(asked[i].Origin, l.From); d > 0 {
			l.Road = Road{d, shell.Duration(d) + roadWords(asked[i].Origin) + " from " + PlaceIn(asked[i].Origin) +
				" to " + string(l.From)}
		}
		if d := flight.GroundTo(asked[i].Destination, l.To); d > 0 {
			l.ToRoad = Road{d, shell.Duration(d) + roadWords(asked[i].Destination) + " from " + string(l.To) + " to " +
				PlaceIn(asked[i].Destination)}
		}
	}
	return legs
}

// roadWords says how people travel between a port and its airport.
func roadWords(code gangway.Place) string { return world.ByRoad(string(code)) }

// wayWords says from where to where flights go, by the places that were asked for: "MNL → Rotorua, New Zealand".
func wayWords(it gangway.Itinerary, asked []gangway.Leg) string {
	if len(it.Segments) == 0 {
		return ""
	}
	words := string(it.Segments[0].Origin)
	for i, leg := range it.Legs() {
		to := gangway.Place(leg[len(leg)-1].Destination)
		if i < len(asked) && asked[i].Destination != "" {
			to = asked[i].Destination
		}
		words += " → " + PlaceInCountry(to)
	}
	return words
}

// PlaceInCountry names a place with its country: "port of Rotterdam, Netherlands".
func PlaceInCountry(code gangway.Place) string {
	p, ok := world.PlaceOf(string(code))
	if !ok {
		return string(code)
	}
	return PlaceName(p) + ", " + gangway.Country(p.Country).Name()
}

// PlaceIn names a place in the middle of a sentence.
func PlaceIn(code gangway.Place) string { return world.PlaceIn(string(code)) }

// FlightName writes a flight as people read it: "SQ 917".
func FlightName(s gangway.Segment) string { return s.Name() }
