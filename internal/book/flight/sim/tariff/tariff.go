// Package tariff has the prices of the simulated network's flights, and the rules of its fares.
//
// demand says how full a flight is, fare prices flights by that, brand and terms say what a fare allows,
// bill adds up the parts with a ticket of their own. A quote is everything that a price depends on, an offer
// is a quote in the form of flight.Offer.
package tariff

import (
	"time"

	"gangway/internal/book/flight"
	"gangway/internal/book/flight/sim/timetable"
	"gangway/internal/gangway"
	"gangway/internal/world"
)

// A Tariff has the prices of a timetable's flights, and the rules of their fares.
type Tariff struct {
	*timetable.Timetable
	factors *world.Factors // for estimating emissions
}

// New returns the tariff for a timetable.
func New(t *timetable.Timetable, factors *world.Factors) *Tariff {
	return &Tariff{Timetable: t, factors: factors}
}

// Estimate sets the emissions of an itinerary's flights, and returns their sum.
func (t *Tariff) Estimate(it *gangway.Itinerary) gangway.Emissions {
	return flight.Estimate(t.factors, it)
}

// Second returns an instant with the precision of offers and quotes.
func Second(at time.Time) time.Time { return at.Truncate(time.Second).UTC() }
