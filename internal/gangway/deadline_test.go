package gangway

import (
	"testing"
	"time"
)

func TestNextDeadline(t *testing.T) {
	now := time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)
	price, seats := now.Add(2*time.Hour), now.Add(48*time.Hour)
	held := Booking{State: Confirmed, AutoIssue: true, CreatedAt: now, PriceUntil: price, TicketBy: seats,
		HoldUntil: seats}
	together, asked, free, changing, airline := held, held, held, held, held
	together.PriceUntil = time.Time{}
	asked.State = ApprovalRequired
	free.PriceUntil, free.TicketBy, free.HoldUntil = time.Time{}, time.Time{}, time.Time{}
	free.Itinerary.Segments = []Segment{{Departure: seats}}
	changing.State, changing.Change = ChangePending, &PendingChange{Was: Confirmed, Expires: price}
	airline.State, airline.Change, airline.Itinerary = ChangePending, &PendingChange{Was: Issued, ByAirline: true},
		free.Itinerary
	tests := []struct {
		name string
		b    Booking
		at   time.Time
		want Deadline
		buys bool
	}{
		{"the price before the seats", held, now, Deadline{PriceEnds, price}, true},
		{"the last second of the price", held, price.Add(-time.Second), Deadline{PriceEnds, price}, true},
		{"once the price has ended, the seats", held, price, Deadline{SeatsEnd, seats}, false},
		{"if both end at once, the seats count", together, now, Deadline{SeatsEnd, seats}, true},
		{"all are past", held, seats.Add(time.Hour), Deadline{SeatsEnd, seats}, false},
		{"while approval is awaited", asked, now, Deadline{PriceEnds, price}, false},
		{"a booking without a deadline leaves", free, now, Deadline{Leaves, seats}, false},
		{"the answer to a change", changing, now, Deadline{AnswerEnds, price}, false},
		{"the answer to the airline", airline, now, Deadline{AnswerEnds, seats}, false},
		{"an issued booking waits for nothing", Booking{State: Issued, TicketBy: seats, HoldUntil: seats}, now,
			Deadline{}, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := tt.b.NextDeadline(tt.at); got.Kind != tt.want.Kind || !got.At.Equal(tt.want.At) {
				t.Errorf("Ends = %+v; want %+v", got, tt.want)
			}
			if got := tt.b.MayIssueItself(tt.at); got != tt.buys {
				t.Errorf("MayIssueItself = %v; want %v", got, tt.buys)
			}
		})
	}
}
