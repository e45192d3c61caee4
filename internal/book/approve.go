package book

import (
	"context"

	"gangway/internal/gangway"
	"gangway/internal/store"
)

// Approve approves a booking that waits for it. It fails with Denied if by is not
// an approver, or made the booking and the account does not allow that.
func (d *Desk) Approve(ctx context.Context, in store.Scoped, by gangway.User, id string) (gangway.Booking, error) {
	if !by.Role.CanApprove() {
		return gangway.Booking{}, gangway.Errorf(gangway.Denied, "only an approver or an admin may approve")
	}
	b, err := in.Booking(ctx, id)
	if err != nil {
		return b, err
	}
	if b.Can(gangway.Approve) && b.HoldEnded(d.now(in)) {
		return gangway.Booking{}, gangway.Errorf(gangway.Conflict, "the seats of booking %s were held until %s and "+
			"are gone: it has to be booked again", b.Locator, b.HoldUntil.UTC().Format("2 Jan 15:04 UTC"))
	}
	account, err := in.Account(ctx)
	if err != nil {
		return b, err
	}
	if !b.MayBeApprovedBy(by, account.Settings) {
		return b, gangway.Errorf(gangway.Denied, "you have made booking %s yourself: another approver has to approve "+
			"it", b.Locator)
	}
	return d.move(ctx, in, id, gangway.Approve, by.Email, "", decide(by))
}

// Decline refuses a booking that waits for approval, for a reason that the
// booker reads, and gives its seats back.
func (d *Desk) Decline(ctx context.Context, in store.Scoped, by gangway.User, id,
	reason string) (gangway.Booking, error) {
	if !by.Role.CanApprove() {
		return gangway.Booking{}, gangway.Errorf(gangway.Denied, "only an approver or an admin may decline")
	}
	if reason == "" {
		return gangway.Booking{}, gangway.Errorf(gangway.Invalid, "a reason is needed to decline")
	}
	b, err := d.move(ctx, in, id, gangway.Decline, by.Email, reason, decide(by))
	if err != nil {
		return b, err
	}
	d.release(context.WithoutCancel(ctx), in, b.Supplier, b.Order)
	return b, nil
}

// decide returns what records on a booking that somebody has approved or declined it by an action, and why.
func decide(by gangway.User) func(*gangway.Booking, gangway.Action) {
	return func(b *gangway.Booking, a gangway.Action) {
		approval := gangway.Approval{}
		if b.Approval != nil {
			approval = *b.Approval
		}
		approval.DecidedBy, approval.DecidedByName = by.Email, by.Name
		approval.DecidedAt, approval.Reason = a.At, a.Note
		b.Approval = &approval
	}
}
