package flights

import (
	"context"
	"slices"
	"time"

	"gangway/internal/book"
	"gangway/internal/gangway"
	"gangway/internal/store"
)

// A JourneyRow is a booking in the list of a person's or a vessel's journeys.
type JourneyRow struct {
	gangway.Booking
	Who       string
	From, To  gangway.Airport
	Departure time.Time
	Stand     Stand
	Ends      gangway.Deadline // what ends next, while it waits
}

// Journeys compares bookings with their plans and returns them as rows: those that have not departed by now, the next
// one first, and the others as they were listed.
func Journeys(ctx context.Context, in store.Scoped, list []gangway.Booking,
	now time.Time) (ahead, past []JourneyRow, err error) {
	plans, err := book.PlansOf(ctx, in, list)
	if err != nil {
		return nil, nil, err
	}
	for _, b := range list {
		row := JourneyRow{Booking: b, Who: b.Passenger.LastName + ", " + b.Passenger.FirstName,
			Departure: b.Itinerary.Departure(), Ends: b.NextDeadline(now)}
		if route := b.Itinerary.Route(); len(route) > 0 {
			row.From, row.To = route[0], route[len(route)-1]
		}
		if row.Stand = StandBy(plans, b, now); !row.Departure.After(now) {
			past = append(past, row)
			continue
		}
		ahead = append(ahead, row)
	}
	slices.SortStableFunc(ahead, func(a, b JourneyRow) int { return a.Departure.Compare(b.Departure) })
	return ahead, past, nil
}
