package book

import (
	"gangway/internal/book/flight"
	"gangway/internal/gangway"
)

// An orderOutcome is what the state of an order at its supplier means for its booking.
type orderOutcome struct {
	event  gangway.Event // what happens to the booking; empty: nothing
	refund gangway.Event // instead of event, where money comes back
	why    string        // for the history
	person string        // what a person has to know or to settle, one sentence; empty: nobody is needed
}

// orderLost is the outcome for a booking whose order is gone though we did not cancel it.
func orderLost(person string) orderOutcome {
	return orderOutcome{
		event: gangway.CancelElsewhere, refund: gangway.RefundElsewhere,
		why: "cancelled by the airline or at the supplier's desk", person: person,
	}
}

const (
	noSeat   = "The airline or the supplier's desk has cancelled this booking: the traveller has no seat any more."
	noFlight = "The airline or the supplier's desk has cancelled this booking after its tickets were issued: the " +
		"traveller has no flight any more."
	notIssued = "This booking was to be issued automatically, but the airline did not issue it in time: the seats " +
		"are gone."
	revived = "The supplier shows this booking as live although it is over here: find out whether it has to be " +
		"cancelled there."
)

// orderOutcomes says for each state of a booking and each status of its order what happens to the
// booking. It is the only place that decides this, for everything heard from a supplier: answers,
// follow-up, the scheduled look, webhooks, notices. Pending is left out: a supplier that cannot say
// yet is asked again.
//
// Decided: docs/choices.md, "States and actions".
var orderOutcomes = map[gangway.State]map[flight.Status]orderOutcome{
	gangway.ApprovalRequired: {
		flight.Held: {},
		flight.Ticketed: {
			event: gangway.FindTicketed, why: "tickets were issued outside Gangway",
			person: "Tickets were issued at the airline or the supplier's desk before anybody had approved this " +
				"booking.",
		},
		flight.Lapsed:    {event: gangway.EndHold, why: "the hold ended before anybody approved"},
		flight.Withdrawn: orderLost(noSeat),
		flight.Refused:   orderLost(noSeat),
	},
	gangway.Confirmed: {
		flight.Held: {},
		flight.Ticketed: {event: gangway.FindTicketed,
			why: "tickets are out: the supplier's answer came late, or they were issued at its desk"},
		flight.Lapsed:    {event: gangway.EndHold, why: "the hold ended before tickets were issued"},
		flight.Withdrawn: orderLost(noSeat),
		flight.Refused:   orderLost(noSeat),
	},
	gangway.Issued: {
		flight.Held: {person: "The supplier shows this booking as held, without the tickets that were issued: " +
			"ask the supplier."},
		flight.Ticketed:  {},
		flight.Lapsed:    orderLost(noFlight),
		flight.Withdrawn: orderLost(noFlight),
		flight.Refused:   orderLost(noFlight),
	},
	gangway.ChangePending: { // with tickets or without; see waiting
		flight.Held:      {},
		flight.Ticketed:  {},
		flight.Lapsed:    orderLost(noSeat),
		flight.Withdrawn: orderLost(noFlight),
		flight.Refused:   orderLost(noFlight),
	},
	gangway.RefundPending: { // and see settledRefund
		flight.Held:      {person: revived},
		flight.Ticketed:  {person: revived},
		flight.Lapsed:    {},
		flight.Withdrawn: {},
		flight.Refused:   {},
	},
	gangway.Cancelled: {
		flight.Held:      {person: revived},
		flight.Ticketed:  {person: revived},
		flight.Lapsed:    {},
		flight.Withdrawn: {},
		flight.Refused:   {},
	},
	gangway.Declined: {
		flight.Held:      {}, // the seats are being given back, or lapse by themselves
		flight.Ticketed:  {person: revived},
		flight.Lapsed:    {},
		flight.Withdrawn: {},
		flight.Refused:   {},
	},
}

// outcomeOf returns what order means for b; where the table leaves something open, b's own fields
// decide.
func outcomeOf(b gangway.Booking, order flight.Order) orderOutcome {
	s := orderOutcomes[b.State][order.Status]
	if s.event == gangway.EndHold && b.State == gangway.Confirmed && b.AutoIssue {
		s.person = notIssued
	}
	switch {
	case s != orderOutcome{}:
	case b.State == gangway.ChangePending:
		s = isWaiting(b, order)
	case b.State == gangway.RefundPending && order.Refund != nil && !order.Refund.SettledAt.IsZero():
		s = orderOutcome{event: gangway.SettleRefund, why: "the refund has come"}
	case b.State == gangway.Cancelled && toCome(order) && (b.Refund == nil || b.Refund.Amount.IsZero()):
		s.person = "The supplier says that money comes back for this booking, which was cancelled without a refund."
	}
	if s.refund != "" && toCome(order) {
		s.event = s.refund
	}
	if s.person != "" && s.event == "" && b.Attention != nil && b.Attention.Why == s.person {
		s.person = "" // raised already
	}
	return s
}

// isWaiting returns the outcome of a live order for a booking whose change waits for an answer.
func isWaiting(b gangway.Booking, order flight.Order) orderOutcome {
	abandon := func(why string) orderOutcome { return orderOutcome{event: gangway.AbandonChange, why: why} }
	switch {
	case b.Change == nil:
		return orderOutcome{}
	case b.Change.Was == gangway.Confirmed && order.Status == flight.Ticketed:
		return abandon("tickets were issued for the flights as they were")
	case b.Change.Was == gangway.Issued && order.Status == flight.Held:
		return orderOutcome{person: orderOutcomes[gangway.Issued][flight.Held].person}
	case !b.Change.ByAirline:
		return orderOutcome{}
	case order.Notice == nil:
		return orderOutcome{event: gangway.CompleteChange,
			why: "the airline's change was answered at the supplier's desk"}
	case order.Notice.ID != b.Change.Offer:
		return abandon("the airline has changed its flights once more")
	}
	return orderOutcome{}
}

// toCome reports whether a refund for a cancelled order is still to come.
func toCome(order flight.Order) bool {
	return order.Refund != nil && order.Refund.Awaited()
}
