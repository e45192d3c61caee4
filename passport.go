package gangway

import "sort"

// A PassportNote is what PassportEnds says from a last day of travel on.
type PassportNote struct {
	From  Date
	Words string
}

// PassportNotes is PassportEnds for every last day of travel at once, in their
// order, for a page that shows another as soon as another day is typed. The first
// note is for a day that is not known or is over. It holds no rule of its own: it
// asks PassportEnds where its words change.
func (t *Traveller) PassportNotes(today Date) []PassportNote {
	if !t.DocExpire.Valid() {
		return nil
	}
	notes := []PassportNote{{"", t.PassportEnds("", today)}}
	end := t.DocExpire.AddDays(1) // from which on nothing changes any more
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
