package gangway

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// A Duty is when people of an account are at work: each Days from a minute of the day to another one, on the clocks of
// Zone. The zero Duty is not known.
type Duty struct {
	Days     uint8 // a bit for each time.Weekday
	From, To int   // minutes after midnight; To is on the next day where it is not later than From
	Zone     string
}

var weekdays = []string{"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"}

// ParseDuty reads "Mon-Fri 08:00-18:00 Europe/Oslo", with days as in "Mon-Wed,Sat" or, for every day, without; "off"
// is the zero Duty. Whether there is such a time zone is not checked.
func ParseDuty(s string) (d Duty, err error) {
	if s == "off" {
		return d, nil
	}
	wrong := Errorf(Invalid, "duty hours must be such as %q or %q, with a time zone such as %q", "07:00-19:00",
		"Mon-Fri 07:00-19:00", "Europe/Oslo")
	parts := strings.Fields(s)
	if len(parts) == 2 {
		parts = []string{"Mon-Sun", parts[0], parts[1]}
	}
	if len(parts) != 3 {
		return Duty{}, wrong
	}
	d.Zone = parts[2]
	for span := range strings.SplitSeq(parts[0], ",") {
		first, last, isSpan := strings.Cut(span, "-")
		if !isSpan {
			last = first
		}
		at, end := slices.Index(weekdays, first), slices.Index(weekdays, last)
		if at < 0 || end < 0 {
			return Duty{}, wrong
		}
		for ; ; at = (at + 1) % 7 {
			d.Days |= 1 << at
			if at == end {
				break
			}
		}
	}
	from, to, _ := strings.Cut(parts[1], "-")
	for _, end := range []struct {
		text   string
		minute *int
	}{{from, &d.From}, {to, &d.To}} {
		t, err := time.Parse("15:04", end.text)
		if err != nil {
			return Duty{}, wrong
		}
		*end.minute = t.Hour()*60 + t.Minute()
	}
	return d, nil
}

// String returns d as ParseDuty reads it.
func (d Duty) String() string {
	if d.IsZero() {
		return "off"
	}
	var days []string
	for _, day := range []time.Weekday{1, 2, 3, 4, 5, 6, 0} {
		if d.on(day) {
			days = append(days, weekdays[day])
		}
	}
	return fmt.Sprintf("%s %02d:%02d-%02d:%02d %s", strings.Join(days, ","), d.From/60, d.From%60, d.To/60, d.To%60,
		d.Zone)
}

// IsZero reports whether d is not known.
func (d Duty) IsZero() bool { return d.Days == 0 }

func (d Duty) on(day time.Weekday) bool { return d.Days>>day&1 == 1 }

// MarshalText is part of encoding.TextMarshaler.
func (d Duty) MarshalText() ([]byte, error) { return []byte(d.String()), nil }

// UnmarshalText is part of encoding.TextUnmarshaler.
func (d *Duty) UnmarshalText(text []byte) (err error) {
	*d, err = ParseDuty(string(text))
	return err
}

// dutyUnknown is how far ahead people look whose hours of duty are not known.
const dutyUnknown = 24 * time.Hour

// NextEnd returns when the next duty ends that begins after now: what ends before then, nobody may be there to see to
// unless it is seen to now. Without a Duty it is 24 hours from now, and also where zone does not know the time zone.
//
// Decided: docs/choices.md, "What needs a person".
func (d Duty) NextEnd(now time.Time, zone func(name string) (*time.Location, error)) time.Time {
	if d.IsZero() {
		return now.Add(dutyUnknown)
	}
	in, err := zone(d.Zone)
	if err != nil {
		return now.Add(dutyUnknown).UTC()
	}
	today := now.In(in)
	at := func(day, minute int) time.Time {
		return time.Date(today.Year(), today.Month(), today.Day()+day, 0, minute, 0, 0, in)
	}
	for day := 0; ; day++ { // there is one within eight days
		begins := at(day, d.From)
		if !d.on(begins.Weekday()) || !begins.After(now) {
			continue
		}
		if d.To <= d.From {
			day++
		}
		return at(day, d.To)
	}
}
