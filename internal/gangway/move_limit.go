package gangway

import (
	"strings"
	"time"
)

// A MoveLimit is what moves of crew changes may cost without anybody's approval: somebody has approved that in advance.
type MoveLimit struct {
	ID     string `json:"id"`     // of what was approved: what was spent of another one does not count
	Person Money  `json:"person"` // for each person of a crew change
	Change Money  `json:"change"` // for each crew change, in the same currency
	Until  Date   `json:"until"`  // the last day
	By     string `json:"by"`     // e-mail of who approved it
}

// longestMoveLimit is for how many days a limit may be set.
const longestMoveLimit = 366

// Holds reports whether l is set and has not ended by the day today.
func (l MoveLimit) Holds(today Date) bool { return l.ID != "" && today <= l.Until }

// Covers reports whether l allows for an amount on a day, as far as nothing else was spent.
func (l MoveLimit) Covers(m Money, now time.Time) bool {
	return l.Holds(DateOf(now.UTC())) && m.Currency == l.Person.Currency && l.Allows(m.Minor, m.Minor)
}

// Allows reports whether so much may be spent on a person and on a crew change, this included.
func (l MoveLimit) Allows(person, change int64) bool {
	return person <= l.Person.Minor && change <= l.Change.Minor
}

// NewMoveLimit reads a limit as people type it. Invalid: it says nothing that can be kept to.
func NewMoveLimit(id, by, person, change, until string, today Date) (MoveLimit, error) {
	l := MoveLimit{ID: id, By: by, Until: Date(strings.TrimSpace(until))}
	var err error
	if l.Person, err = ParseMoney(strings.ToUpper(strings.TrimSpace(person))); err != nil {
		return l, Errorf(Invalid, "for each person, give an amount with its currency, such as 400.00 USD")
	}
	if l.Change, err = ParseMoney(strings.ToUpper(strings.TrimSpace(change))); err != nil {
		return l, Errorf(Invalid, "for each crew change, give an amount with its currency, such as 8000.00 USD")
	}
	switch {
	case l.Person.Currency != l.Change.Currency:
		return l, Errorf(Invalid, "both amounts must be in one currency")
	case l.Person.Minor <= 0 || l.Change.Minor < l.Person.Minor:
		return l, Errorf(Invalid, "the amount for a crew change must be at least that for one person, and above zero")
	case !l.Until.Valid() || l.Until < today || today.DaysTo(l.Until) > longestMoveLimit:
		return l, Errorf(Invalid, "the last day must be within a year from today")
	}
	return l, nil
}
