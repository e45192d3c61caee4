package odata

import (
	"cmp"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// The forms of dates, instants and times of day. An instant without its offset has the form of one, so that
// parseInstant can say what is missing.
var (
	dateForm    = regexp.MustCompile(`^-?\d{4,9}-\d\d-\d\d`)
	clockForm   = regexp.MustCompile(`^\d\d:\d\d(?::\d\d(?:\.\d+)?)?`)
	instantForm = regexp.MustCompile(dateForm.String() + `[Tt]` + clockForm.String()[1:] + `(?:[Zz]|[+-]\d\d:\d\d)?`)
)

// temporalLength returns how long the date, instant or time of day is that s
// begins with, and which it is; 0 if it begins with something else. Within
// case(), where a colon follows each condition, a time of day has seconds.
func temporalLength(s string, needSeconds bool) (int, Kind) {
	if n := len(instantForm.FindString(s)); n > 0 {
		return n, DateTimeOffset
	}
	if n := len(dateForm.FindString(s)); n > 0 {
		if n < len(s) && s[n]|0x20 == 't' {
			return 0, Null
		}
		return n, Date
	}
	if n := clockLength(s); n > len("00:00") || n > 0 && !needSeconds {
		return n, TimeOfDay
	}
	return 0, Null
}

// clockLength returns the length of hours, minutes, and perhaps seconds with a fraction.
func clockLength(s string) int { return len(clockForm.FindString(s)) }

func parseDate(s string) (time.Time, bool) {
	if len(s) != len(time.DateOnly) || s < "0001" {
		return time.Time{}, false
	}
	t, err := time.Parse(time.DateOnly, s)
	return t, err == nil
}

// parseTimeOfDay returns the milliseconds since midnight of 10:00, 10:00:00 or
// 10:00:00.123, and whether there are digits beyond them.
func parseTimeOfDay(s string) (ms int64, finer, ok bool) {
	if clockLength(s) != len(s) {
		return 0, false, false
	}
	t, finer, ok := parseClock(s, "15:04:05"[:min(len(s), len("15:04:05"))])
	return t.Sub(t.Truncate(24 * time.Hour)).Milliseconds(), finer, ok
}

// parseClock returns what has such a layout, and whether its fraction of a second has digits beyond milliseconds.
func parseClock(s, layout string) (t time.Time, finer, ok bool) {
	_, fraction, _ := strings.Cut(s, ".")
	fraction = fraction[:digits(fraction)]
	if len(fraction) > 12 {
		return t, false, false
	}
	_, finer = milliseconds(fraction)
	t, err := time.Parse(layout, s)
	return t.UTC().Truncate(time.Millisecond), finer, err == nil
}

// milliseconds returns the first three digits of a fraction, and whether others follow but zeros.
func milliseconds(fraction string) (ms int64, finer bool) {
	for i := range 3 {
		ms *= 10
		if i < len(fraction) {
			ms += int64(fraction[i] - '0')
		}
	}
	return ms, len(fraction) > 3 && strings.Trim(fraction[3:], "0") != ""
}

// parseInstant returns the milliseconds of an instant in UTC, and whether there are digits beyond them.
func parseInstant(s string) (t time.Time, finer, ok bool) {
	const seconds = "2006-01-02T15:04:05"
	s = strings.ToUpper(s)
	n, kind := temporalLength(s, false)
	if n != len(s) || kind != DateTimeOffset || s < "0001" {
		return t, false, false
	}
	layout := seconds
	if clock := clockLength(s[len("2006-01-02T"):]); clock == len("15:04") {
		layout = seconds[:len("2006-01-02T15:04")]
	}
	t, finer, ok = parseClock(s, layout+"Z07:00")
	return t, finer, ok && !t.Before(MinInstant) && !t.After(MaxInstant)
}

var durationForm = regexp.MustCompile(
	`^(-?)P(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)(?:\.(\d{1,12}))?S)?)?$`)

// parseDuration returns the milliseconds of -P1DT12H30M1.5S, rounded down, and
// whether there are digits beyond them.
func parseDuration(s string) (ms int64, finer, ok bool) {
	parts := durationForm.FindStringSubmatch(s)
	if parts == nil || strings.HasSuffix(s, "P") || strings.HasSuffix(s, "T") {
		return 0, false, false
	}
	total := 0.0
	for i, unit := range []int64{864e5, 36e5, 6e4, 1000} {
		v, err := strconv.ParseInt(cmp.Or(parts[2+i], "0"), 10, 40)
		if err != nil {
			return 0, false, false
		}
		ms += v * unit
		total += float64(v) * float64(unit)
	}
	more, finer := milliseconds(parts[6])
	if ms += more; parts[1] == "-" {
		ms = -ms
		if finer {
			ms--
		}
	}
	return ms, finer, total <= spanOfInstants
}
