package tariff

import (
	"gangway/internal/book/flight/sim/timetable"
	"gangway/internal/gangway"
)

// Parts of the model that tests of offers use.
var (
	Advance = advancePercent
	Rates   = rates
)

// Demand returns how full a flight is, as an index into demands.
func (t *Tariff) Demand(h timetable.Hop, asked gangway.Cabin, own int) int {
	return t.demand(h, asked, own)
}
