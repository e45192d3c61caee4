package crew

import (
	"testing"

	"gangway/internal/gangway"
	"gangway/internal/itinerarytest"
)

// TestConnectionsOfCrew holds that a crew change's row says the same about flights as the
// list of offers.
func TestConnectionsOfCrew(t *testing.T) {
	it := itinerarytest.ViaDubai(t)
	it.Connections = []gangway.Connection{{Least: 80}}
	var row crewRow
	row.fly(it, nil, gangway.Fit{})
	if got, want := row.Strip[0].Stops[0].Risk, "tight: changing takes at least 1 h 20"; got != want {
		t.Errorf("the row of a crew change says %q; want %q", got, want)
	}
}
