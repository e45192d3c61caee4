package sim

import (
	"time"

	"gangway"
)

// Within the package, instants are minutes since 1970 in UTC, and days are
// calendar days since then, without a place.

const minutesADay = 1440

// dayOf returns the day of a date; false when it is none.
func dayOf(d gangway.Date) (int, bool) {
	if !d.Valid() {
		return 0, false
	}
	return int(d.In(time.UTC).Unix() / 86400), true
}

// dateOf returns the date of a day.
func dateOf(day int) gangway.Date {
	return gangway.DateOf(time.Unix(int64(day)*86400, 0).UTC())
}

// minuteOf returns the minute of an instant.
func minuteOf(t time.Time) int { return int(t.Unix() / 60) }

// timeOf returns a minute as an instant in a zone.
func timeOf(minute int, loc *time.Location) time.Time {
	return time.Unix(int64(minute)*60, 0).In(loc)
}

// clockSpan is how many days a clock holds: a search looks at fewer.
const clockSpan = 12

// A clock converts between local and universal time for the days around a
// search. Zones change their offset on few days, so each day's is looked up once.
type clock struct {
	*timetable
	first   int // day
	offsets []int32
}

const (
	unknownOffset  = 1 << 20
	changingOffset = 1 << 21
)

func (t *timetable) clockFrom(day int) *clock {
	c := &clock{timetable: t, first: day - 2, offsets: make([]int32, len(t.zones)*clockSpan)}
	for i := range c.offsets {
		c.offsets[i] = unknownOffset
	}
	return c
}

// offset returns the zone's minutes from UTC on a local day; false when they
// change on it.
func (c *clock) offset(zone, day int) (int, bool) {
	i := day - c.first
	if i < 0 || i >= clockSpan {
		return 0, false
	}
	o := &c.offsets[zone*clockSpan+i]
	if *o == unknownOffset {
		*o = c.look(zone, day)
	}
	return int(*o), *o != changingOffset
}

func (c *clock) look(zone, day int) int32 {
	date := time.Unix(int64(day)*86400, 0).UTC()
	year, month, d := date.Date()
	_, before := time.Date(year, month, d, 0, 0, 0, 0, c.zones[zone]).Zone()
	_, after := time.Date(year, month, d+1, 0, 0, 0, 0, c.zones[zone]).Zone()
	if before != after {
		return changingOffset
	}
	return int32(before / 60)
}

// utc returns the instant of a local minute of a day at a place.
func (c *clock) utc(place, day, minute int) int {
	p := &c.places[place]
	if offset, ok := c.offset(p.zone, day); ok {
		return day*minutesADay + minute - offset
	}
	year, month, d := time.Unix(int64(day)*86400, 0).UTC().Date()
	return minuteOf(time.Date(year, month, d, 0, minute, 0, 0, p.loc))
}

// local returns the day and the minute of the day at a place.
func (c *clock) local(place, utc int) (day, minute int) {
	p := &c.places[place]
	guess := utc / minutesADay
	if offset, ok := c.offset(p.zone, guess); ok {
		local := utc + offset
		if local/minutesADay == guess {
			return guess, local % minutesADay
		}
		if offset, ok = c.offset(p.zone, local/minutesADay); ok && (utc+offset)/minutesADay == local/minutesADay {
			return (utc + offset) / minutesADay, (utc + offset) % minutesADay
		}
	}
	_, seconds := timeOf(utc, p.loc).Zone()
	local := utc + seconds/60
	return local / minutesADay, local % minutesADay
}
