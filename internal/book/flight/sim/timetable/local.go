package timetable

import "time"

// Offset returns a place's minutes from UTC on a local day; steady is false if they change on it, or at its
// midnight.
func (t *Timetable) Offset(place, day int) (minutes int, steady bool) {
	return t.offset(t.Places[place].zone, day)
}

// UTC returns the instant of a local minute of a day at a place.
func (t *Timetable) UTC(place, day, minute int) int {
	p := &t.Places[place]
	if offset, ok := t.offset(p.zone, day); ok {
		return day*MinutesADay + minute - offset
	}
	year, month, d := TimeOf(day*MinutesADay, time.UTC).Date()
	return MinuteOf(time.Date(year, month, d, 0, minute, 0, 0, p.Loc))
}

// Local returns the day and the minute of the day at a place.
func (t *Timetable) Local(place, utc int) (day, minute int) {
	p := &t.Places[place]
	guess := utc / MinutesADay
	if offset, ok := t.offset(p.zone, guess); ok {
		local := utc + offset
		if local/MinutesADay == guess {
			return guess, local % MinutesADay
		}
		if offset, ok = t.offset(p.zone, local/MinutesADay); ok && (utc+offset)/MinutesADay == local/MinutesADay {
			return (utc + offset) / MinutesADay, (utc + offset) % MinutesADay
		}
	}
	_, seconds := TimeOf(utc, p.Loc).Zone()
	local := utc + seconds/60
	return local / MinutesADay, local % MinutesADay
}

// Midnight returns the first minute of a local day at a place: 00:00, unless clocks are put forward at that
// time.
func (t *Timetable) Midnight(place, day int) int {
	on := func(minute int) bool { d, _ := t.Local(place, minute); return d >= day }
	first := t.UTC(place, day, 0)
	for !on(first) {
		first++
	}
	for on(first - 1) {
		first--
	}
	return first
}

// LocalDay returns the day and minute at a place for any instant, whether or not it is near a search.
func (t *Timetable) LocalDay(place, utc int) (day, minute int) {
	_, seconds := TimeOf(utc, t.Places[place].Loc).Zone()
	local := utc + seconds/60
	return local / MinutesADay, local % MinutesADay
}
