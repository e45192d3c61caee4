package book

import (
	"gangway/internal/book/flight"
	"gangway/internal/gangway"
)

// placesBetween returns the places that legs were searched between, with the
// transfers by road to and from the airports flown; nil if all places are those airports.
func placesBetween(legs []gangway.Leg, it gangway.Itinerary) []gangway.Between {
	flown := it.Legs()
	if len(flown) != len(legs) {
		return nil
	}
	places, other := make([]gangway.Between, len(legs)), false
	for i, l := range legs {
		places[i] = gangway.Between{From: l.Origin, To: l.Destination}
		other = other || l.Origin != gangway.Place(flown[i][0].Origin) || l.Destination !=
			gangway.Place(flown[i][len(flown[i])-1].Destination)
	}
	if !other {
		return nil
	}
	return OnGround(places, it)
}

// OnGround returns the places of a booking's legs with the transfers by road that
// its flights need, which may use other airports.
func OnGround(places []gangway.Between, it gangway.Itinerary) []gangway.Between {
	flown := it.Legs()
	out := make([]gangway.Between, 0, len(places))
	for i, p := range places {
		if i < len(flown) {
			p.FromRoad = int(flight.GroundTo(p.From, flown[i][0].Origin).Minutes())
			p.ToRoad = int(flight.GroundTo(p.To, flown[i][len(flown[i])-1].Destination).Minutes())
		}
		out = append(out, p)
	}
	if len(out) == 0 {
		return nil
	}
	return out
}

// portOf returns the sea port at the ship's end of a member's journey; empty if
// the search was not for a port.
func portOf(m gangway.SearchMember) gangway.Place {
	if len(m.Legs) == 0 {
		return ""
	}
	place := gangway.Place("")
	switch m.Side {
	case gangway.OnSigner:
		place = m.Legs[len(m.Legs)-1].Destination
	case gangway.OffSigner:
		place = m.Legs[0].Origin
	}
	if len(place) != portCode {
		return ""
	}
	return place
}

const portCode = 5 // letters of a UN/LOCODE
