package samplebookings

import "gangway/internal/gangway"

// A story is what people want of a booking.
type story struct {
	name       string
	stops      gangway.State // nothing more happens to it in that state
	asks       bool          // its office has it approved
	changes    bool          // other flights are wanted
	cancels    bool          // it is cancelled after its tickets were issued
	refundable bool          // it has a fare that is refunded
	hours      [2]int        // of a late one: how long before the end it is booked, at least and at most
}

// stories are those of bookings that have had the time that they need.
var stories = []weighted[story]{
	{story{name: "flies"}, 730},
	{story{name: "changes", changes: true}, 95},
	{story{name: "keeps", changes: true}, 15},
	{story{name: "cancels", cancels: true}, 85},
	{story{name: "voids", cancels: true}, 10},
	{story{name: "releases"}, 35},
	{story{name: "lapses"}, 12},
	{story{name: "misses"}, 18},
}

// lateStories are dealt one after the other to the last bookings, so that every state is there.
var lateStories = []story{
	{name: "approval", stops: gangway.ApprovalRequired, asks: true, refundable: true, hours: [2]int{2, 20}},
	{name: "confirmed", stops: gangway.Confirmed, refundable: true, hours: [2]int{9, 20}},
	{name: "flies", hours: [2]int{12, 70}},
	{name: "change", stops: gangway.ChangePending, changes: true, refundable: true, hours: [2]int{12, 70}},
	{name: "refund", stops: gangway.RefundPending, cancels: true, refundable: true, hours: [2]int{48, 70}},
	{name: "releases", hours: [2]int{30, 70}},
	{name: "declined", stops: gangway.Declined, asks: true, hours: [2]int{10, 70}},
}
