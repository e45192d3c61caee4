package gangway

import (
	"strconv"
	"strings"
	"time"
)

// Kept is how long records of a kind are kept, in the words of ParseKept: the zero value is for ever.
type Kept struct{ Months, Days int }

// ParseKept reads "90d", "24mo", "2y" or "ever".
func ParseKept(s string) (Kept, error) {
	for unit, k := range map[string]Kept{"d": {Days: 1}, "mo": {Months: 1}, "y": {Months: 12}} {
		number, ok := strings.CutSuffix(s, unit)
		if n, err := strconv.Atoi(number); ok && err == nil && n > 0 && n <= 36_500 {
			return Kept{k.Months * n, k.Days * n}, nil
		}
	}
	if s == "ever" {
		return Kept{}, nil
	}
	return Kept{}, Errorf(Invalid, `%q is no number of days, months or years, as in "90d", "24mo" or "2y", nor "ever"`, s)
}

// String returns k as ParseKept reads it.
func (k Kept) String() string {
	switch {
	case k == Kept{}:
		return "ever"
	case k.Days > 0:
		return strconv.Itoa(k.Days) + "d"
	case k.Months%12 == 0:
		return strconv.Itoa(k.Months/12) + "y"
	}
	return strconv.Itoa(k.Months) + "mo"
}

// Words returns k for people, as in "30 days".
func (k Kept) Words() string {
	n, unit := k.Days, "day"
	switch {
	case k.Days == 0 && k.Months%12 == 0:
		n, unit = k.Months/12, "year"
	case k.Days == 0:
		n, unit = k.Months, "month"
	}
	if n != 1 {
		unit += "s"
	}
	return strconv.Itoa(n) + " " + unit
}

// UnmarshalText is ParseKept, MarshalText String.
func (k *Kept) UnmarshalText(text []byte) (err error) {
	*k, err = ParseKept(string(text))
	return err
}

func (k Kept) MarshalText() ([]byte, error) { return []byte(k.String()), nil }

// Until returns the instant before which records are no longer kept now. It is far in the past if they are kept for
// ever.
func (k Kept) Until(now time.Time) time.Time {
	if k == (Kept{}) {
		return time.UnixMilli(0)
	}
	return now.AddDate(0, -k.Months, -k.Days)
}
