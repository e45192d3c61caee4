package world

import (
	"cmp"
	"math"
	"strings"
	"sync"
	"time"
)

// A PlaceKind is the kind of a place.
type PlaceKind string

const (
	AirportPlace PlaceKind = "airport"
	CityPlace    PlaceKind = "city" // several airports under one metropolitan code
	PortPlace    PlaceKind = "port"
)

// A Place is somewhere a traveller can be sent to or from: an airport, a city with
// several airports, or a sea port.
type Place struct {
	Kind     PlaceKind
	Code     string // IATA airport or metropolitan code, or UN/LOCODE
	Name     string // as in "Amsterdam Airport Schiphol", "London", "Rotterdam (Maasvlakte-Europoort)"
	City     string // the city alone; empty if an airport has none
	Country  string // ISO 3166-1 alpha-2
	Lat, Lon float64
	Zone     string // IANA time zone
	// the airports that serve it, best first; an airport serves itself, and one without airlines is
	// followed by the nearest ones that have some
	Airports []Access
	Formerly []string // of an airport: former codes, its own or those of the airport that it replaced
	AtAnchor bool     // of a port: ships lie off it, and the last part of the way is by launch
}

// Access is how a place is reached from an airport.
type Access struct {
	Airport Airport
	Km      int           // great circle
	Ground  time.Duration // by road, and by launch to a ship at anchor; 0 for airports and cities
}

// Location returns the place's time zone.
func (p Place) Location() *time.Location { return location(p.Zone) }

// Continent returns where the place lies, as its time zone says: "Asia". America is one; islands of the
// Atlantic and the Indian Ocean have that ocean's name.
func (p Place) Continent() string {
	area, _, _ := strings.Cut(p.Zone, "/")
	switch area {
	case "Pacific", "Australia":
		return "Oceania"
	case "Arctic":
		return "Europe"
	}
	return area
}

// Called returns what people call the place: the city of an airport, the name of a city or port.
func (p Place) Called() string {
	switch p.Kind {
	case AirportPlace:
		return cmp.Or(p.City, p.Name)
	case PortPlace:
		return "port of " + cityAlone(p.Name)
	}
	return p.Name
}

// PlaceIn names a place in the middle of a sentence: "Manila", "the port of Rotterdam".
func PlaceIn(code string) string {
	p, ok := PlaceOf(code)
	switch {
	case !ok:
		return code
	case p.Kind == PortPlace:
		return "the " + p.Called()
	}
	return p.Called()
}

// ByRoad says how people travel between a place and its airport.
func ByRoad(code string) string {
	if p, ok := PlaceOf(code); ok && p.AtAnchor {
		return " by road and launch"
	}
	return " by road"
}

// PlaceOf returns the place with a code, in upper or lower case: an airport, else a
// city, else a sea port. The code of an airport that airlines have left finds the one
// where they are now, whose code then differs.
func PlaceOf(code string) (p Place, known bool) {
	code, _ = CurrentCode(code)
	if a, ok := AirportOf(code); ok {
		return a.place(), true
	}
	for _, c := range cities() {
		if c.Code != "" && c.Code == codeForm(code) {
			return c.place(), true
		}
	}
	if p, ok := portOf(code); ok {
		return p.place(), true
	}
	return Place{}, false
}

func (a Airport) place() Place {
	p := Place{
		Kind: AirportPlace, Code: a.IATA, Name: a.Name, City: cityAlone(a.City), Country: a.Country, Lat: a.Lat,
		Lon: a.Lon, Zone: a.Zone,
		Airports: []Access{{Airport: a}}, Formerly: formerly()[a.IATA],
	}
	if !a.Scheduled {
		p.Airports = append(p.Airports, a.instead()...)
	}
	return p
}

// cityAlone removes the suburb, county or region that follows some cities' names, as in
// "Manila (Pasay)" or "London/Gatwick, West Sussex".
func cityAlone(s string) string {
	if end := strings.IndexAny(s, "(/,"); end > 0 {
		s = s[:end]
	}
	return strings.TrimSpace(s)
}

// A city has several airports, and often a metropolitan code for all of them; or an airport that has not its name.
type city struct {
	Code     string // empty if an airport has the code
	Name     string
	Country  string
	Lat, Lon float64
	Airports []Airport // the usual one first
}

var cities = sync.OnceValue(func() []city {
	var list []city
	table("cities.csv", 6, func(row []string) {
		c := city{Code: row[0], Name: row[1], Country: row[2], Lat: number(row[3]), Lon: number(row[4]),
			Airports: airportsOf(row[5])}
		if _, taken := AirportOf(c.Code); taken {
			c.Code = ""
		}
		list = append(list, c)
	})
	return list
})

// Cities returns the cities that have several airports, or one that is called otherwise.
func Cities() (list []Place) {
	for _, c := range cities() {
		list = append(list, c.place())
	}
	return list
}

func (c city) place() Place {
	p := Place{Kind: CityPlace, Code: c.Code, Name: c.Name, City: c.Name, Country: c.Country, Lat: c.Lat, Lon: c.Lon,
		Zone: c.Airports[0].Zone}
	for _, a := range c.Airports {
		p.Airports = append(p.Airports, Access{Airport: a, Km: kmBetween(c.Lat, c.Lon, a)})
	}
	return p
}

func (p Port) place() Place {
	to := Place{Kind: PortPlace, Code: p.Code, Name: p.Name, City: cityAlone(p.Name), Country: p.Country, Lat: p.Lat,
		Lon: p.Lon, Zone: p.Zone, AtAnchor: p.atAnchor()}
	for _, a := range airportsOf(strings.Join(p.Airports, " ")) {
		to.Airports = append(to.Airports, Access{Airport: a, Km: kmBetween(p.Lat, p.Lon, a), Ground: p.ground(a)})
	}
	return to
}

// ground returns how long a crew travels between an airport and the ship. Roads are
// a third longer than the great circle and driven at 55 km/h; the gate takes half an
// hour, and the launch to a ship at anchor an hour.
func (p Port) ground(a Airport) time.Duration {
	d := byRoad(greatCircleKm(p.Lat, p.Lon, a.Lat, a.Lon)) + 30*time.Minute
	if p.atAnchor() {
		d += time.Hour
	}
	return d
}

// byRoad returns how long it takes to drive between two points km kilometres apart.
func byRoad(km float64) time.Duration {
	const road, kmPerHour = 1.35, 55
	return time.Duration(km * road / kmPerHour * float64(time.Hour)).Round(time.Minute)
}

// An airport without airlines is reached from up to so many airports that have some,
// in its own country and not too far by road.
const (
	mostInstead    = 3
	farthestByRoad = 250 // km
)

// instead returns the airports from which one without airlines is reached.
func (a Airport) instead() []Access {
	var list []Access
	for _, near := range NearestAirports(a.Lat, a.Lon, mostInstead, func(b Airport) bool {
		return b.Scheduled && b.Country == a.Country
	}) {
		if km := greatCircleKm(a.Lat, a.Lon, near.Airport.Lat, near.Airport.Lon); km <= farthestByRoad {
			near.Ground = byRoad(km)
			list = append(list, near)
		}
	}
	return list
}

// atAnchor reports whether ships lie off the port: at an anchorage, or outside port
// limits.
func (p Port) atAnchor() bool {
	return strings.Contains(p.Name, "(anchorage") || strings.Contains(p.Name, "(OPL)")
}

func kmBetween(lat, lon float64, a Airport) int {
	return int(math.Round(greatCircleKm(lat, lon, a.Lat, a.Lon)))
}

// airportsOf returns the airports of a list of codes.
func airportsOf(codes string) []Airport {
	var list []Airport
	for _, code := range strings.Fields(codes) {
		a, ok := AirportOf(code)
		if !ok {
			panic("world: no airport " + code)
		}
		list = append(list, a)
	}
	return list
}

// NearestAirports returns up to limit airports for which fits is true, nearest first. A
// nil fits accepts all.
func NearestAirports(lat, lon float64, limit int, fits func(Airport) bool) []Access {
	const kmPerDegree = earthKm * math.Pi / 180 // of latitude: no airport is nearer than its latitude
	type near struct {
		km float64
		at int
	}
	var best []near
	for i, a := range Airports() {
		if limit <= 0 {
			break
		}
		full := len(best) == limit
		if full && math.Abs(a.Lat-lat)*kmPerDegree > best[limit-1].km || fits != nil && !fits(a) {
			continue
		}
		km := greatCircleKm(lat, lon, a.Lat, a.Lon)
		if full {
			if km >= best[limit-1].km {
				continue
			}
			best = best[:limit-1]
		}
		at := len(best)
		for at > 0 && km < best[at-1].km {
			at--
		}
		best = append(best[:at], append([]near{{km, i}}, best[at:]...)...)
	}
	list := make([]Access, len(best))
	for i, b := range best {
		list[i] = Access{Airport: Airports()[b.at], Km: int(math.Round(b.km))}
	}
	return list
}
