package gangway

import "time"

// An Ending is how the seats of a booking, or the wait for its tickets, ended.
type Ending string

// The endings.
const (
	SeatsReleased Ending = "released"   // the hold ran out
	NotIssued     Ending = "not-issued" // the hold ran out although the system was to issue it
	SeatsLost     Ending = "lost"       // the airline or the supplier's desk cancelled it
	IssuedItself  Ending = "issued"     // the system issued it
	EndedByPerson Ending = "person"     // a person released, cancelled or declined it
)

// Lost reports whether the traveller has lost the seat without a person of the account.
func (e Ending) Lost() bool { return e == SeatsReleased || e == NotIssued || e == SeatsLost }

// An EndedBooking is a booking that ended and that nobody has marked as seen.
type EndedBooking struct {
	Booking
	Ending  Ending
	EndedAt time.Time
}

// Ended returns how b ended with its last action; empty if it did not.
func (b Booking) Ended(last Action) Ending {
	held := b.Previous == ApprovalRequired || b.Previous == Confirmed
	person := last.By != System
	if b.State == Declined && b.Approval != nil && b.Approval.DecidedBy != "" {
		person = b.Approval.DecidedBy != System
	}
	switch over := b.State == Cancelled || b.State == Declined; {
	case person && !b.Live() && b.Previous != RefundPending:
		return EndedByPerson
	case person:
		return ""
	case held && b.State == Issued:
		return IssuedItself
	case held && over && b.HoldEnded(last.At) && b.Previous == Confirmed && b.AutoIssue:
		return NotIssued
	case held && over && b.HoldEnded(last.At):
		return SeatsReleased
	case !b.Live() && b.Previous != RefundPending:
		return SeatsLost
	}
	return ""
}

// A Need is what a booking that waits needs a person for.
type Need string

// The needs.
const (
	NeedsAnswer   Need = "answer"   // the airline has changed the flights
	NeedsDecision Need = "decision" // it ends, unless somebody decides or it issues itself
)

// Needs returns what b needs a person for; empty if it waits for nothing.
func (b Booking) Needs() Need {
	switch {
	case b.Deadline().IsZero():
		return ""
	case b.State == ChangePending && b.Change != nil && b.Change.ByAirline:
		return NeedsAnswer
	}
	return NeedsDecision
}

// IssueLate is how long after its time a booking that issues itself counts as one that does not.
const IssueLate = 5 * time.Minute

// EndsUndecided reports whether b ends before until, will not issue itself, and nobody is asked about it otherwise.
//
// Decided: docs/choices.md, "What needs a person".
func (b Booking) EndsUndecided(now, until time.Time) bool {
	return b.Needs() == NeedsDecision && !b.Attention.Open() && b.endsUnissued(now, until)
}

// endsUnissued reports whether b waits for something that ends before until, and will not issue itself.
func (b Booking) endsUnissued(now, until time.Time) bool {
	if b.Needs() == "" {
		return false
	}
	if at := b.IssuesAt(); b.State == Confirmed && !at.IsZero() && !at.Before(now.Add(-IssueLate)) {
		return false
	}
	ends := b.Deadline()
	if ends.Before(now) && b.State != ChangePending && b.HoldUntil.After(ends) {
		ends = b.HoldUntil // only the price has ended
	}
	return ends.Before(until)
}
