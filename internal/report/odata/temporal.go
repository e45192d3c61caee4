package odata

import (
	"math"
	"strconv"
	"strings"
	"time"
)

// temporalLength returns how long the date, instant or time of day is that s
// begins with, and which it is; 0 if it begins with something else. Within
// case(), where a colon follows each condition, a time of day has seconds.
func temporalLength(s string, needSeconds bool) (int, Kind) {
	sign := 0
	if s[0] == '-' {
		sign = 1
	}
	year := digits(s[sign:])
	if d := sign + year; year >= 4 && year <= 9 && shaped(s[d:], "-00-00") {
		d += len("-00-00")
		if d < len(s) && (s[d] == 'T' || s[d] == 't') {
			t := clockLength(s[d+1:])
			if t == 0 {
				return 0, Null
			}
			d += 1 + t
			switch {
			case d < len(s) && (s[d] == 'Z' || s[d] == 'z'):
				return d + 1, DateTimeOffset
			case shaped(s[d:], "+00:00"), shaped(s[d:], "-00:00"):
				return d + len("+00:00"), DateTimeOffset
			}
			return d, DateTimeOffset // parseInstant says that the offset is missing
		}
		return d, Date
	}
	if n := clockLength(s); n > len("00:00") || n > 0 && !needSeconds {
		return n, TimeOfDay
	}
	return 0, Null
}

// clockLength returns the length of hours, minutes, and perhaps seconds with a fraction.
func clockLength(s string) int {
	n := 0
	switch {
	case shaped(s, "00:00:00"):
		n = len("00:00:00")
	case shaped(s, "00:00"):
		return len("00:00")
	default:
		return 0
	}
	if n+1 < len(s) && s[n] == '.' && !notDigit(rune(s[n+1])) {
		n += 1 + digits(s[n+1:])
	}
	return n
}

// shaped reports whether s begins like shape, in which 0 stands for any digit.
func shaped(s, shape string) bool {
	if len(s) < len(shape) {
		return false
	}
	for i := range len(shape) {
		if shape[i] == '0' && notDigit(rune(s[i])) || shape[i] != '0' && s[i] != shape[i] {
			return false
		}
	}
	return true
}

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
	n, kind := 0, Null
	if s != "" {
		n, kind = temporalLength(s, false)
	}
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

// parseDuration returns the milliseconds of -P1DT12H30M1.5S, rounded down, and
// whether there are digits beyond them.
func parseDuration(s string) (ms int64, finer, ok bool) {
	s, neg := strings.CutPrefix(s, "-")
	s, ok = strings.CutPrefix(s, "P")
	days, clock, timed := strings.Cut(s, "T")
	if !ok || s == "" || timed && clock == "" {
		return 0, false, false
	}
	total := 0.0
	for _, part := range []struct {
		text *string
		unit string
		ms   int64
	}{{&days, "D", 864e5}, {&clock, "H", 36e5}, {&clock, "M", 6e4}} {
		n := digits(*part.text)
		if n == 0 || !strings.HasPrefix((*part.text)[n:], part.unit) {
			continue
		}
		v, err := strconv.ParseInt((*part.text)[:n], 10, 40)
		if err != nil {
			return 0, false, false
		}
		ms += v * part.ms
		total += float64(v) * float64(part.ms)
		*part.text = (*part.text)[n+1:]
	}
	if n := digits(clock); n > 0 {
		whole, fraction, point := strings.Cut(strings.TrimSuffix(clock, "S"), ".")
		v, err := strconv.ParseInt(whole, 10, 40)
		if err != nil || !strings.HasSuffix(clock, "S") || len(fraction) > 12 || point && fraction == "" ||
			digits(fraction) != len(fraction) {
			return 0, false, false
		}
		more, f := milliseconds(fraction)
		ms, finer, clock = ms+v*1000+more, f, ""
		total += float64(v) * 1000
	}
	if neg {
		ms = -ms
		if finer {
			ms--
		}
	}
	return ms, finer, days == "" && clock == "" && math.Abs(total) <= spanOfInstants
}
