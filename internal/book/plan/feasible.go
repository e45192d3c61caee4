package plan

import (
	"context"
	"slices"

	"gangway/internal/book"
	"gangway/internal/gangway"
	"gangway/internal/store"
)

// A Day is how many of a crew could be where they are wanted if the crew change were
// on that day.
type Day struct {
	Date    gangway.Date
	Can, Of int
	On      bool // the planned day
}

// All reports whether everybody could.
func (d Day) All() bool { return d.Can == d.Of }

// DaysAround says how many people could be at a place on the day before a date, on
// it and on the day after; nil if the supplier cannot tell that quickly.
func DaysAround(ctx context.Context, desk *book.Desk, in store.Scoped, s gangway.Search, at gangway.Place,
	date gangway.Date) ([]Day, error) {
	if !date.Valid() {
		return nil, nil
	}
	var days []Day
	for _, shift := range []int{-1, 0, 1} {
		day := date.AddDays(shift)
		moved := s
		moved.Members = slices.Clone(s.Members)
		for i := range moved.Members {
			m := &moved.Members[i]
			m.Legs = slices.Clone(m.Legs)
			MoveMember(m, s, at, day)
		}
		reach, err := desk.Reach(ctx, in, moved)
		if err != nil || reach == nil {
			return nil, err
		}
		d := Day{Date: day, On: shift == 0}
		for _, r := range reach {
			if r.Known {
				d.Of++
			}
			if r.Known && r.OK {
				d.Can++
			}
		}
		days = append(days, d)
	}
	return days, nil
}
