package book

import (
	"log/slog"
	"time"

	"gangway/internal/book/flight"
	"gangway/internal/gangway"
)

// A Rehearsal lets things happen to bookings by the desk's own rules, in memory: no supplier is asked, and nothing
// is written. Bookings that are made up get their lives by it.
type Rehearsal struct{ desk *Desk }

// Rehearse returns a rehearsal whose time comes from now.
func Rehearse(now func() time.Time) Rehearsal {
	return Rehearsal{New(Config{Now: now, Log: slog.New(slog.DiscardHandler)})}
}

// Book makes a booking of a draft whose seats are held as order says. It waits for an approver if the draft says why.
func (r Rehearsal) Book(draft *gangway.Booking, by gangway.User, order flight.Order) (gangway.Action, error) {
	return r.desk.book(draft, by.Email, order, r.desk.clock())
}

// Approve approves a booking.
func (r Rehearsal) Approve(b *gangway.Booking, by gangway.User) (gangway.Action, error) {
	return r.desk.noted(b, gangway.Approve, by, "", gangway.Booking{}, r.desk.clock(), decide(by))
}

// Decline refuses a booking for a reason.
func (r Rehearsal) Decline(b *gangway.Booking, by gangway.User, reason string) (gangway.Action, error) {
	return r.desk.noted(b, gangway.Decline, by, reason, gangway.Booking{}, r.desk.clock(), decide(by))
}

// Issue records that order was ticketed.
func (r Rehearsal) Issue(b *gangway.Booking, by gangway.User, order flight.Order) (gangway.Action, error) {
	return r.desk.apply(b, gangway.Issue, by, "", order, gangway.Booking{}, r.desk.clock())
}

// Cancel records that order was cancelled, with money to come back or without.
func (r Rehearsal) Cancel(b *gangway.Booking, by gangway.User, order flight.Order) (gangway.Action, error) {
	return r.desk.apply(b, cancelEvent(order), by, "", order, gangway.Booking{}, r.desk.clock())
}

// AskChange chooses other flights.
func (r Rehearsal) AskChange(b *gangway.Booking, by gangway.User, o flight.ChangeOffer) (gangway.Action, error) {
	return r.desk.askChange(b, by, o.ID, o, "", r.desk.clock())
}

// CompleteChange records that order has the other flights.
func (r Rehearsal) CompleteChange(b *gangway.Booking, by gangway.User, order flight.Order) (gangway.Action, error) {
	return r.desk.apply(b, gangway.CompleteChange, by, "", order, gangway.Booking{}, r.desk.clock())
}

// AbandonChange keeps the flights as they are.
func (r Rehearsal) AbandonChange(b *gangway.Booking, by gangway.User, why string) (gangway.Action, error) {
	return r.desk.noted(b, gangway.AbandonChange, by, why, gangway.Booking{}, r.desk.clock(),
		func(b *gangway.Booking, _ gangway.Action) { keepFlights(b) })
}

// Hear does what the automated user does about an order as it is now: it ends holds, settles refunds and takes over
// changes by the airline. An action without a name says that there was nothing to do.
func (r Rehearsal) Hear(b *gangway.Booking, order flight.Order) (gangway.Action, error) {
	system := gangway.User{Email: gangway.System}
	if s := outcomeOf(*b, order); s.event != "" {
		return r.desk.apply(b, s.event, system, s.why, order, *b, r.desk.clock())
	}
	if isLive(order) && isNewNotice(*b, order.Notice) {
		return r.desk.notice(b, *order.Notice, *b, r.desk.clock())
	}
	return gangway.Action{}, nil
}
