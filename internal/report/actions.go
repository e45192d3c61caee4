package report

// Actions has a row for each action of a booking: the log that pushes, pulls and the history are made of.
// An action never changes.
var Actions = Set{
	Name: "Actions", Key: []string{"BookingId", "Sequence"}, Newest: "ActedAt", Tracked: true,
	Columns: []Column{
		bookingID,
		sequence,
		{Name: "Action", SQL: "action", Always: true, About: "The state that the booking entered, as the customer " +
			"was told: approval_required, confirmed, issued, change_pending, refund_pending, cancelled or declined."},
		{Name: "ActedAt", SQL: "acted_at", Kind: Instant, Always: true, About: "When."},
		{Name: "User", SQL: "user_email", Always: true, About: "Who did it, as the customer was told: an e-mail " +
			"address, or system for what happens automatically."},
		{Name: "UserName", SQL: "user_name", Always: true,
			About: "That person's name as it was then; User where none is known."},
	},
	Navigations: []Navigation{
		ofBooking,
		{Name: "Deliveries", To: "Deliveries", Many: true, On: []string{"BookingId", "Sequence"}},
	},
	About: "One row for each action: what happened to each booking, when, and by whom.",
}

// sequence is the column by which rows about actions belong together.
var sequence = Column{Name: "Sequence", SQL: "sequence", Kind: Integer, Always: true,
	About: "Which action of the booking it is, from 1, without gaps."}
