package book

import (
	"context"
	"sync"
	"time"

	"gangway"
	"gangway/internal/book/flight"
	"gangway/internal/store"
)

// look is how often the automated user looks for work when nothing wakes it.
const look = 2 * time.Second

// retake is for how long due work that was taken is hidden from other
// replicas, and so after what time it is taken again when a replica dies over it.
const retake = 3 * time.Minute

// batch is how much work is taken at once, and workers how many pieces of it
// are done side by side, so that one slow supplier does not hold up all accounts.
const (
	batch   = 50
	workers = 8
)

// Run is the automated user: until ctx ends it issues tickets ahead of their
// deadline, ends holds that ran out, settles refunds and changes that expired,
// and follows up what was begun and not finished. Any number of desks may run
// on one database; each piece of work is done by one of them.
func (d *Desk) Run(ctx context.Context) {
	if err := d.db.FreeIntents(ctx); err != nil {
		d.log.Error("intents could not be freed", "error", err)
	}
	wake := d.db.Wakes(store.Work)
	tick := time.NewTicker(look)
	defer tick.Stop()
	for {
		if err := d.Tick(ctx); err != nil && ctx.Err() == nil {
			d.log.Error("the automated user was interrupted", "error", err)
		}
		select {
		case <-ctx.Done():
			return
		case <-wake:
		case <-tick.C:
		}
	}
}

// Tick does all work that is due now, once. One piece that goes wrong is
// logged and tried again later; it never keeps the others waiting.
func (d *Desk) Tick(ctx context.Context) error {
	now := d.now()
	loose, err := d.db.TakeLoose(ctx, now, now.Add(lease), batch)
	if err != nil {
		return err
	}
	sideBySide(loose, func(i store.LooseIntent) {
		if err := d.follow(ctx, i); err != nil {
			d.log.Error("an intent could not be followed up", "intent", i.ID, "kind", i.Kind, "error", err)
		}
	})
	due, err := d.db.TakeDue(ctx, now, now.Add(retake), batch)
	if err != nil {
		return err
	}
	sideBySide(due, func(b store.DueBooking) {
		if err := d.attend(ctx, d.db.In(b.Scope), b.ID); err != nil {
			d.log.Error("a due booking could not be attended to; it will be tried again", "booking", b.ID, "error", err)
		}
	})
	return nil
}

// sideBySide does each piece of work, several at a time, and returns when all are done.
func sideBySide[T any](work []T, do func(T)) {
	var wait sync.WaitGroup
	slots := make(chan struct{}, workers)
	for _, piece := range work {
		slots <- struct{}{}
		wait.Go(func() {
			defer func() { <-slots }()
			do(piece)
		})
	}
	wait.Wait()
}

// attend does what the clock asks for with one booking.
func (d *Desk) attend(ctx context.Context, in store.Scoped, id string) error {
	b, err := in.Booking(ctx, id)
	if err != nil {
		return err
	}
	now := d.now()
	if b.State == gangway.ChangePending && (b.Change == nil || !b.Change.ByAirline) {
		if b.Change == nil || now.Before(b.Change.Expires) {
			return nil
		}
		_, err := d.abandon(ctx, in, id, gangway.System, "the offer for the change expired")
		return settled(err)
	}
	supplier, err := d.suppliers(ctx, in, b.Supplier)
	if err != nil {
		return err
	}
	order, err := supplier.Order(ctx, b.Order)
	if err != nil {
		return err
	}
	if news(b, order.Notice) {
		return settled(d.heed(ctx, in, b, *order.Notice))
	}
	switch b.State {
	case gangway.Issued:
		return in.CheckBookingAt(ctx, id, b.NextCheck(gangway.Settings{}, now))
	case gangway.ChangePending:
		return settled(d.attendNotice(ctx, in, b, order))
	case gangway.ApprovalRequired, gangway.Confirmed:
		return settled(d.attendHold(ctx, in, b, order))
	case gangway.RefundPending:
		if order.Refund == nil || order.Refund.SettledAt.IsZero() {
			return in.CheckBookingAt(ctx, id, b.NextCheck(gangway.Settings{}, now))
		}
		_, err := d.move(ctx, in, id, "", gangway.SettleRefund, gangway.System, func(b *gangway.Booking) { b.Refund = order.Refund })
		return settled(err)
	}
	return nil
}

// attendHold looks after a booking that has no ticket yet.
func (d *Desk) attendHold(ctx context.Context, in store.Scoped, b gangway.Booking, order flight.Order) error {
	now := d.now()
	switch order.Status {
	case flight.Ticketed:
		// Issued without our knowing: a supplier's late answer, or done by hand there.
		if b.State == gangway.Confirmed {
			_, err := d.move(ctx, in, b.ID, "", gangway.Issue, gangway.System, func(b *gangway.Booking) { take(b, order) })
			return err
		}
		return nil
	case flight.Lapsed, flight.Withdrawn, flight.Refused:
		_, err := d.moveWhy(ctx, in, b.ID, "", gangway.EndHold, gangway.System, "the hold ended before tickets were issued", func(*gangway.Booking) {})
		return err
	case flight.Pending:
		return nil
	}
	account, err := in.Account(ctx)
	if err != nil {
		return err
	}
	if order.Price.Total.Minor > b.Price.Total.Minor {
		// The price was guaranteed for a while only and has risen: a person decides.
		return in.CheckBookingAt(ctx, b.ID, order.HoldUntil)
	}
	if at := b.IssueAt(); b.State == gangway.Confirmed && !account.Settings.KeepUnissued && !at.IsZero() && !now.Before(at) && now.Before(b.TicketBy) {
		_, err := d.issue(ctx, in, gangway.User{Email: gangway.System, Role: gangway.Admin}, b.ID, order.Price.Total)
		if !refused(err) {
			return err
		}
		// The airline refuses; it is asked again a few times until the deadline,
		// and the coordinator sees the deadline come closer.
		d.log.Warn("tickets could not be issued ahead of the deadline", "booking", b.ID, "error", err)
		return in.CheckBookingAt(ctx, b.ID, now.Add(max(b.TicketBy.Sub(now)/4, time.Minute)))
	}
	if now.Before(order.HoldUntil) {
		return in.CheckBookingAt(ctx, b.ID, order.HoldUntil)
	}
	return nil
}
