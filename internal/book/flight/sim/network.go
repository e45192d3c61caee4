package sim

import (
	"cmp"
	_ "embed"
	"hash/fnv"
	"math"
	"slices"
	"strconv"
	"strings"

	"gangway/internal/world"
)

//go:embed data/hubs.txt
var hubsText string

//go:embed data/hublists.txt
var hubListsText string

//go:embed data/must.txt
var mustText string

//go:embed data/mustnot.txt
var mustNotText string

// A line is a flight that leaves on certain days of the week at the same local time.
type line struct {
	carrier  string
	number   int
	from, to int32 // airports, by position in timetable.airports
	depart   int   // minutes after local midnight
	block    int   // minutes in the air and on the ground
	days     uint8 // bit 0 is Sunday
	km       int
	aircraft string
}

// A timetable is all lines of the simulated network. It is the same in every
// process: nothing in it depends on chance or on the order of a map.
type timetable struct {
	airports []world.Airport
	index    map[string]int32
	lines    []line
	out      [][]int32                // lines by the airport they leave
	pairs    map[[2]int32][]int32     // lines by the pair they connect
	numbers  map[string]int32         // lines by flight number
	airlines map[string]world.Airline // those that fly
}

// market is the countries whose airlines may fly anywhere within them.
var market = countrySet("AT BE BG HR CY CZ DK EE FI FR DE GR HU IE IT LV LT LU MT NL PL PT RO SK SI ES SE NO IS LI CH")

// closed is airspace without airline traffic; apart are two groups of countries
// that do not fly to each other.
var (
	closed = countrySet("UA KP")
	east   = countrySet("RU BY")
	west   = countrySet("AT BE BG HR CY CZ DK EE FI FR DE GR HU IE IT LV LT LU MT NL PL PT RO SK SI ES SE NO IS LI CH GB US CA JP KR AU NZ SG")
)

func countrySet(list string) map[string]bool {
	set := map[string]bool{}
	for _, c := range strings.Fields(list) {
		set[c] = true
	}
	return set
}

// hash spreads what it is given over all numbers, the same on every machine.
func hash(parts ...string) uint32 {
	h := fnv.New32a()
	for _, p := range parts {
		h.Write([]byte(p))
		h.Write([]byte{0})
	}
	// FNV's low bits are weak; mix them.
	x := h.Sum32()
	x ^= x >> 16
	x *= 0x7feb352d
	x ^= x >> 15
	return x
}

// A builder collects the routes of the network before they become lines.
type builder struct {
	*timetable
	routes  map[route]bool
	mustNot map[[2]string]bool
	degree  []int
}

// A route is a carrier's connection of two airports, the smaller position first.
type route struct {
	carrier string
	a, b    int32
}

func newTimetable() *timetable {
	t := &timetable{index: map[string]int32{}, pairs: map[[2]int32][]int32{}, numbers: map[string]int32{}, airlines: map[string]world.Airline{}}
	for _, a := range world.Airports() {
		if a.Scheduled {
			t.index[a.IATA] = int32(len(t.airports))
			t.airports = append(t.airports, a)
		}
	}
	b := &builder{timetable: t, routes: map[route]bool{}, mustNot: map[[2]string]bool{}, degree: make([]int, len(t.airports))}
	for _, pair := range strings.Fields(mustNotText) {
		if x, y, ok := strings.Cut(pair, "-"); ok && len(y) == 3 {
			b.mustNot[[2]string{x, y}], b.mustNot[[2]string{y, x}] = true, true
		}
	}
	b.fromHubs()
	b.fromFacts()
	b.attach()
	b.schedule()
	return t
}

// fromHubs gives each airline its routes at each of its hubs: the typed list
// where there is one, and otherwise the destinations that draw most.
func (b *builder) fromHubs() {
	typed := map[string][]string{}
	for _, text := range strings.Split(hubListsText, "\n") {
		if at, list, ok := strings.Cut(text, ":"); ok && !strings.HasPrefix(at, "#") {
			typed[at] = strings.Fields(list)
		}
	}
	for _, text := range strings.Split(hubsText, "\n") {
		code, list, ok := strings.Cut(text, ": ")
		airline, known := world.AirlineOf(code)
		if !ok || !known {
			continue
		}
		hubs := map[int32]bool{}
		for _, hub := range strings.Fields(list) {
			if h, ok := b.index[hub[:3]]; ok {
				hubs[h] = true
			}
		}
		for _, hub := range strings.Fields(list) {
			h, ok := b.index[hub[:3]]
			if !ok {
				continue
			}
			n, _ := strconv.Atoi(hub[4:])
			domestic := true
			if places, ok := typed[code+"@"+hub[:3]]; ok {
				domestic = false
				for _, place := range places {
					if place == "DOM" {
						domestic = true
					} else if to, ok := b.index[place]; ok {
						b.add(airline, h, to)
					}
				}
				if domestic {
					b.draw(airline, h, n, hubs, true)
				}
				continue
			}
			b.draw(airline, h, n, hubs, false)
		}
	}
}

// reach returns how far an airline flies without a stop, in km.
func reach(a world.Airline) float64 {
	switch a.Type {
	case world.LowCost:
		return 5200
	case world.Regional:
		return 1600
	}
	return 14500
}

// draw adds the n routes from hub h that draw most passengers: near ones by
// gravity, far ones by the size of the city.
func (b *builder) draw(airline world.Airline, h int32, n int, hubs map[int32]bool, domesticOnly bool) {
	type candidate struct {
		to    int32
		score float64
	}
	var near, far []candidate
	from := b.airports[h]
	for j := range b.airports {
		to := b.airports[j]
		if int32(j) == h || domesticOnly && to.Country != from.Country {
			continue
		}
		d := world.DistanceKm(from, to)
		if d < 90 || d > reach(airline) || !b.permitted(airline, from, to) {
			continue
		}
		weight := max(float64(to.Passengers), 30) / 1000
		domestic := from.Country == to.Country
		if d <= 4300 || domestic {
			s := math.Pow(weight, 0.4)
			switch {
			case d < 350:
				s *= 0.35 + 0.65*d/350
			case d > 900:
				s *= math.Pow(d/900, -0.7)
			}
			if domestic {
				s *= 5
			}
			if hubs[int32(j)] {
				s *= 2.1
			}
			near = append(near, candidate{int32(j), s})
			continue
		}
		s := math.Pow(weight, 0.75) * math.Pow(d/5000, -0.35)
		if hubs[int32(j)] {
			s *= 2
		}
		far = append(far, candidate{int32(j), s})
	}
	long := 0
	if airline.Type == world.Network && from.Passengers > 15_000 {
		long = n * 3 / 10
	}
	for _, side := range []struct {
		list []candidate
		n    int
	}{{near, n - long}, {far, long}} {
		slices.SortFunc(side.list, func(x, y candidate) int {
			return cmp.Or(cmp.Compare(math.Round(y.score*1e6), math.Round(x.score*1e6)), cmp.Compare(x.to, y.to))
		})
		for _, c := range side.list[:min(side.n, len(side.list))] {
			b.add(airline, h, c.to)
		}
	}
}

// permitted reports whether an airline may fly between two airports: open
// airspace, no domestic flights abroad, and none between two foreign countries
// outside the common market.
func (b *builder) permitted(airline world.Airline, x, y world.Airport) bool {
	if closed[x.Country] || closed[y.Country] || b.mustNot[[2]string{x.IATA, y.IATA}] {
		return false
	}
	if east[x.Country] && west[y.Country] || west[x.Country] && east[y.Country] {
		return false
	}
	if x.Country == airline.Country || y.Country == airline.Country {
		return true
	}
	return market[airline.Country] && market[x.Country] && market[y.Country]
}

func (b *builder) add(airline world.Airline, x, y int32) {
	if x == y || b.mustNot[[2]string{b.airports[x].IATA, b.airports[y].IATA}] {
		return
	}
	b.airlines[airline.Code] = airline
	r := route{airline.Code, min(x, y), max(x, y)}
	if !b.routes[r] {
		b.routes[r] = true
		b.degree[x]++
		b.degree[y]++
	}
}

// fromFacts adds the pairs that are known to exist. X stands for some carrier.
func (b *builder) fromFacts() {
	for _, fact := range strings.Fields(mustText) {
		pair, carriers, ok := strings.Cut(fact, ":")
		if !ok || len(pair) != 7 {
			continue
		}
		x, okX := b.index[pair[:3]]
		y, okY := b.index[pair[4:]]
		if !okX || !okY {
			continue
		}
		for _, code := range strings.Split(carriers, ",") {
			airline, known := world.AirlineOf(code)
			if !known {
				airline, known = b.carrierFor(x, y)
			}
			if known {
				b.add(airline, x, y)
			}
		}
	}
}

// carrierFor returns the airline that would connect two airports: the home
// carrier of one of their countries, by code.
func (b *builder) carrierFor(x, y int32) (world.Airline, bool) {
	var best world.Airline
	for _, country := range []string{b.airports[y].Country, b.airports[x].Country} {
		for _, a := range world.Airlines() {
			if a.Country == country && a.Type != world.LowCost && a.Numeric != "" && best.Code == "" {
				best = a
			}
		}
	}
	return best, best.Code != ""
}

// attach connects every airport that nobody flies to yet with the best
// gateway near it.
func (b *builder) attach() {
	for i := range b.airports {
		from := b.airports[i]
		if b.degree[i] > 0 || closed[from.Country] {
			continue
		}
		best, score := int32(-1), 0.0
		for j := range b.airports {
			to := b.airports[j]
			if b.degree[j] < 3 || i == j {
				continue
			}
			d := world.DistanceKm(from, to)
			if d > 4000 || d < 30 {
				continue
			}
			s := math.Sqrt(float64(b.degree[j])) / (200 + d)
			if to.Country == from.Country {
				s *= 20
			}
			if s > score {
				best, score = int32(j), s
			}
		}
		if best < 0 {
			continue
		}
		if airline, ok := b.carrierFor(best, int32(i)); ok {
			b.add(airline, int32(i), best)
		}
	}
}

// schedule turns routes into lines: how often, on which days, at what time.
func (b *builder) schedule() {
	routes := make([]route, 0, len(b.routes))
	for r := range b.routes {
		routes = append(routes, r)
	}
	slices.SortFunc(routes, func(x, y route) int {
		return cmp.Or(cmp.Compare(x.carrier, y.carrier), cmp.Compare(x.a, y.a), cmp.Compare(x.b, y.b))
	})
	next := map[string]int{}
	for _, r := range routes {
		x, y := b.airports[r.a], b.airports[r.b]
		km := world.DistanceKm(x, y)
		weekly := frequency(x, y, km)
		for i := 0; i*7 < weekly; i++ {
			days := uint8(0x7f)
			if rest := weekly - i*7; rest < 7 {
				days = spread(rest, hash(r.carrier, x.IATA, y.IATA, "days"))
			}
			for way := range 2 {
				from, to := r.a, r.b
				if way == 1 {
					from, to = to, from
				}
				number := 1 + next[r.carrier]
				next[r.carrier]++
				if number > 9999 {
					continue
				}
				b.line(r.carrier, number, from, to, i, weekly, days, km)
			}
		}
	}
	b.out = make([][]int32, len(b.airports))
	for i, l := range b.lines {
		b.out[l.from] = append(b.out[l.from], int32(i))
		pair := [2]int32{l.from, l.to}
		b.pairs[pair] = append(b.pairs[pair], int32(i))
		b.numbers[flightNumber(l)] = int32(i)
	}
}

// frequency returns how often a week one carrier flies a route each way.
func frequency(x, y world.Airport, km float64) int {
	pull := math.Sqrt(max(float64(x.Passengers), 30) * max(float64(y.Passengers), 30)) // thousands
	per := 1200.0
	if km > 4300 {
		per = 2200
	}
	return min(max(int(pull/per*3.5), 3), 28)
}

// spread returns n days of the week, as far apart as they go.
func spread(n int, offset uint32) uint8 {
	var days uint8
	for i := range n {
		days |= 1 << ((uint32(i*7/n) + offset) % 7)
	}
	return days
}

func (b *builder) line(carrier string, number int, from, to int32, i, weekly int, days uint8, km float64) {
	x, y := b.airports[from], b.airports[to]
	perDay := (weekly + 6) / 7
	// Evenly over the day, each route at a time of its own; long flights leave late.
	first, last := 330, 1320
	if km > 4300 {
		first, last = 480, 1435
	}
	slot := (last - first) / perDay
	jitter := int(hash(carrier, x.IATA, y.IATA, strconv.Itoa(i)) % uint32(max(slot, 5)))
	l := line{carrier: carrier, number: number, from: from, to: to, depart: (first + i*slot + jitter) / 5 * 5, days: days, km: int(math.Round(km)), block: block(x, y, km), aircraft: aircraft(km)}
	b.lines = append(b.lines, l)
}

// block returns the minutes from gate to gate, on a grid of five.
func block(x, y world.Airport, km float64) int {
	speed := 13.8
	if km > 4300 {
		speed = 14.2
	}
	minutes := 38 + km/speed
	if km < 600 {
		minutes = 25 + km/8
	}
	if lat := (math.Abs(x.Lat) + math.Abs(y.Lat)) / 2; km > 1500 && lat > 20 && lat < 65 {
		east := math.Mod(y.Lon-x.Lon+540, 360) - 180
		if east > 10 {
			minutes *= 0.95
		} else if east < -10 {
			minutes *= 1.07
		}
	}
	return int(minutes/5+0.5) * 5
}

func aircraft(km float64) string {
	switch {
	case km < 700:
		return "AT7"
	case km < 4300:
		return "320"
	case km < 9000:
		return "333"
	}
	return "77W"
}

func flightNumber(l line) string { return l.carrier + strconv.Itoa(l.number) }
