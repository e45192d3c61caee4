package gangway

import "sort"

// A PassportNote is what PassportEnds says for last days of travel from From on.
type PassportNote struct {
	From  Date
	Words string
}

// PassportNotes returns what PassportEnds says for every last day of travel, in
// order of the days, for a page that updates its note as soon as another day is
// typed. The first note is for a day that is unknown or past. It holds no rule of
// its own: it asks PassportEnds at each date where the words change.
func (t *Traveller) PassportNotes(today Date) []PassportNote {
	if !t.DocExpire.Valid() {
		return nil
	}
	notes := []PassportNote{{"", t.PassportEnds("", today)}}
	end := t.DocExpire.AddDays(1) // nothing changes after this date
	for day := today; ; {
		words := t.PassportEnds(day, today)
		notes = append(notes, PassportNote{day, words})
		left := max(0, day.DaysTo(end))
		days := sort.Search(left+1, func(n int) bool { return t.PassportEnds(day.AddDays(n), today) != words })
		if days > left {
			return notes
		}
		day = day.AddDays(days)
	}
}
