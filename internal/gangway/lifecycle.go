package gangway

import (
	"fmt"
	"time"
)

// A State says where a booking stands. The values are the interface's own words
// and are stored unchanged.
//
// Spec: States and transitions.
type State string

const (
	None             State = ""                  // not booked yet
	ApprovalRequired State = "approval_required" // held; an approver is asked
	Confirmed        State = "confirmed"         // held; no ticket yet
	Issued           State = "issued"            // ticketed
	ChangePending    State = "change_pending"    // other flights are being arranged
	RefundPending    State = "refund_pending"    // cancelled; money is on its way back
	Cancelled        State = "cancelled"         // final
	Declined         State = "declined"          // final: approval was refused or never given
)

// States lists every state that a booking can be in, in the order of its life.
var States = []State{ApprovalRequired, Confirmed, Issued, ChangePending, RefundPending, Cancelled, Declined}

// An Event is something that happens to a booking and moves it to another state.
type Event string

const (
	Book           Event = "book"            // held, and nobody needs to approve
	AskApproval    Event = "ask approval"    // held, and the policy asks an approver
	Approve        Event = "approve"         // an approver agrees
	Decline        Event = "decline"         // an approver refuses
	EndHold        Event = "end hold"        // the hold ran out before approval or ticketing
	Cancel         Event = "cancel"          // a user cancels it and nothing comes back
	Issue          Event = "issue"           // tickets were issued
	AskChange      Event = "ask change"      // other flights are wanted
	CompleteChange Event = "complete change" // the other flights are booked
	AbandonChange  Event = "abandon change"  // the change was abandoned or refused
	// a user cancels it and money comes back, even where we did not know that it was paid
	CancelForRefund Event = "cancel for refund"
	SettleRefund    Event = "settle refund" // the money is back
	// tickets were issued although we did not ask: a late answer, or work at the supplier's desk
	FindTicketed Event = "find ticketed"
	// the airline or the supplier's desk cancelled it, and nothing comes back
	CancelElsewhere Event = "cancel elsewhere"
	RefundElsewhere Event = "refund elsewhere" // the same, and money comes back
)

// Events lists every event.
var Events = []Event{
	Book, AskApproval, Approve, Decline, EndHold, Cancel, Issue, AskChange, CompleteChange, AbandonChange,
	CancelForRefund, SettleRefund,
	FindTicketed, CancelElsewhere, RefundElsewhere,
}

// back stands in moves for the state that the booking was in before its change.
const back State = "the state before"

// moves lists every legal move, by event and the state it starts from. There is no other.
//
// Decided: docs/choices.md, "States and actions".
var moves = map[Event]map[State]State{
	Book:            {None: Confirmed},
	AskApproval:     {None: ApprovalRequired},
	Approve:         {ApprovalRequired: Confirmed},
	Decline:         {ApprovalRequired: Declined},
	EndHold:         {ApprovalRequired: Declined, Confirmed: Cancelled},
	Cancel:          {ApprovalRequired: Cancelled, Confirmed: Cancelled, Issued: Cancelled},
	Issue:           {Confirmed: Issued},
	AskChange:       {Confirmed: ChangePending, Issued: ChangePending},
	CompleteChange:  {ChangePending: back},
	AbandonChange:   {ChangePending: back},
	CancelForRefund: {ApprovalRequired: RefundPending, Confirmed: RefundPending, Issued: RefundPending},
	SettleRefund:    {RefundPending: Cancelled},
	FindTicketed:    {ApprovalRequired: Issued, Confirmed: Issued},
	CancelElsewhere: {ApprovalRequired: Cancelled, Confirmed: Cancelled, Issued: Cancelled, ChangePending: Cancelled},
	RefundElsewhere: {ApprovalRequired: RefundPending, Confirmed: RefundPending, Issued: RefundPending,
		ChangePending: RefundPending},
}

// A StateError says that an event cannot happen to a booking as it stands.
type StateError struct {
	Locator string
	State   State
	Event   Event
}

func (e *StateError) Error() string {
	return fmt.Sprintf("booking %s is %s, which does not allow: %s", e.Locator, e.State, e.Event)
}

// Unwrap makes it a Conflict.
func (e *StateError) Unwrap() error { return Errorf(Conflict, "%s", e.Error()) }

// Can reports whether event may happen to b as it stands.
func (b Booking) Can(event Event) bool {
	_, ok := moves[event][b.State]
	return ok && !b.Sample()
}

// Move lets event happen to b and returns the action to be recorded. When the
// move is not legal it leaves b untouched and returns a Conflict that names
// the state.
func (b *Booking) Move(event Event, by string, at time.Time) (Action, error) {
	if b.Sample() {
		return Action{}, Errorf(Conflict, "booking %s is a sample: it was made up, and nothing can be done with it",
			b.Locator)
	}
	to, ok := moves[event][b.State]
	if !ok {
		if b.State == None {
			return Action{}, Errorf(Conflict, "nothing is booked yet, which does not allow: %s", event)
		}
		return Action{}, &StateError{b.Locator, b.State, event}
	}
	if to == back {
		if b.Change == nil {
			return Action{}, Errorf(Internal, "booking %s is %s without a change", b.ID, b.State)
		}
		to = b.Change.Was
	}
	b.Previous, b.State = b.State, to
	b.Version++
	b.noteAttentionSent()
	return Action{Seq: b.Version, Name: to, At: at, By: by}, nil
}
