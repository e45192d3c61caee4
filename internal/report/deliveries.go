package report

// Deliveries has a row for each action that is, or was, to be pushed to an outlet. It says nothing of
// what the outlet's system answered but the status.
var Deliveries = Set{
	Name: "Deliveries", Key: []string{"BookingId", "Sequence", "OutletId"}, Newest: "MadeAt",
	Columns: []Column{
		bookingID,
		sequence,
		{Name: "OutletId", SQL: "outlet_id", Always: true, About: "The outlet that the action is pushed to."},
		{Name: "DeliveryId", SQL: "delivery_id", Always: true, About: "The webhook-id that the outlet's system " +
			"gets, the same on every try until it is delivered again."},
		{Name: "Progress", SQL: "progress", Always: true,
			About: "due, done, or parked: it is not tried again by itself."},
		{Name: "MadeAt", SQL: "made_at", Kind: Instant, Always: true, About: "When the action was to be pushed from."},
		{Name: "Tries", SQL: "tries", Kind: Integer, Always: true, About: "How often it was tried."},
		{Name: "FirstTriedAt", SQL: "first_tried_at", Kind: Instant, About: "When it was tried first."},
		{Name: "LastTriedAt", SQL: "last_tried_at", Kind: Instant, About: "When it was tried last."},
		{Name: "DeliveredAt", SQL: "delivered_at", Kind: Instant, About: "When the outlet's system took it."},
		{Name: "LastStatus", SQL: "last_status", Kind: Integer,
			About: "HTTP status of the last answer; unknown where the last try got none."},
	},
	Navigations: []Navigation{
		ofBooking,
		{Name: "Action", To: "Actions", On: []string{"BookingId", "Sequence"}},
	},
	About: "One row for each action and outlet that it is pushed to, and how far that has come. Single tries are " +
		"kept for 30 days, while their outlet is there: FirstTriedAt, LastTriedAt and LastStatus are of those, and " +
		"Tries counts all.",
}
