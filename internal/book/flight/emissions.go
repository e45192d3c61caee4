package flight

import (
	"math"

	"gangway"
	"gangway/internal/world"
)

// Estimate works out the emissions of each flight of an itinerary by a set of
// factors, notes them there with the distance where that is missing, and returns
// their sum. Flights between airports that are not known count nothing.
//
// The factors must be given: a supplier that has none of the operator's takes
// world.DefaultFactors once, when it is made, so that no estimate forgets them.
func Estimate(factors *world.Factors, it *gangway.Itinerary) gangway.Emissions {
	sum := gangway.Emissions{Method: world.MethodDESNZ, FactorSet: factors.Name()}
	for i := range it.Segments {
		s := &it.Segments[i]
		from, known := world.AirportOf(string(s.Origin))
		to, alsoKnown := world.AirportOf(string(s.Destination))
		if !known || !alsoKnown {
			continue
		}
		e := factors.Flight(from, to, string(s.Cabin))
		s.CO2eKg, s.CO2eRFKg = roundToTenth(e.Kg), roundToTenth(e.KgRF)
		if s.DistanceKm == 0 {
			s.DistanceKm = e.Km
		}
		sum.CO2eKg += e.Kg
		sum.CO2eRFKg += e.KgRF
	}
	sum.CO2eKg, sum.CO2eRFKg = roundToTenth(sum.CO2eKg), roundToTenth(sum.CO2eRFKg)
	return sum
}

func roundToTenth(kg float64) float64 { return math.Round(kg*10) / 10 }
