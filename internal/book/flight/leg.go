package flight

import (
	"time"

	"gangway"
	"gangway/internal/world"
)

// LegsOf returns what is to be searched for legs between places: for a city or
// a port, all airports that serve it. Invalid: a place is not known.
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

// farthest is how long a way on the ground people take to another airport of a
// port than the best: beyond it they would rather fly once more.
const farthest = 8 * time.Hour

// Ends returns the airports that serve a place, the best first. A code of three
// letters that is not known is taken for an airport: suppliers know more than we do.
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
	return nil, gangway.Errorf(gangway.Invalid, "%q is no airport, city or port that is known", place)
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
