// Package sim is an airline network that exists only here: real airports and
// airlines, flying a timetable of our own. It sells, holds, tickets, changes
// and refunds like an airline, without anybody leaving the ground.
//
// It keeps no secret state: the timetable follows from data/routes.csv.gz,
// prices from flights and dates, and orders lie in a ledger. So any number of
// processes can sell from it side by side, and one that dies harms nothing.
// Time comes from the clock that it is given.
//
// The road through the package: network and timetable are built once; want says
// what a leg asks for, join finds the trips, or scan where it takes many flights,
// choose leaves the good ones, fare, brand and bill price them, inventory counts
// their seats, offer writes them down; order, issue, cancel and change sell them.
// disrupt lets airlines change them, notice tells. Reach scans for a whole crew at once.
package sim

import (
	"cmp"
	"compress/gzip"
	"embed"
	"encoding/csv"
	"fmt"
	"io"
	"strconv"
	"sync"
	"time"

	"gangway/internal/book/flight"
	"gangway/internal/world"
)

//go:generate go run ../../../../tools/refdata/routes

//go:embed data
var files embed.FS

// A Config is what a Network needs.
type Config struct {
	Now   func() time.Time
	Delay time.Duration // how long every call takes, for demonstrations and crash tests

	Factors *world.Factors // by which emissions are estimated; nil: those that the program brings along
}

// A Network sells the flights of all airlines.
type Network struct {
	*timetable
	now   func() time.Time
	delay time.Duration

	factors *world.Factors
}

// New returns the network. Building the timetable takes a fraction of a
// second, once in a process.
func New(c Config) (*Network, error) {
	t, err := theTimetable()
	if err != nil {
		return nil, fmt.Errorf("build the simulated timetable: %w", err)
	}
	return &Network{timetable: t, now: c.Now, delay: c.Delay, factors: cmp.Or(c.Factors, world.DefaultFactors())}, nil
}

// For returns the network as the account sees it whose orders lie in ledger.
// A seed other than zero makes airlines cancel, delay and retime some of its flights.
func (n *Network) For(ledger flight.Ledger, disruptions int64) flight.Supplier {
	return &seller{Network: n, ledger: ledger, disruptions: disruptions}
}

var theTimetable = sync.OnceValues(func() (*timetable, error) {
	f, err := files.Open("data/routes.csv.gz")
	if err != nil {
		return nil, err
	}
	defer f.Close()
	routes, err := readRoutes(f)
	if err != nil {
		return nil, err
	}
	return newTimetable(routes)
})

// A route is an airline flying between two airports, both ways. The numbers
// were worked out when the file was made: here all is integers, so that every
// machine has the same timetable.
type route struct {
	carrier    string
	hub, other string // the airline's hub comes first
	weekly     int    // departures each way
	aircraft   string
	km         int
	out, back  int // minutes from gate to gate, from the hub and to it
}

func readRoutes(packed io.Reader) ([]route, error) {
	z, err := gzip.NewReader(packed)
	if err != nil {
		return nil, err
	}
	c := csv.NewReader(z)
	c.FieldsPerRecord, c.ReuseRecord = 8, true
	if _, err := c.Read(); err != nil {
		return nil, fmt.Errorf("read routes: %w", err)
	}
	var routes []route
	for {
		row, err := c.Read()
		if err == io.EOF {
			return routes, nil
		}
		if err != nil {
			return nil, fmt.Errorf("read routes: %w", err)
		}
		r := route{carrier: row[0], hub: row[1], other: row[2], aircraft: row[4]}
		for i, to := range map[int]*int{3: &r.weekly, 5: &r.km, 6: &r.out, 7: &r.back} {
			if *to, err = strconv.Atoi(row[i]); err != nil {
				return nil, fmt.Errorf("read route %s %s-%s: %w", row[0], row[1], row[2], err)
			}
		}
		routes = append(routes, r)
	}
}

// A place is an airport of the network.
type place struct {
	world.Airport
	loc  *time.Location
	zone int // index into the timetable's zones
}

// km returns the great-circle distance between two airports, rounded.
func (t *timetable) km(a, b int) int {
	return int(world.DistanceKm(t.places[a].Airport, t.places[b].Airport) + 0.5)
}

// newPlaces returns the airports with flights, and their zones.
func newPlaces() (places []place, zones []*time.Location) {
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
		places = append(places, place{Airport: a, loc: zones[zone], zone: zone})
	}
	return places, zones
}
