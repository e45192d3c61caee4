package tariff

import (
	"gangway"
	"gangway/internal/book/flight/sim/timetable"
)

// What tests of real offers look up in the model.
var (
	Advance = advancePercent
	Rates   = rates
)

// Demand returns how full a flight is, as an index into demands.
func (t *Tariff) Demand(h timetable.Hop, asked gangway.Cabin, own int) int {
	return t.demand(h, asked, own)
}
