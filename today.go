package gangway

import "time"

// Today is what date it is. That is not the same everywhere: travellers and
// those who plan for them are in all time zones, so that a date is over only
// when it is over everywhere, and to come only when it is to come everywhere.
//
// Decided: docs/choices.md, "Uploads".
type Today struct {
	Earliest Date // where the day begins last, UTC−12
	Latest   Date // where it begins first, UTC+14
}

// TodayAt returns what date it is at t.
func TodayAt(t time.Time) Today {
	t = t.UTC()
	return Today{DateOf(t.Add(-12 * time.Hour)), DateOf(t.Add(14 * time.Hour))}
}

// Over reports whether d is a date that is over everywhere.
func (t Today) Over(d Date) bool { return d != "" && d < t.Earliest }

// ToCome reports whether d is a date that has begun nowhere yet; the zero Today
// does not know.
func (t Today) ToCome(d Date) bool { return t.Latest != "" && d > t.Latest }

// firstBirth is the first date of birth that is believed: nobody who flies was
// born earlier.
const firstBirth Date = "1900-01-01"

// Birth returns what is wrong with d as a date of birth, as the end of a
// sentence about it; empty when nothing is.
func (t Today) Birth(d Date) string {
	switch {
	case !d.Valid():
		return "must be a calendar date written YYYY-MM-DD"
	case d < firstBirth:
		return "must not be before 1900"
	case t.ToCome(d):
		return "must not be in the future"
	}
	return ""
}
