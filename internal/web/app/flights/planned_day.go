package flights

import (
	"context"

	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/web/app/shell"
)

// A PlannedDay is a day with travel requests.
type PlannedDay struct {
	Date gangway.Date
	N    int  // how many requests it has
	More bool // there are more than N
}

// plannedAhead is how many days NextPlanned looks ahead. It bounds what is read for a vessel that
// has no requests: those of other vessels are passed over one by one.
const plannedAhead = 92

// plannedGlance is how many requests NextPlanned reads at first. Most are enough to count those of
// the next day; requests for a hotel alone are passed over.
const plannedGlance = 50

// NextPlanned returns the first day after a date that has a travel request with a flight. It is
// zero when there is none. Pages that open on a day with nothing on it lead there.
func NextPlanned(ctx context.Context, in store.Scoped, vessel string, after gangway.Date) (PlannedDay, error) {
	var next PlannedDay
	for _, limit := range []int{plannedGlance, RequestsShown} {
		list, err := in.TravelRequests(ctx, gangway.Fold(vessel), after.AddDays(1), after.AddDays(plannedAhead), limit)
		if err != nil {
			return PlannedDay{}, err
		}
		next = PlannedDay{More: len(list) == limit}
		for _, q := range list {
			switch {
			case q.Flight == nil:
				continue
			case next.Date == "":
				next.Date = q.Flight.Starts()
			case next.Date != q.Flight.Starts():
				next.More = false
			}
			if next.Date == q.Flight.Starts() {
				next.N++
			}
		}
		if !next.More {
			break
		}
	}
	return next, nil
}

// Words names the day and what it has: "Thu 26 Nov, 3 requests".
func (d PlannedDay) Words() string {
	words := shell.DayInWords(d.Date) + ", " + shell.Plural(d.N, "request", "requests")
	if d.More {
		words += " or more"
	}
	return words
}
