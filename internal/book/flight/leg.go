package flight

import (
	"time"

	"gangway/internal/gangway"
	"gangway/internal/world"
)

// LegsOf returns the legs to search for legs between places: for a city or a port,
// all airports that serve it. Invalid: a place is unknown.
func LegsOf(legs []gangway.Leg) ([]Leg, error) {
	out := make([]Leg, len(legs))
	for i, l := range legs {
		from, err := Ends(l.Origin)
		if err != nil {
			return nil, err
		}
		to, err := Ends(l.Destination)
		if err != nil {
			return nil, err
		}
		out[i] = Leg{
			From: from, To: to, Date: l.Date, LeaveAfter: l.LeaveAfter, ArriveOn: l.ArriveOn, ArriveBy: l.ArriveBy,
		}
	}
	return out, nil
}

// farthest is the longest way on the ground to an airport of a port other than its
// best: if it takes longer, people would rather take another flight.
const farthest = 8 * time.Hour

// Ends returns the airports that serve a place, best first. An unknown code of three
// letters counts as an airport: suppliers know more airports than we do.
func Ends(place gangway.Place) ([]End, error) {
	p, ok := world.PlaceOf(string(place))
	switch {
	case ok:
		var ends []End
		for _, a := range p.Airports {
			if a.Airport.IATA == p.Code || len(p.Airports) == 1 || a.Airport.Scheduled && a.Ground <= farthest {
				ends = append(ends, End{Airport: gangway.Airport(a.Airport.IATA), Ground: a.Ground})
			}
		}
		return ends, nil
	case len(place) == 3:
		return []End{{Airport: gangway.Airport(place)}}, nil
	}
	return nil, gangway.Errorf(gangway.Invalid, "%q is not a known airport, city or port", place)
}

// CountryOf returns the country of an airport; empty: it is not known.
func CountryOf(a gangway.Airport) gangway.Country {
	at, _ := world.AirportOf(string(a))
	return gangway.Country(at.Country)
}

// GroundTo returns how long the way between a place and one of its airports takes.
func GroundTo(place gangway.Place, a gangway.Airport) time.Duration {
	ends, err := Ends(place)
	if err != nil {
		return 0
	}
	for _, e := range ends {
		if e.Airport == a {
			return e.Ground
		}
	}
	return 0
}
