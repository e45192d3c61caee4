package world

import "sync"

// The types of airline, by how they sell.
const (
	Network  = "network"  // connects flights, sells with other airlines, has marine fares
	LowCost  = "low-cost" // sells single flights only
	Regional = "regional" // small aircraft; sells with network airlines
)

// An Airline is known by its two-letter code.
type Airline struct {
	Code     string // IATA designator
	Numeric  string // IATA accounting code, three digits; empty if it issues no ticket numbers
	Name     string
	Type     string // Network, LowCost or Regional
	Country  string // ISO 3166-1 alpha-2
	Alliance string // "oneworld", "SkyTeam", "Star Alliance" or none
}

var airlines = sync.OnceValue(func() []Airline {
	var list []Airline
	table("airlines.csv", 6, func(row []string) {
		list = append(list, Airline{Code: row[0], Numeric: row[1], Name: row[2], Type: row[3], Country: row[4],
			Alliance: row[5]})
	})
	return list
})

var airlinesByCode = sync.OnceValue(func() map[string]Airline {
	index := make(map[string]Airline, len(airlines()))
	for _, a := range airlines() {
		index[a.Code] = a
	}
	return index
})

// Airlines returns all airlines. The caller must not change them.
func Airlines() []Airline { return airlines() }

// AirlineOf returns the airline with an IATA code, in whatever case.
func AirlineOf(code string) (a Airline, known bool) {
	a, ok := airlinesByCode()[codeForm(code)]
	return a, ok
}

// AirlineName returns the name of the airline with an IATA code, or the code where it is not known.
func AirlineName(code string) string {
	if a, ok := AirlineOf(code); ok {
		return a.Name
	}
	return code
}
