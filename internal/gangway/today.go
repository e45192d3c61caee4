package gangway

import "time"

// Today is the current date, which differs from place to place. Travellers and
// the people who plan for them are in all time zones, so a date is over only
// when it is over everywhere, and in the future only when it has begun nowhere.
//
// Decided: docs/choices.md, "Uploads".
type Today struct {
	Earliest Date // where the day begins last, UTC−12
	Latest   Date // where it begins first, UTC+14
}

// TodayAt returns the current date at the instant t.
func TodayAt(t time.Time) Today {
	t = t.UTC()
	return Today{DateOf(t.Add(-12 * time.Hour)), DateOf(t.Add(14 * time.Hour))}
}

// Over reports whether d is over everywhere.
func (t Today) Over(d Date) bool { return d != "" && d < t.Earliest }

// ToCome reports whether d has begun nowhere yet; the zero Today says false.
func (t Today) ToCome(d Date) bool { return t.Latest != "" && d > t.Latest }

// FirstBirth is the earliest date of birth that is accepted: nobody born before
// it still flies.
const FirstBirth Date = "1900-01-01"

// Birth returns what is wrong with d as a date of birth, as the end of a
// sentence; empty when nothing is wrong.
func (t Today) Birth(d Date) string {
	switch {
	case !d.Valid():
		return "must be a calendar date written YYYY-MM-DD"
	case d < FirstBirth:
		return "must not be before 1900"
	case t.ToCome(d):
		return "must not be in the future"
	}
	return ""
}
