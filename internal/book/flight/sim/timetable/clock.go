package timetable

import (
	"sync/atomic"
	"time"

	"gangway/internal/gangway"
)

// In all rooms of the network, instants are minutes since 1970 in UTC, and days are calendar days since
// then, at any place.

// MinutesADay is the length of a day without a change of clocks.
const MinutesADay = 1440

// DayOf returns the day of a date; false if the date is not valid.
func DayOf(d gangway.Date) (day int, ok bool) {
	if !d.Valid() {
		return 0, false
	}
	return int(d.In(time.UTC).Unix() / 86400), true
}

// MinuteOf returns the minute of an instant.
func MinuteOf(t time.Time) int { return int(t.Unix() / 60) }

// TimeOf returns a minute as an instant in a zone.
func TimeOf(minute int, loc *time.Location) time.Time {
	return time.Unix(int64(minute)*60, 0).In(loc)
}

// A clock converts between local and universal time. Zones change their offset on few days, so each day's
// offsets are looked up once for all searches.
type clock struct {
	zones []*time.Location
	days  [512]atomic.Pointer[offsets] // by day modulo 512, which is more than the days on sale
}

// offsets are the minutes by which the zones are ahead of UTC on a local day.
type offsets struct {
	day int
	of  []int32
}

// changing marks an offset that differs at the end of the day, or just before it.
const changing = 1 << 20

// offset returns the zone's minutes from UTC on a local day; false if they change on it, or at its
// midnight.
func (c *clock) offset(zone, day int) (minutes int, known bool) {
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
	year, month, d := TimeOf(day*MinutesADay, time.UTC).Date()
	for i, zone := range c.zones {
		_, before := time.Date(year, month, d, 0, 0, 0, 0, zone).Add(-2 * time.Hour).Zone()
		_, after := time.Date(year, month, d+1, 0, 0, 0, 0, zone).Zone()
		if o.of[i] = int32(before / 60); before != after {
			o.of[i] = changing
		}
	}
	return o
}
