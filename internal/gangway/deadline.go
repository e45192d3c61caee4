package gangway

import "time"

// A DeadlineKind says what ends at a deadline of a booking that waits.
type DeadlineKind string

const (
	PriceEnds  DeadlineKind = "price"     // issuing then costs what the airline asks
	SeatsEnd   DeadlineKind = "seats"     // and the price with them, or before
	AnswerEnds DeadlineKind = "answer"    // to a change
	Leaves     DeadlineKind = "departure" // nothing ends before
)

// A Deadline says what ends for a booking, and when: people have to act before
// then. The zero Deadline means that the booking waits for nothing.
type Deadline struct {
	Kind DeadlineKind
	At   time.Time
}

// PriceEnded reports whether b has no ticket yet and its guaranteed price ended
// before now: only its supplier knows what it costs now.
func (b Booking) PriceEnded(now time.Time) bool {
	good := b.PriceGood()
	return !good.IsZero() && !now.Before(good)
}

// MayIssueItself reports whether the automated user may issue b: somebody chose
// that, and the price they saw still stands.
//
// Decided: docs/choices.md, "When does `system` issue?".
func (b Booking) MayIssueItself(now time.Time) bool {
	return b.State == Confirmed && b.AutoIssue && !b.TicketBy.IsZero() && now.Before(b.TicketBy) && !b.PriceEnded(now)
}

// Released reports whether b was a hold whose seats were given back: nothing was paid.
func (b Booking) Released() bool {
	return b.State == Cancelled && (b.Previous == Confirmed || b.Previous == ApprovalRequired)
}

// NextDeadline returns the first of b's Deadlines that is still to come, or,
// once all have passed, that of its hold or of the answer to its change. Pages
// that show only one deadline of a booking show this one.
func (b Booking) NextDeadline(now time.Time) Deadline {
	price, last := b.Deadlines()
	switch {
	case !price.IsZero() && now.Before(price) && (last.IsZero() || price.Before(last)):
		return Deadline{PriceEnds, price}
	case last.IsZero():
		if at := b.Deadline(); !at.IsZero() {
			return Deadline{Leaves, b.Itinerary.Departure()}
		}
		return Deadline{}
	case b.State == ChangePending && b.Change != nil:
		return Deadline{AnswerEnds, last}
	}
	return Deadline{SeatsEnd, last}
}
