package flight

import (
	"cmp"
	"math"

	"gangway/internal/gangway"
	"gangway/internal/world"
)

// Estimate works out the emissions of each flight of an itinerary from a set of
// factors, stores them there together with the distance if that is missing, and
// returns their sum. A flight to or from an unknown airport counts as nothing.
//
// The factors are required: a supplier without the operator's own uses
// world.DefaultFactors from the start, so that no estimate can forget them.
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
		s.DistanceKm = cmp.Or(s.DistanceKm, e.Km)
		sum.CO2eKg += e.Kg
		sum.CO2eRFKg += e.KgRF
	}
	sum.CO2eKg, sum.CO2eRFKg = roundToTenth(sum.CO2eKg), roundToTenth(sum.CO2eRFKg)
	return sum
}

func roundToTenth(kg float64) float64 { return math.Round(kg*10) / 10 }
