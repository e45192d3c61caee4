package sim

import (
	"sync/atomic"
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

// A clock converts between local and universal time. Zones change their offset
// on few days, so each day's offsets are looked up once for all searches.
type clock struct {
	zones []*time.Location
	days  [512]atomic.Pointer[offsets] // by day, modulo their number: more than there are on sale
}

// offsets are the minutes by which the zones are ahead of UTC on a local day.
type offsets struct {
	day int
	of  []int32
}

// changing stands for an offset that is another at the end of the day, or just
// before it.
const changing = 1 << 20

// offset returns the zone's minutes from UTC on a local day; false when they
// change on it, or at its midnight.
func (c *clock) offset(zone, day int) (int, bool) {
	slot := &c.days[uint(day)%uint(len(c.days))]
	o := slot.Load()
	if o == nil || o.day != day {
		o = c.look(day)
		slot.Store(o)
	}
	return int(o.of[zone]), o.of[zone] != changing
}

func (c *clock) look(day int) *offsets {
	o := &offsets{day, make([]int32, len(c.zones))}
	year, month, d := timeOf(day*minutesADay, time.UTC).Date()
	for i, zone := range c.zones {
		_, before := time.Date(year, month, d, 0, 0, 0, 0, zone).Add(-2 * time.Hour).Zone()
		_, after := time.Date(year, month, d+1, 0, 0, 0, 0, zone).Zone()
		if o.of[i] = int32(before / 60); before != after {
			o.of[i] = changing
		}
	}
	return o
}

// utc returns the instant of a local minute of a day at a place.
func (t *timetable) utc(place, day, minute int) int {
	p := &t.places[place]
	if offset, ok := t.offset(p.zone, day); ok {
		return day*minutesADay + minute - offset
	}
	year, month, d := timeOf(day*minutesADay, time.UTC).Date()
	return minuteOf(time.Date(year, month, d, 0, minute, 0, 0, p.loc))
}

// local returns the day and the minute of the day at a place.
func (t *timetable) local(place, utc int) (day, minute int) {
	p := &t.places[place]
	guess := utc / minutesADay
	if offset, ok := t.offset(p.zone, guess); ok {
		local := utc + offset
		if local/minutesADay == guess {
			return guess, local % minutesADay
		}
		if offset, ok = t.offset(p.zone, local/minutesADay); ok && (utc+offset)/minutesADay == local/minutesADay {
			return (utc + offset) / minutesADay, (utc + offset) % minutesADay
		}
	}
	_, seconds := timeOf(utc, p.loc).Zone()
	local := utc + seconds/60
	return local / minutesADay, local % minutesADay
}

// midnight returns the first minute of a local day at a place: 00:00 but where
// the clocks jump over it.
func (t *timetable) midnight(place, day int) int {
	on := func(minute int) bool { d, _ := t.local(place, minute); return d >= day }
	first := t.utc(place, day, 0)
	for !on(first) {
		first++
	}
	for on(first - 1) {
		first--
	}
	return first
}
