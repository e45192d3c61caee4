package timetable

import (
	"time"

	"gangway/internal/world"
)

// A Place is an airport of the network.
type Place struct {
	world.Airport
	Loc  *time.Location
	zone int // index into the timetable's zones
}

// newPlaces returns the airports with flights, and their zones.
func newPlaces() (places []Place, zones []*time.Location) {
	index := map[string]int{}
	for _, a := range world.Airports() {
		if !a.Scheduled {
			continue
		}
		if _, ok := index[a.Zone]; !ok {
			index[a.Zone] = len(zones)
			zones = append(zones, a.Location())
		}
		zone := index[a.Zone]
		places = append(places, Place{Airport: a, Loc: zones[zone], zone: zone})
	}
	return places, zones
}
