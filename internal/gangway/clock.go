package gangway

// MinuteOfDay reads a time of day written HH:MM. It reports false for anything
// else, "24:00", "8:30" and "+1:30" included.
func MinuteOfDay(s string) (minute int, ok bool) {
	if len(s) != 5 || s[2] != ':' {
		return 0, false
	}
	for _, i := range []int{0, 1, 3, 4} {
		if s[i] < '0' || s[i] > '9' {
			return 0, false
		}
	}
	hours, minutes := int(s[0]-'0')*10+int(s[1]-'0'), int(s[3]-'0')*10+int(s[4]-'0')
	if hours > 23 || minutes > 59 {
		return 0, false
	}
	return hours*60 + minutes, true
}
