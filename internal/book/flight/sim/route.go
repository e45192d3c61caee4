package sim

import (
	"cmp"
	"slices"
	"time"

	"gangway"
	"gangway/internal/world"
)

// A flown line is a line on one date.
type flown struct {
	line  int32
	date  gangway.Date // local date of departure
	leave int64        // minutes since the epoch, UTC
	land  int64
}

// A path is the flights of one leg, one after another.
type path []flown

func (p path) land() int64  { return p[len(p)-1].land }
func (p path) leave() int64 { return p[0].leave }
func (p path) took() int64  { return p.land() - p.leave() }

const (
	longestWait = 10 * 60 // minutes between two flights of a leg
	manyPaths   = 24      // paths of one leg that are worth pricing
	enough      = 10      // with so many paths nobody wants another stop
)

// A finder looks for paths. It keeps the offsets of local time that it has
// looked up, and serves one search.
type finder struct {
	*timetable
	offsets map[offsetKey]int64
}

type offsetKey struct {
	airport int32
	date    gangway.Date
}

func (t *timetable) finder() *finder { return &finder{t, map[offsetKey]int64{}} }

// fly puts a line on a date; ok is false on days when it does not fly.
func (f *finder) fly(i int32, date gangway.Date) (flown, bool) {
	l := f.lines[i]
	day := date.In(time.UTC)
	if l.days&(1<<uint(day.Weekday())) == 0 {
		return flown{}, false
	}
	leave := day.Unix()/60 + int64(l.depart) - f.offset(l.from, date, l.depart)
	return flown{line: i, date: date, leave: leave, land: leave + int64(l.block)}, true
}

// offset returns the minutes that local time at an airport is ahead of UTC
// during a date. On the day of a change of clocks it is taken at the minute asked for.
func (f *finder) offset(airport int32, date gangway.Date, minute int) int64 {
	key := offsetKey{airport, date}
	if o, ok := f.offsets[key]; ok {
		return o
	}
	loc := f.airports[airport].Location()
	midnight := date.In(loc)
	_, early := midnight.Zone()
	_, late := midnight.AddDate(0, 0, 1).Zone()
	if early != late {
		_, at := time.Date(midnight.Year(), midnight.Month(), midnight.Day(), 0, minute, 0, 0, loc).Zone()
		return int64(at / 60)
	}
	f.offsets[key] = int64(early / 60)
	return int64(early / 60)
}

// local returns the local date at an airport at an instant in minutes since the epoch.
func (f *finder) local(airport int32, at int64) time.Time {
	return time.Unix(at*60, 0).In(f.airports[airport].Location())
}

// leg returns the paths of one leg, the best first: few stops, quick, early.
func (f *finder) leg(leg gangway.Leg, maxStops int) []path {
	from, ok := f.index[string(leg.Origin)]
	to, known := f.index[string(leg.Destination)]
	if !ok || !known || from == to {
		return nil
	}
	dates, fits := []gangway.Date{leg.Date}, func(path) bool { return true }
	if leg.Date == "" {
		dates = []gangway.Date{leg.ArriveOn.AddDays(-2), leg.ArriveOn.AddDays(-1), leg.ArriveOn, leg.ArriveOn.AddDays(1)}
		fits = func(p path) bool {
			at := f.local(to, p.land())
			return gangway.DateOf(at) == leg.ArriveOn && (leg.ArriveBy == "" || at.Format("15:04") <= leg.ArriveBy)
		}
	}
	if maxStops < 0 || maxStops > 2 {
		maxStops = 2
	}
	var found []path
	for stops := 0; stops <= maxStops && (stops < 2 || len(found) < enough); stops++ {
		for _, date := range dates {
			f.walk(nil, from, to, date, stops, func(p path) {
				if fits(p) {
					found = append(found, p)
				}
			})
		}
	}
	return best(found)
}

// walk extends so, which ends at at, by flights to to with exactly the given
// number of stops, and yields each path it completes.
func (f *finder) walk(so path, at, to int32, date gangway.Date, stops int, yield func(path)) {
	if stops == 0 {
		for _, i := range f.pairs[[2]int32{at, to}] {
			f.next(so, i, date, yield)
		}
		return
	}
	limit := 1.45*world.DistanceKm(f.airports[f.origin(so, at)], f.airports[to]) + 500
	for _, i := range f.out[at] {
		via := f.lines[i].to
		if via == to || via == f.origin(so, at) {
			continue
		}
		if stops == 1 && f.pairs[[2]int32{via, to}] == nil {
			continue
		}
		if f.flownKm(so)+float64(f.lines[i].km)+world.DistanceKm(f.airports[via], f.airports[to]) > limit {
			continue
		}
		f.next(so, i, date, func(p path) { f.walk(p, via, to, "", stops-1, yield) })
	}
}

func (f *finder) origin(so path, at int32) int32 {
	if len(so) == 0 {
		return at
	}
	return f.lines[so[0].line].from
}

func (f *finder) flownKm(so path) float64 {
	km := 0
	for _, s := range so {
		km += f.lines[s.line].km
	}
	return float64(km)
}

// next adds line i to so: on date when it is the first, and otherwise at the
// first time after a connection that can be made.
func (f *finder) next(so path, i int32, date gangway.Date, yield func(path)) {
	if len(so) == 0 {
		if fl, ok := f.fly(i, date); ok {
			yield(path{fl})
		}
		return
	}
	last := so[len(so)-1]
	if !f.together(last.line, i) {
		return
	}
	least := last.land + int64(f.connection(last.line, i))
	day := gangway.DateOf(f.local(f.lines[i].from, last.land))
	for n := range 2 {
		fl, ok := f.fly(i, day.AddDays(n))
		if ok && fl.leave >= least && fl.leave <= last.land+longestWait {
			yield(append(so[:len(so):len(so)], fl))
			return
		}
	}
}

// together reports whether two lines are sold on one ticket: the same airline,
// the same alliance, or airlines that sell with others. Low-cost airlines sell
// single flights.
func (f *finder) together(x, y int32) bool {
	a, b := f.airlines[f.lines[x].carrier], f.airlines[f.lines[y].carrier]
	if a.Code == b.Code {
		return a.Type != world.LowCost
	}
	return a.Type != world.LowCost && b.Type != world.LowCost
}

// connection returns the minutes that a change from line x to line y takes at least.
func (f *finder) connection(x, y int32) int {
	from, hub, to := f.airports[f.lines[x].from], f.airports[f.lines[x].to], f.airports[f.lines[y].to]
	minutes := 60
	switch {
	case from.Country == hub.Country && hub.Country == to.Country, market[from.Country] && market[hub.Country] && market[to.Country]:
		minutes = 45
	case hub.Country == "US" && from.Country != "US":
		minutes = 90
	}
	if hub.Passengers > 40_000 {
		minutes += 15
	}
	return minutes
}

// best keeps the paths worth offering: of those that leave and land at the same
// times one, and none that another leaves later, lands earlier than, and stops no more often.
func best(found []path) []path {
	slices.SortFunc(found, func(x, y path) int {
		return cmp.Or(cmp.Compare(len(x), len(y)), cmp.Compare(x.took(), y.took()), cmp.Compare(x.leave(), y.leave()), cmp.Compare(x[0].line, y[0].line), cmp.Compare(x[len(x)-1].line, y[len(y)-1].line))
	})
	var kept []path
	for _, p := range found {
		beaten := slices.ContainsFunc(kept, func(k path) bool {
			return len(k) <= len(p) && k.leave() >= p.leave() && k.land() <= p.land() && (k.took() < p.took() || k.leave() == p.leave())
		})
		if !beaten {
			kept = append(kept, p)
		}
		if len(kept) == manyPaths {
			break
		}
	}
	return kept
}

// segments writes a path as the segments of a leg.
func (f *finder) segments(p path, leg int, cabin gangway.Cabin) []gangway.Segment {
	list := make([]gangway.Segment, len(p))
	for i, fl := range p {
		l := f.lines[fl.line]
		from, to := f.airports[l.from], f.airports[l.to]
		list[i] = gangway.Segment{
			Leg: leg, Carrier: l.carrier, FlightNumber: flightNumber(l), Origin: gangway.Airport(from.IATA), Destination: gangway.Airport(to.IATA),
			Departure: f.local(l.from, fl.leave), Arrival: f.local(l.to, fl.land),
			OriginTerminal: terminal(from, l.carrier), DestinationTerminal: terminal(to, l.carrier),
			Cabin: cabin, Aircraft: l.aircraft, DistanceKm: l.km,
		}
	}
	return list
}

// terminal returns where an airline stands at a large airport.
func terminal(a world.Airport, carrier string) string {
	if a.Passengers < 20_000 {
		return ""
	}
	return string(rune('1' + hash(a.IATA, carrier, "terminal")%3))
}
