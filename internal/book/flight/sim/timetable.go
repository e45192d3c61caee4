package sim

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"gangway/internal/world"
)

// A line is a flight number: the same flight on certain days of the week. Its
// times are local, as in a printed timetable, so that they stay when clocks change.
type line struct {
	carrier  uint16 // index into carriers
	number   uint16
	from, to uint16 // indexes into places
	dep      uint16 // local minute of the day
	block    uint16 // minutes from gate to gate
	km       uint16
	days     uint8 // bit 0 is Sunday
	aircraft uint8 // index into aircraftTypes
}

// on reports whether the line flies on a day.
func (l *line) on(day int) bool { return l.days&weekday(day) != 0 }

// weekday returns the bit of a day in the days of a line.
func weekday(day int) uint8 { return 1 << uint((day+4)%7) } // day 0, 1970-01-01, was a Thursday

// An edge is all lines from one airport to another.
type edge struct {
	from, to     uint16
	km           uint16
	least, most  uint16 // minutes from gate to gate
	first, after uint32 // its lines, by departure
}

// aircraftTypes lists the aircraft and their seats.
var aircraftTypes = []struct {
	code  string
	seats int
}{{"AT7", 70}, {"E90", 106}, {"320", 180}, {"32Q", 200}, {"333", 290}, {"789", 290}, {"77W", 350}, {"359", 325}}

// A timetable is what is flown, arranged for finding connections.
type timetable struct {
	clock
	places   []place
	hubs     []hub // by place
	byCode   map[string]int
	carriers []world.Airline
	alone    []bool // by carrier: sells single flights only
	named    []bool // by carrier: sanctions name it
	sheets   sheets

	lines    []line
	edges    []edge              // by origin and then by destination
	out      []uint32            // places[i] has edges[out[i]:out[i+1]]
	in       [][]uint32          // places[i] is reached by edges[in[i]]
	byNumber map[string][]uint32 // carrier → flight number-1 → line
}

func newTimetable(routes []route) (*timetable, error) {
	t := &timetable{byCode: map[string]int{}, carriers: world.Airlines(), byNumber: map[string][]uint32{}}
	t.places, t.zones = newPlaces()
	for i, p := range t.places {
		t.byCode[p.IATA] = i
		t.hubs = append(t.hubs, hubOf(p.Airport))
	}
	carriers, aircraft := map[string]int{}, map[string]int{}
	for i, a := range t.carriers {
		carriers[a.Code] = i
		t.alone = append(t.alone, a.Type == world.LowCost)
		_, named := world.SanctionOn(a.Code)
		t.named = append(t.named, named)
	}
	for i, a := range aircraftTypes {
		aircraft[a.code] = i
	}
	routesAt := map[[2]string]int{} // carrier and hub → routes
	for _, r := range routes {
		routesAt[[2]string{r.carrier, r.hub}]++
	}
	// An airline's longest routes get its lowest flight numbers.
	slices.SortStableFunc(routes, func(a, b route) int {
		return cmp.Or(cmp.Compare(a.carrier, b.carrier), cmp.Compare(b.km, a.km))
	})
	offsets := t.winterOffsets()
	next := map[string]uint16{}
	for _, r := range routes {
		carrier, known := carriers[r.carrier]
		hub, hubKnown := t.byCode[r.hub]
		other, otherKnown := t.byCode[r.other]
		kind, typeKnown := aircraft[r.aircraft]
		if !known || !hubKnown || !otherKnown || !typeKnown {
			return nil, fmt.Errorf("route %s %s-%s by %s names something unknown", r.carrier, r.hub, r.other, r.aircraft)
		}
		p := plan{
			route: r, seed: mix(code(r.carrier), code(r.hub), code(r.other)),
			shift:  offsets[t.places[other].zone] - offsets[t.places[hub].zone],
			banked: t.carriers[carrier].Type == world.Network && routesAt[[2]string{r.carrier, r.hub}] >= 12,
		}
		for slot := range p.slots() {
			out, back := p.times(slot)
			number := next[r.carrier]
			next[r.carrier] += 2
			l := line{
				carrier: uint16(carrier), km: uint16(r.km), aircraft: uint8(kind), days: p.days(slot),
				number: number + 1, from: uint16(hub), to: uint16(other), dep: uint16(out), block: uint16(r.out),
			}
			t.lines = append(t.lines, l)
			l.number, l.from, l.to, l.dep, l.block = number+2, l.to, l.from, uint16(back), uint16(r.back)
			t.lines = append(t.lines, l)
		}
	}
	t.index(next)
	return t, nil
}

// winterOffsets returns each zone's minutes from UTC on a day without summer
// time in the north. They place flights in the day; exact times follow later.
func (t *timetable) winterOffsets() []int {
	offsets := make([]int, len(t.zones))
	for i, z := range t.zones {
		_, seconds := time.Date(2027, 1, 15, 12, 0, 0, 0, time.UTC).In(z).Zone()
		offsets[i] = seconds / 60
	}
	return offsets
}

// index arranges the lines by airports and numbers.
func (t *timetable) index(numbers map[string]uint16) {
	slices.SortFunc(t.lines, func(a, b line) int {
		return cmp.Or(cmp.Compare(a.from, b.from), cmp.Compare(a.to, b.to), cmp.Compare(a.dep, b.dep), cmp.Compare(a.carrier, b.carrier), cmp.Compare(a.number, b.number))
	})
	for code, count := range numbers {
		t.byNumber[code] = make([]uint32, count)
	}
	t.out = make([]uint32, len(t.places)+1)
	t.in = make([][]uint32, len(t.places))
	for i := range t.lines {
		l := &t.lines[i]
		t.byNumber[t.carriers[l.carrier].Code][l.number-1] = uint32(i)
		if i == 0 || t.lines[i-1].from != l.from || t.lines[i-1].to != l.to {
			t.in[l.to] = append(t.in[l.to], uint32(len(t.edges)))
			t.edges = append(t.edges, edge{from: l.from, to: l.to, km: l.km, least: l.block, most: l.block, first: uint32(i)})
			t.out[l.from+1] = uint32(len(t.edges))
		}
		if !t.alone[l.carrier] {
			t.hubs[l.from].onward, t.hubs[l.to].feeding = true, true
		}
		e := &t.edges[len(t.edges)-1]
		e.least, e.most, e.after = min(e.least, l.block), max(e.most, l.block), uint32(i+1)
	}
	for i := 1; i < len(t.out); i++ {
		t.out[i] = max(t.out[i], t.out[i-1])
	}
}

// from returns the edges that leave an airport.
func (t *timetable) from(place int) []edge { return t.edges[t.out[place]:t.out[place+1]] }

// between returns the edge between two airports.
func (t *timetable) between(from, to int) (edge, bool) {
	edges := t.from(from)
	i, ok := slices.BinarySearchFunc(edges, to, func(e edge, to int) int { return cmp.Compare(int(e.to), to) })
	if !ok {
		return edge{}, false
	}
	return edges[i], true
}

// lineOf returns the line of a flight number.
func (t *timetable) lineOf(carrier string, number int) (uint32, bool) {
	lines := t.byNumber[carrier]
	if number < 1 || number > len(lines) {
		return 0, false
	}
	return lines[number-1], true
}
