package world

import (
	"compress/gzip"
	"fmt"
	"math"
	"strconv"
	"sync"
	"time"
)

// An Airport is a place where aircraft land, as OurAirports describes it.
type Airport struct {
	IATA       string
	Name       string
	City       string
	Country    string // ISO 3166-1 alpha-2
	Lat, Lon   float64
	Zone       string // IANA time zone
	Scheduled  bool   // has airline traffic
	Passengers int    // thousands a year, about 2023; only the order of magnitude matters
}

// Location returns the airport's time zone.
func (a Airport) Location() *time.Location { return location(a.Zone) }

var locations sync.Map // zone name → *time.Location

func location(zone string) *time.Location {
	if loc, ok := locations.Load(zone); ok {
		return loc.(*time.Location)
	}
	loc, err := Zone(zone)
	if err != nil || zone == "" {
		loc = time.UTC // an unknown airport; a test holds that every known zone loads
	}
	locations.Store(zone, loc)
	return loc
}

// airports holds all airports in the order of their codes.
var airports = sync.OnceValue(func() []Airport {
	f, err := files.Open("data/airports.csv.gz")
	if err != nil {
		panic(fmt.Sprintf("world: %v", err))
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		panic(fmt.Sprintf("world: read airports: %v", err))
	}
	list := make([]Airport, 0, 9100)
	rows("airports.csv.gz", z, 9, func(row []string) {
		passengers, err := strconv.Atoi(row[8])
		if err != nil {
			panic(fmt.Sprintf("world: passengers of %s: %v", row[0], err))
		}
		list = append(list, Airport{
			IATA: row[0], Name: row[1], City: row[2], Country: row[3], Lat: number(row[4]), Lon: number(row[5]),
			Zone: row[6], Scheduled: row[7] == "1", Passengers: passengers,
		})
	})
	return list
})

var airportsByCode = sync.OnceValue(func() map[string]int {
	index := make(map[string]int, len(airports()))
	for i, a := range airports() {
		index[a.IATA] = i
	}
	return index
})

// Airports returns all airports that have an IATA code, in the order of their
// codes. The caller must not change them.
func Airports() []Airport { return airports() }

// AirportOf returns the airport with an IATA code, in upper or lower case. A code that is no longer in
// use finds the airport that replaced it.
func AirportOf(code string) (a Airport, known bool) {
	i, ok := airportsByCode()[codeForm(code)]
	if now, moved := CurrentCode(code); !ok && moved {
		i, ok = airportsByCode()[now]
	}
	if !ok {
		return Airport{}, false
	}
	return airports()[i], true
}

// earthKm is the mean radius of the earth.
//
// Source: IUGG.
const earthKm = 6371.0088

// DistanceKm returns the great-circle distance between two airports.
func DistanceKm(a, b Airport) float64 { return greatCircleKm(a.Lat, a.Lon, b.Lat, b.Lon) }

func greatCircleKm(lat1, lon1, lat2, lon2 float64) float64 {
	const rad = math.Pi / 180
	sinLat := math.Sin((lat2 - lat1) * rad / 2)
	sinLon := math.Sin((lon2 - lon1) * rad / 2)
	h := sinLat*sinLat + math.Cos(lat1*rad)*math.Cos(lat2*rad)*sinLon*sinLon
	return 2 * earthKm * math.Asin(math.Min(1, math.Sqrt(h)))
}
