// Package tariff is what the flights of the simulated network cost, and what may
// be done with the fares.
//
// demand says how full a flight is, fare prices flights by that, brand and terms
// say what a fare allows, bill adds up what stands on each ticket. A quote is all
// that a price depends on, an offer is a quote written out.
package tariff

import (
	"time"

	"gangway"
	"gangway/internal/book/flight"
	"gangway/internal/book/flight/sim/timetable"
	"gangway/internal/world"
)

// A Tariff is what the flights of a timetable cost, and what may be done with
// the fares.
type Tariff struct {
	*timetable.Timetable
	factors *world.Factors // by which emissions are estimated
}

// New returns what the flights of a timetable cost.
func New(t *timetable.Timetable, factors *world.Factors) *Tariff {
	return &Tariff{Timetable: t, factors: factors}
}

// Estimate notes in an itinerary what its flights emit, and returns the sum.
func (t *Tariff) Estimate(it *gangway.Itinerary) gangway.Emissions {
	return flight.Estimate(t.factors, it)
}

// Second is an instant as offers and quotes carry it.
func Second(at time.Time) time.Time { return at.Truncate(time.Second).UTC() }
