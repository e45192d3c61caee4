package timetable

// A Line is a flight number: the same flight on certain days of the week. Its times are local, as in a printed
// timetable, so that they stay the same when clocks change.
type Line struct {
	Carrier  uint16 // index into carriers
	Number   uint16
	From, To uint16 // indexes into places
	Dep      uint16 // local minute of the day
	Block    uint16 // minutes from gate to gate
	Km       uint16
	Days     uint8 // bit 0 is Sunday
	Aircraft uint8 // index into aircraftTypes
}

// On reports whether the line flies on a day.
func (l *Line) On(day int) bool { return l.Days&Weekday(day) != 0 }

// Weekday returns the bit of a day in the days of a line.
func Weekday(day int) uint8 { return 1 << uint((day+4)%7) } // day 0, 1970-01-01, was a Thursday

// An Edge is all lines from one airport to another.
type Edge struct {
	From, To     uint16
	Km           uint16
	Least, Most  uint16 // minutes from gate to gate
	First, After uint32 // its lines, by departure
}
