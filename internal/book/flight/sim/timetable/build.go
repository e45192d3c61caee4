package timetable

import (
	"cmp"
	"embed"
	"fmt"
	"slices"
	"sync"
	"time"

	"gangway/internal/book/flight/sim/chance"
	"gangway/internal/world"
)

//go:generate go run ../../../../../tools/refdata/routes

//go:embed data
var files embed.FS

// Load returns the timetable, which is built once in a process.
var Load = sync.OnceValues(build)

func build() (*Timetable, error) {
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
}

func newTimetable(routes []route) (*Timetable, error) {
	t := &Timetable{byCode: map[string]int{}, Carriers: world.Airlines(), byNumber: map[string][]uint32{}}
	t.Places, t.zones = newPlaces()
	for i, p := range t.Places {
		t.byCode[p.IATA] = i
		t.hubs = append(t.hubs, hubOf(p.Airport))
	}
	for _, a := range t.Carriers {
		t.alone = append(t.alone, a.Type == world.LowCost)
		_, named := world.SanctionOn(a.Code)
		t.named = append(t.named, named)
	}
	// An airline's longest routes get its lowest flight numbers.
	slices.SortStableFunc(routes, func(a, b route) int {
		return cmp.Or(cmp.Compare(a.carrier, b.carrier), cmp.Compare(b.km, a.km))
	})
	b := newBuilder(t, routes)
	for _, r := range routes {
		if err := b.add(r); err != nil {
			return nil, err
		}
	}
	t.index(b.numbers)
	return t, nil
}

// A builder adds the flights of a timetable, route by route.
type builder struct {
	*Timetable
	carriers, aircraft map[string]int    // their indexes
	offsets            []int             // by zone, see winterOffsets
	routes             map[[2]string]int // how many routes an airline has from a hub
	numbers            map[string]uint16 // how many flight numbers an airline has so far
}

func newBuilder(t *Timetable, routes []route) *builder {
	b := &builder{
		Timetable: t, carriers: map[string]int{}, aircraft: map[string]int{}, offsets: t.winterOffsets(),
		routes: map[[2]string]int{}, numbers: map[string]uint16{},
	}
	for i, a := range t.Carriers {
		b.carriers[a.Code] = i
	}
	for i, a := range aircraftTypes {
		b.aircraft[a.code] = i
	}
	for _, r := range routes {
		b.routes[[2]string{r.carrier, r.hub}]++
	}
	return b
}

// add adds the flights of a route, in both directions.
func (b *builder) add(r route) error {
	carrier, known := b.carriers[r.carrier]
	hub, hubKnown := b.byCode[r.hub]
	other, otherKnown := b.byCode[r.other]
	kind, typeKnown := b.aircraft[r.aircraft]
	if !known || !hubKnown || !otherKnown || !typeKnown {
		return fmt.Errorf("route %s %s-%s by %s names something unknown", r.carrier, r.hub, r.other, r.aircraft)
	}
	p := plan{
		route: r, seed: chance.Mix(chance.Code(r.carrier), chance.Code(r.hub), chance.Code(r.other)),
		shift:  b.offsets[b.Places[other].zone] - b.offsets[b.Places[hub].zone],
		banked: b.Carriers[carrier].Type == world.Network && b.routes[[2]string{r.carrier, r.hub}] >= 12,
	}
	for slot := range p.slots() {
		out, back := p.times(slot)
		number := b.numbers[r.carrier]
		b.numbers[r.carrier] += 2
		l := Line{
			Carrier: uint16(carrier), Km: uint16(r.km), Aircraft: uint8(kind), Days: p.days(slot),
			Number: number + 1, From: uint16(hub), To: uint16(other), Dep: uint16(out), Block: uint16(r.out),
		}
		b.Lines = append(b.Lines, l)
		l.Number, l.From, l.To, l.Dep, l.Block = number+2, l.To, l.From, uint16(back), uint16(r.back)
		b.Lines = append(b.Lines, l)
	}
	return nil
}

// winterOffsets returns each zone's minutes from UTC on a day without summer time in the north. They are
// used to place flights in the day; exact times are worked out later.
func (t *Timetable) winterOffsets() []int {
	offsets := make([]int, len(t.zones))
	for i, z := range t.zones {
		_, seconds := time.Date(2027, 1, 15, 12, 0, 0, 0, time.UTC).In(z).Zone()
		offsets[i] = seconds / 60
	}
	return offsets
}

// index arranges the lines by airports and numbers.
func (t *Timetable) index(numbers map[string]uint16) {
	slices.SortFunc(t.Lines, func(a, b Line) int {
		return cmp.Or(
			cmp.Compare(a.From, b.From), cmp.Compare(a.To, b.To), cmp.Compare(a.Dep, b.Dep),
			cmp.Compare(a.Carrier, b.Carrier), cmp.Compare(a.Number, b.Number),
		)
	})
	for code, count := range numbers {
		t.byNumber[code] = make([]uint32, count)
	}
	t.out = make([]uint32, len(t.Places)+1)
	t.in = make([][]uint32, len(t.Places))
	for i := range t.Lines {
		l := &t.Lines[i]
		t.byNumber[t.Carriers[l.Carrier].Code][l.Number-1] = uint32(i)
		if i == 0 || t.Lines[i-1].From != l.From || t.Lines[i-1].To != l.To {
			t.in[l.To] = append(t.in[l.To], uint32(len(t.Edges)))
			e := Edge{From: l.From, To: l.To, Km: l.Km, Least: l.Block, Most: l.Block, First: uint32(i)}
			t.Edges = append(t.Edges, e)
			t.out[l.From+1] = uint32(len(t.Edges))
		}
		if !t.alone[l.Carrier] {
			t.hubs[l.From].onward, t.hubs[l.To].feeding = true, true
		}
		e := &t.Edges[len(t.Edges)-1]
		e.Least, e.Most, e.After = min(e.Least, l.Block), max(e.Most, l.Block), uint32(i+1)
	}
	for i := 1; i < len(t.out); i++ {
		t.out[i] = max(t.out[i], t.out[i-1])
	}
}
