package book

import (
	"context"

	"gangway/internal/book/flight"
	"gangway/internal/gangway"
	"gangway/internal/store"
)

// SetAutoIssue chooses whether a booking that nobody issues is issued
// automatically before its price ends, or its hold is left to end. Once the price
// has ended only a person may issue it, at a price that they have seen. This does
// not change the booking's state, so there is no action; who chose is recorded.
func (d *Desk) SetAutoIssue(ctx context.Context, in store.Scoped, by gangway.User, id string,
	auto bool) (gangway.Booking, error) {
	return in.UpdateBooking(ctx, id, "", func(b *gangway.Booking) (gangway.Action, error) {
		now := d.now(in)
		switch {
		case b.State != gangway.Confirmed && b.State != gangway.ApprovalRequired:
			return gangway.Action{}, gangway.Errorf(gangway.Conflict,
				"booking %s is %s: there is nothing to issue automatically", b.Locator, b.State)
		case auto && b.Supplier == flight.Elsewhere:
			return gangway.Action{}, gangway.Errorf(gangway.Conflict,
				"booking %s was made elsewhere: its tickets are entered by hand", b.Locator)
		case auto && b.TicketBy.IsZero():
			return gangway.Action{}, gangway.Errorf(gangway.Conflict,
				"booking %s has no deadline to be issued ahead of", b.Locator)
		case auto && b.PriceEnded(now):
			return gangway.Action{}, gangway.Errorf(gangway.Conflict, "the price of booking %s was good until %s, so "+
				"it is not issued automatically any more: issue it at the price of now",
				b.Locator, b.PriceGood().UTC().Format(utc))
		}
		stamp := gangway.StampOf(by, now)
		b.AutoIssue, b.AutoIssueSet = auto, &stamp
		if saysWithheld(b.Attention) {
			b.Attention = nil // somebody has decided; if it still does not fit the plan, it is raised again
		}
		b.CheckAt = firstLook(*b, now)
		return gangway.Action{}, nil
	})
}
