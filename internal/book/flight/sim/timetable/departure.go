package timetable

import (
	"slices"
	"sync"
)

// A Departure is a flight on a day as a scan reads it, with all that a scan needs to know of most flights in
// few bytes.
type Departure struct {
	line     uint32 // and in its upper bits what the constants below mark
	From, To uint16
	Minute   uint16 // of the UTC day
	Block    uint16
}

// The upper bits of a departure's line say whether its airline sells only single flights, whether it is under
// sanctions, and by how many days the timetable's day is ahead of the UTC day, plus one.
const (
	lineMask   = 1<<20 - 1
	aloneMark  = 1 << 20
	namedMark  = 1 << 21
	shiftStart = 22
)

// Flight returns the line and, for a departure of a UTC day, the timetable's day.
func (d *Departure) Flight(utcDay int) (line uint32, day int) {
	return d.line & lineMask, utcDay + int(d.line>>shiftStart) - 1
}

// Alone reports whether the airline sells only single flights.
func (d *Departure) Alone() bool { return d.line&aloneMark != 0 }

// Named reports whether the airline is under sanctions.
func (d *Departure) Named() bool { return d.line&namedMark != 0 }

// A sheet has all departures in the world on a UTC day, by time.
type sheet struct {
	day        int
	once       sync.Once
	departures []Departure
}

// keptSheets is how many sheets are cached for the next scan: those of eight dates, each with the days before
// and after that its journeys touch.
const keptSheets = 8 * 5

// sheets is a cache of sheets, the most recently used first.
type sheets struct {
	mu   sync.Mutex
	list []*sheet
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
