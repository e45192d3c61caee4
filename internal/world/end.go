package world

import "strings"

// An End is the end of a journey that a field asks for. It decides whether ports or airports come first.
type End int

const (
	AnyEnd  End = iota
	HomeEnd     // where the traveller lives: airports first
	ShipEnd     // where the ship is: ports first
)

// DestinationFrom returns the end that a journey from a place leads to, as its code says. Crew who start at a port go
// home; all others go to a ship.
func DestinationFrom(code string) End {
	if p, ok := PlaceOf(code); ok && p.Kind == PortPlace {
		return HomeEnd
	}
	return ShipEnd
}

// kindRanks is how many values rank has.
const kindRanks = 2

// rank orders places that match equally well, from best to worst.
func (e End) rank(kind PlaceKind) int {
	if e == HomeEnd && kind == PortPlace || e == ShipEnd && kind != PortPlace {
		return 1
	}
	return 0
}

// Find returns the places that match the typed text, best first: by code, or by the start of words, in any order, of a
// city, an airport's name, a country or a sea port. An airport is also found by the ports it serves and by its former
// codes. Case, diacritics and apostrophes do not matter, except for the code of a small airport: see TypedCode.
//
// clear reports whether the first is the one that is meant: no other matches equally well, apart from the airports of a
// city and airports with less than a tenth of its traffic.
func (e End) Find(text string, limit int) (list []Place, clear bool) {
	found, fits := findPlaces(e, text, max(limit, fewest))
	clear = len(found) > 0
	for i, n := range found {
		list = append(list, n.place())
		if i > 0 && fits[i] == fits[0] && !list[0].serves(n.code) && found[0].people <= much*n.people {
			clear = false
		}
	}
	return list[:max(0, min(len(list), limit))], clear
}

// fewest is how many matches are compared, however few are asked for.
const fewest = 10

// much is how many times larger a place is than another with which nobody confuses it.
const much = 10

// serves reports whether the airport with a folded code is one of a city's.
func (p Place) serves(code string) bool {
	for _, a := range p.Airports {
		if p.Kind == CityPlace && strings.EqualFold(a.Airport.IATA, code) {
			return true
		}
	}
	return false
}

// largeAirport is how many thousand passengers a year make an airport large: people know its code by heart and type it
// in any case.
const largeAirport = 5000

// Large reports whether people know the code of a by heart.
func (a Airport) Large() bool { return a.Passengers >= largeAirport }

// meansCode reports whether a text that has the letters of a's code means the code. "rot" is the start of Rotterdam;
// only ROT is Rotorua.
func meansCode(typed string, a Airport) bool {
	return a.Large() || typed == strings.ToUpper(typed)
}

// TypedCode returns the place whose code somebody typed, as PlaceOf does. The code of a small airport must be in
// capitals, unless it is a former one.
func TypedCode(text string) (Place, bool) {
	p, ok := PlaceOf(text)
	_, moved := CurrentCode(text)
	if ok && !moved && p.Kind == AirportPlace && !meansCode(text, p.Airports[0].Airport) {
		return Place{}, false
	}
	return p, ok
}
