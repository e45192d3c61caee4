package gangway

import "time"

// An End is what a clock runs out for, of a booking that waits.
type End string

const (
	PriceEnds  End = "price"     // issuing then costs what the airline asks
	SeatsEnd   End = "seats"     // and the price with them, or before
	AnswerEnds End = "answer"    // to a change
	Leaves     End = "departure" // nothing ends before
)

// An Ending is what the people of a booking have to be ahead of, and when it
// comes. The zero Ending: the booking does not wait.
type Ending struct {
	What End
	At   time.Time
}

// PriceEnded reports whether the price of b, which has no ticket yet, was
// guaranteed until before now: what it costs now, its supplier says.
func (b Booking) PriceEnded(now time.Time) bool {
	good := b.PriceGood()
	return !good.IsZero() && !now.Before(good)
}

// MayIssueItself reports whether the automated user may issue b: that was
// chosen, and the price that was seen then stands.
//
// Decided: docs/choices.md, "When does `system` issue?".
func (b Booking) MayIssueItself(now time.Time) bool {
	return b.State == Confirmed && b.AutoIssue && !b.TicketBy.IsZero() && now.Before(b.TicketBy) && !b.PriceEnded(now)
}

// Ends returns what ends next for b: of its Deadlines the first that is still
// to come, and its seats or its answer once all are past. It is the one clock
// of every page that shows one only.
func (b Booking) Ends(now time.Time) Ending {
	price, last := b.Deadlines()
	switch {
	case !price.IsZero() && now.Before(price) && (last.IsZero() || price.Before(last)):
		return Ending{PriceEnds, price}
	case last.IsZero():
		if at := b.Deadline(); !at.IsZero() {
			return Ending{Leaves, b.Itinerary.Departure()}
		}
		return Ending{}
	case b.State == ChangePending && b.Change != nil:
		return Ending{AnswerEnds, last}
	}
	return Ending{SeatsEnd, last}
}
