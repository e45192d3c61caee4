package plan

import (
	"math"
	"slices"

	"gangway/internal/book/flight"
	"gangway/internal/gangway"
)

// CarbonOf returns the emissions, with radiative forcing if the method gives it and
// the account counts it.
func CarbonOf(e gangway.Emissions, forcing bool) float64 {
	if forcing && e.CO2eRFKg > 0 {
		return e.CO2eRFKg
	}
	return e.CO2eKg
}

// A Carbon is the carbon footprint of an itinerary together with the median of its
// list; without a median if there is nothing to compare with.
type Carbon struct{ Kg, Median float64 }

// Compared returns by how many percent it is above the median.
func (c Carbon) Compared() (percent int, ok bool) {
	if c.Kg <= 0 || c.Median <= 0 {
		return 0, false
	}
	return int(math.Round((c.Kg/c.Median - 1) * 100)), true
}

// CarbonLeast is the smallest difference, in percent, that the method's accuracy
// supports: smaller ones are not reported.
const CarbonLeast = 5

// AboutMedian reports whether it is known to be no higher than the median, within
// the method's accuracy.
func (c Carbon) AboutMedian() bool {
	percent, ok := c.Compared()
	return ok && percent < CarbonLeast
}

// medianKg returns the median emissions of the offers.
func medianKg(offers []flight.Offer, forcing bool) float64 {
	var kg []float64
	for _, o := range offers {
		if v := CarbonOf(o.Emissions, forcing); v > 0 {
			kg = append(kg, v)
		}
	}
	if len(kg) == 0 {
		return 0
	}
	slices.Sort(kg)
	if n := len(kg); n%2 == 0 {
		return (kg[n/2-1] + kg[n/2]) / 2
	}
	return kg[len(kg)/2]
}
