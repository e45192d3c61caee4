// Command routes makes internal/book/flight/sim/timetable/data/routes.csv.gz, the routes
// of the simulated network: which airline flies where, how often, with what.
//
// No package offers such a list, so it is generated: every airline connects
// its hubs with the airports that attract most, by size and distance, within
// the range of its aircraft and the rights to fly. For the hubs that matter
// most the real lists are typed (data/hublists.txt), and data/must.txt and
// data/mustnot.txt have the last word. All that needs real numbers is worked out here and
// written as integers, so that the running program gets the same timetable on
// every machine. Run it by go generate ./internal/book/flight/sim/timetable.
package main

import (
	"cmp"
	"log"
	"os"
	"path/filepath"
	"slices"
	"strconv"

	"gangway/internal/world"
	"gangway/tools/refdata/pack"
)

func main() {
	pack.Main(func(here string) error {
		return run(here, filepath.Join(here, "../../../internal/book/flight/sim/timetable/data/routes.csv.gz"))
	})
}

func run(here, out string) error {
	n, err := generate(filepath.Join(here, "data"))
	if err != nil {
		return err
	}
	departures, pairs := 0, map[pair]bool{}
	for _, r := range n.routes {
		departures += 2 * r.weekly
		pairs[r.pair()] = true
	}
	log.Printf("%d pairs of airports, %d routes of airlines, %d departures a day", len(pairs), len(n.routes),
		departures/7)
	packed, err := pack.CSV(n.table())
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(out), 0o755); err != nil {
		return err
	}
	return os.WriteFile(out, packed, 0o644)
}

// generate makes the network from the facts in dir.
func generate(dir string) (*network, error) {
	n, err := load(dir)
	if err != nil {
		return nil, err
	}
	for _, h := range n.hubs {
		n.serveTyped(h)
	}
	// Big hubs choose last, when they know which small ones have chosen them.
	for _, h := range slices.SortedStableFunc(slices.Values(n.hubs), func(a, b hub) int {
		return cmp.Compare(a.size, b.size)
	}) {
		n.serve(h)
	}
	n.serveSomehow()
	n.override()
	n.attach()
	n.forbid()
	n.setFrequencies()
	slices.SortFunc(n.routes, func(a, b route) int {
		return cmp.Or(cmp.Compare(a.carrier, b.carrier), cmp.Compare(a.hub.IATA, b.hub.IATA),
			cmp.Compare(a.other.IATA, b.other.IATA))
	})
	return n, nil
}

// A route is one airline between two airports, both ways.
type route struct {
	carrier    string
	hub, other *place
	km         float64
	weekly     int // departures a week, each way
}

// A pair is two airports in the order of their codes.
type pair [2]string

func pairOf(a, b string) pair {
	if a > b {
		a, b = b, a
	}
	return pair{a, b}
}

func (r route) pair() pair { return pairOf(r.hub.IATA, r.other.IATA) }

// key identifies a route.
type key struct {
	carrier string
	pair
}

// A place is an airport with scheduled flights.
type place struct {
	world.Airport
	state    string  // the country whose rules govern its flights
	millions float64 // passengers a year
}

// A hub is where an airline has its flights begin.
type hub struct {
	carrier world.Airline
	at      *place
	size    int      // destinations
	typed   []string // the real list, for some
}

// A network is all routes.
type network struct {
	places  []*place
	byCode  map[string]*place
	hubs    []hub
	at      map[string]map[string]bool // carrier → its hubs
	home    map[string]map[string]bool // carrier → countries it may connect
	routes  []route
	allied  map[*place]map[string]bool // airports where an alliance has a big hub
	known   map[key]bool
	flown   map[pair]bool
	proven  map[pair]bool // in some airline's real list
	someone []hub         // lists of destinations that some airline flies to
	typed   map[key]bool  // named in must.txt
	must    []must
	mustNot []pair
	gone    gone
}

// add adds a route once, and none to an airport that the airline has left.
func (n *network) add(carrier string, from, to *place) {
	k := key{carrier, pairOf(from.IATA, to.IATA)}
	if n.known[k] || from == to || !n.gone.serves(carrier, from.IATA) || !n.gone.serves(carrier, to.IATA) {
		return
	}
	n.known[k], n.flown[k.pair] = true, true
	if n.at[carrier][to.IATA] && !n.at[carrier][from.IATA] {
		from, to = to, from
	}
	n.routes = append(n.routes, route{carrier: carrier, hub: from, other: to, km: kmBetween(from, to)})
}

func kmBetween(a, b *place) float64 { return world.DistanceKm(a.Airport, b.Airport) }

// table returns the routes as the file has them.
func (n *network) table() [][]string {
	rows := [][]string{{"carrier", "hub", "other", "weekly", "aircraft", "km", "out", "back"}}
	for _, r := range n.routes {
		aircraft := r.aircraft()
		rows = append(rows, []string{
			r.carrier, r.hub.IATA, r.other.IATA, strconv.Itoa(r.weekly), aircraft, strconv.Itoa(int(r.km + 0.5)),
			strconv.Itoa(block(r.carrier, r.hub, r.other, r.km, aircraft)),
			strconv.Itoa(block(r.carrier, r.other, r.hub, r.km, aircraft)),
		})
	}
	return rows
}
