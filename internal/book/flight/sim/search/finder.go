// Package search finds the journeys of the simulated network that are worth offering, and tells who
// can get somewhere at all.
//
// want is what a leg asks for, rules say what travellers accept. join finds trips of up to three
// flights, scan those of more; choose keeps the good ones. reach scans for a whole crew at once.
package search

import "gangway/internal/book/flight/sim/tariff"

// A Finder finds journeys in a timetable and, with a tariff, those worth offering.
type Finder struct{ *tariff.Tariff }

// New returns a finder of journeys at the prices of a tariff.
func New(t *tariff.Tariff) *Finder { return &Finder{t} }
