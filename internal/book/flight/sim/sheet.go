package sim

import (
	"slices"
	"sync"
)

// A departure is a flight on a day as a scan reads it: all it needs to know of
// most flights, in few bytes.
type departure struct {
	line     uint32 // and above it, what it has beside: see below
	from, to uint16
	minute   uint16 // of the UTC day
	block    uint16
}

// Beside the line, a departure holds whether its airline sells single flights
// only, whether sanctions name it, and by how many days the timetable's day is ahead of the UTC day, plus one.
const (
	lineMask   = 1<<20 - 1
	aloneMark  = 1 << 20
	namedMark  = 1 << 21
	shiftStart = 22
)

// flight returns the line and, for a departure of a UTC day, the timetable's day.
func (d *departure) flight(utcDay int) (line uint32, day int) {
	return d.line & lineMask, utcDay + int(d.line>>shiftStart) - 1
}

func (d *departure) alone() bool { return d.line&aloneMark != 0 }
func (d *departure) named() bool { return d.line&namedMark != 0 }

// A sheet is all departures in the world on a UTC day, by time.
type sheet struct {
	day        int
	once       sync.Once
	departures []departure
}

// keptSheets is how many sheets are kept for the next scan: those of eight
// dates, each with the days on the way before and after it.
const keptSheets = 8 * 5

// sheets are the sheets that were read last, the latest first.
type sheets struct {
	mu   sync.Mutex
	list []*sheet
}

// departures returns the departures of a UTC day by time.
func (t *timetable) departures(day int) []departure {
	s := t.sheets.of(day)
	s.once.Do(func() { s.departures = t.layOut(day) })
	return s.departures
}

func (s *sheets) of(day int) *sheet {
	s.mu.Lock()
	defer s.mu.Unlock()
	i := slices.IndexFunc(s.list, func(p *sheet) bool { return p.day == day })
	var p *sheet
	switch {
	case i >= 0:
		p = s.list[i]
		s.list = slices.Delete(s.list, i, i+1)
	default:
		p = &sheet{day: day}
		s.list = s.list[:min(len(s.list), keptSheets-1)]
	}
	s.list = slices.Insert(s.list, 0, p)
	return p
}

// layOut makes a sheet. It visits the lines in their order and counts them into
// the minutes of the day, which is quicker than sorting.
func (t *timetable) layOut(day int) []departure {
	var first [minutesADay + 1]uint32 // by minute: where its departures begin
	t.eachDeparture(day, func(d departure) { first[d.minute+1]++ })
	for i := range minutesADay {
		first[i+1] += first[i]
	}
	list := make([]departure, first[minutesADay])
	t.eachDeparture(day, func(d departure) {
		list[first[d.minute]] = d
		first[d.minute]++
	})
	return list
}

// eachDeparture yields what leaves on a UTC day, in the order of the lines.
func (t *timetable) eachDeparture(utcDay int, yield func(departure)) {
	for place := range t.places {
		edges := t.from(place)
		if len(edges) == 0 {
			continue
		}
		for day := utcDay - 1; day <= utcDay+1; day++ {
			offset, steady := t.offset(t.places[place].zone, day)
			begin := (day-utcDay)*minutesADay - offset // of the local day
			if steady && (begin >= minutesADay || begin <= -minutesADay) {
				continue
			}
			today := weekday(day)
			for i := edges[0].first; i < edges[len(edges)-1].after; i++ {
				l := &t.lines[i]
				if l.days&today == 0 {
					continue
				}
				minute := begin + int(l.dep)
				if !steady {
					minute = t.utc(place, day, int(l.dep)) - utcDay*minutesADay
				}
				if minute < 0 || minute >= minutesADay {
					continue
				}
				d := departure{line: i | uint32(day-utcDay+1)<<shiftStart, from: l.from, to: l.to, minute: uint16(minute), block: l.block}
				if t.alone[l.carrier] {
					d.line |= aloneMark
				}
				if t.named[l.carrier] {
					d.line |= namedMark
				}
				yield(d)
			}
		}
	}
}
