package gangway

import "time"

// MinuteOfDay reads a time of day written HH:MM. It reports false for anything
// else, "24:00", "8:30" and "+1:30" included.
func MinuteOfDay(s string) (minute int, ok bool) {
	t, err := time.Parse("15:04", s)
	return t.Hour()*60 + t.Minute(), err == nil && len(s) == len("15:04")
}
