package timetable

import (
	"slices"
	"sync"
)

// A Departure is a flight on a day as a scan reads it: all it needs to know of
// most flights, in few bytes.
type Departure struct {
	line     uint32 // and above it, what it has beside: see below
	From, To uint16
	Minute   uint16 // of the UTC day
	Block    uint16
}

// Beside the line, a departure holds whether its airline sells single flights
// only, whether sanctions name it, and by how many days the timetable's day is ahead of the UTC day, plus one.
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

// Alone reports whether the airline sells single flights only.
func (d *Departure) Alone() bool { return d.line&aloneMark != 0 }

// Named reports whether sanctions name the airline.
func (d *Departure) Named() bool { return d.line&namedMark != 0 }

// A sheet is all departures in the world on a UTC day, by time.
type sheet struct {
	day        int
	once       sync.Once
	departures []Departure
}

// keptSheets is how many sheets are kept for the next scan: those of eight
// dates, each with the days on the way before and after it.
const keptSheets = 8 * 5

// sheets are the sheets that were read last, the latest first.
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
