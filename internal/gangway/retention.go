package gangway

import (
	"strconv"
	"strings"
	"time"
)

// Retention is for how many months an account keeps personal data: that of a
// booking after its last arrival, that of a traveller after the last trip. Zero:
// until it is erased by hand.
type Retention int

// longestRetention is a hundred years: anything longer is a mistake.
const longestRetention = 1200

// ParseRetention reads "24mo", "2y" or "off".
func ParseRetention(s string) (Retention, error) {
	number, months := strings.TrimSuffix(s, "mo"), 1
	if years, ok := strings.CutSuffix(s, "y"); ok {
		number, months = years, 12
	}
	n, err := strconv.Atoi(number)
	switch {
	case s == "off":
		return 0, nil
	case err != nil, number == s, n < 1, n > longestRetention/months:
		return 0, Errorf(Invalid, "personal data is kept for a number of months or years, as in %q or %q, at "+
			"most %dy, or "+
			"%q", "24mo", "2y", longestRetention/12, "off")
	}
	return Retention(n * months), nil
}

// String returns k as ParseRetention reads it.
func (k Retention) String() string {
	if k == 0 {
		return "off"
	}
	return strconv.Itoa(int(k)) + "mo"
}

// Until returns the instant before which a trip must have ended for its data to be erased now.
func (k Retention) Until(now time.Time) time.Time { return now.AddDate(0, -int(k), 0) }
