package book

import (
	"context"
	"errors"
	"time"

	"gangway/internal/background"
	"gangway/internal/book/flight"
	"gangway/internal/gangway"
	"gangway/internal/store"
)

// pollInterval is how often the automated user looks for work when nothing wakes it.
const pollInterval = 2 * time.Second

// retake is how long due work that was taken is hidden from other replicas, and so how long it
// takes until work of a replica that died is taken again. It is longer than a supplier may take to
// answer.
const retake = 3 * time.Minute

// How soon a booking is checked again if its supplier does not know the order's state yet, if
// somebody was acting on it, if it is over but its supplier did not answer, and if its seats were
// not given back.
const (
	pendingCheck = 5 * time.Minute
	busyCheck    = 30 * time.Second
	overCheck    = time.Hour
	releaseCheck = 15 * time.Minute
	unknownCheck = 6 * time.Hour // whose supplier knows no such order
)

// Run is the automated user: until ctx ends it issues tickets ahead of their
// deadline, ends holds that ran out, settles refunds and changes that expired, and
// follows up what was begun and not finished. Any number of desks may run on one
// database; each piece of work is done by one of them. It returns when the work in
// progress is done.
func (d *Desk) Run(ctx context.Context) {
	wake := d.db.Wakes(store.Work)
	tick := time.NewTicker(pollInterval)
	defer tick.Stop()
	p := newPool()
	defer p.done.Wait()
	for {
		err := background.Guard(d.log, "look for work", func() error {
			_, err := d.beginDue(ctx, p)
			return errors.Join(err, d.compareWithPlans(ctx))
		})
		if err != nil && ctx.Err() == nil && !errors.Is(err, store.ErrAway) { // which the store logs itself
			d.log.Error("the automated user was interrupted", "error", err)
		}
		select {
		case <-ctx.Done():
			return
		case <-wake:
		case <-p.freed:
		case <-tick.C:
		}
	}
}

// ticks bounds how often Tick asks for more.
const ticks = 100

// Tick does all work that is due now and returns when it is done. A failure is logged and tried
// again later; it never holds up other work.
func (d *Desk) Tick(ctx context.Context) error {
	if err := d.compareWithPlans(ctx); err != nil {
		return err
	}
	p := newPool()
	for range ticks {
		n, err := d.beginDue(ctx, p)
		if err != nil {
			return err
		}
		p.done.Wait()
		if n == 0 {
			return nil
		}
	}
	return nil
}

// beginDue begins the work that is due now, as far as the pool has room, and returns how much that
// was. Work that was begun and left unfinished comes before scheduled work.
func (d *Desk) beginDue(ctx context.Context, p *pool) (int, error) {
	now := d.clock()
	loose, err := d.db.TakeUnsettledIntents(ctx, now, now.Add(lease), p.room())
	if err != nil {
		return 0, err
	}
	for _, i := range loose {
		p.begin(store.SupplierQueue{Account: i.Scope.Account, Supplier: i.Supplier}, func() { d.followUp(ctx, i) })
	}
	if len(loose) > 0 {
		return len(loose), nil
	}
	due, err := d.db.TakeDue(ctx, now, now.Add(retake), p.room())
	if err != nil {
		return 0, err
	}
	for _, b := range due {
		p.begin(store.SupplierQueue{Account: b.Scope.Account, Supplier: b.Supplier}, func() {
			err := background.Guard(d.log, "attend to a booking", func() error {
				return d.attend(ctx, d.db.In(b.Scope), b.ID)
			})
			if err != nil && !errors.Is(err, store.ErrAway) {
				d.log.Error("a due booking could not be attended to; it will be tried again", d.db.Whose(ctx, b.Scope),
					"booking", b.ID, "error", err)
			}
		})
	}
	return len(due), nil
}

// Attend does now what would be done for a booking when it is due: it asks the supplier, and follows.
func (d *Desk) Attend(ctx context.Context, in store.Scoped, id string) error {
	err := d.attend(ctx, in, id)
	if gangway.KindOf(err) == gangway.Unavailable && !errors.Is(err, store.ErrAway) {
		return nil // the supplier does not answer, which is asked again
	}
	return err
}

// attend does the scheduled work for one booking, or follows what its supplier reported. In every
// case it records when to check next.
func (d *Desk) attend(ctx context.Context, in store.Scoped, id string) error {
	b, err := in.Booking(ctx, id)
	if err != nil {
		return err
	}
	if c := b.Change; b.State == gangway.ChangePending && c != nil && !c.ByAirline && !d.now(in).Before(c.Expires) {
		expired := orderOutcome{event: gangway.AbandonChange, why: "the offer for the change expired"}
		if c.Approval != "" {
			expired.why = "the change lapsed: nobody approved it in time"
		}
		if b, err = d.settle(ctx, in, b, store.Intent{By: gangway.System}, flight.Order{}, expired); err != nil {
			return d.soon(ctx, in, b, err)
		}
	}
	order, err := d.orderOf(ctx, in, b)
	if err != nil {
		return d.unheard(ctx, in, b, err)
	}
	next, err := d.reconcile(ctx, in, b, order)
	if err != nil {
		return d.soon(ctx, in, b, err)
	}
	if next, err = d.pair(ctx, in, next); err != nil {
		at := retake
		if gangway.KindOf(err) == gangway.Conflict { // somebody is acting on one of the two
			at, err = busyCheck, nil
		}
		return errors.Join(err, in.LookAgain(context.WithoutCancel(ctx), next, d.now(in).Add(at)))
	}
	return d.rest(ctx, in, next, order)
}

// orderOf asks a booking's supplier for the state of its order.
func (d *Desk) orderOf(ctx context.Context, in store.Scoped, b gangway.Booking) (flight.Order, error) {
	supplier, err := d.suppliers(ctx, in, b.Supplier)
	if err != nil {
		return flight.Order{}, gangway.Errorf(gangway.Unavailable, "%v", err)
	}
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	return supplier.Order(ctx, b.Order)
}

// unheard records when to check a booking again whose supplier did not answer. If the supplier does
// not know the order, the booking needs a person.
func (d *Desk) unheard(ctx context.Context, in store.Scoped, b gangway.Booking, cause error) error {
	over := !b.Live() && b.State != gangway.RefundPending
	if !refused(cause) {
		at := d.now(in).Add(retake)
		if over {
			at = d.now(in).Add(overCheck)
		}
		return errors.Join(cause, in.LookAgain(context.WithoutCancel(ctx), b, at))
	}
	if over {
		return in.LookAgain(ctx, b, time.Time{})
	}
	next, err := d.settle(ctx, in, b, store.Intent{By: gangway.System}, flight.Order{},
		orderOutcome{person: unknownOrder})
	if err != nil {
		return d.soon(ctx, in, b, err)
	}
	return in.LookAgain(ctx, next, d.now(in).Add(unknownCheck))
}

const unknownOrder = "The supplier does not know this booking's order: find out whether the traveller can fly."

// soon schedules another check if err says that somebody else was acting on the booking, and
// returns any other error.
func (d *Desk) soon(ctx context.Context, in store.Scoped, b gangway.Booking, err error) error {
	switch {
	case errors.Is(err, errStale):
		return in.LookNow(ctx, b.ID, d.now(in))
	case gangway.KindOf(err) == gangway.Conflict:
		return in.LookAgain(ctx, b, d.now(in).Add(busyCheck))
	}
	return err
}

// rest does what remains for a booking that agrees with its order, and records when to check it
// next.
func (d *Desk) rest(ctx context.Context, in store.Scoped, b gangway.Booking, order flight.Order) error {
	seen, err := b, error(nil)
	now := d.now(in)
	at := b.NextCheck(now)
	switch {
	case order.Status == flight.Pending:
		at = now.Add(pendingCheck)
	case b.State == gangway.ApprovalRequired, b.State == gangway.Confirmed:
		return d.attendHold(ctx, in, b, order)
	case b.State == gangway.Declined && order.Status == flight.Held:
		// Its seats were not given back when it was declined.
		d.release(ctx, in, b.Supplier, b.Order)
		at = now.Add(releaseCheck)
	case b.State == gangway.Issued && len(order.Tickets) > len(b.Tickets): // some suppliers send them later
		seen, err = d.correct(ctx, in, b, func(b *gangway.Booking) { b.Tickets, b.PNRs = order.Tickets, order.PNRs })
	case b.State == gangway.RefundPending && saidMore(b, order): // of a refund that has not been paid yet
		seen, err = d.correct(ctx, in, b, func(b *gangway.Booking) { b.SetRefund(order.Refund, now) })
	}
	if err != nil {
		return d.soon(ctx, in, b, err)
	}
	return in.LookAgain(ctx, seen, d.untilPair(in, seen, at))
}

// correct records what a supplier has said since, unless the booking has moved on. It is no action on the booking.
func (d *Desk) correct(ctx context.Context, in store.Scoped, seen gangway.Booking,
	with func(*gangway.Booking)) (gangway.Booking, error) {
	return in.UpdateBooking(ctx, seen.ID, "", func(b *gangway.Booking) (gangway.Action, error) {
		if b.Version != seen.Version {
			return gangway.Action{}, errStale
		}
		with(b)
		return gangway.Action{}, nil
	})
}

// attendHold does the scheduled work for a booking whose seats are held.
func (d *Desk) attendHold(ctx context.Context, in store.Scoped, b gangway.Booking, order flight.Order) error {
	now := d.now(in)
	end := order.HoldUntil
	if !now.Before(end) {
		end = now.Add(retake) // the supplier has not let go of it yet
	}
	end = d.untilPair(in, b, end)
	if order.Price.Total.Minor > b.Price.Total.Minor {
		// The price was guaranteed for a while only and has risen: a person decides.
		b, err := d.noteRise(ctx, in, b, order.Price.Total)
		if err != nil {
			return d.soon(ctx, in, b, err)
		}
		return in.LookAgain(ctx, b, end)
	}
	if at := b.IssuesAt(); b.State == gangway.Confirmed && !at.IsZero() && now.Before(order.HoldUntil) {
		b, kept, err := d.withhold(ctx, in, b)
		switch {
		case kept:
			return err
		case now.Before(at):
			return in.LookAgain(ctx, b, d.untilPair(in, b, at))
		}
		_, err = d.Issue(ctx, in, gangway.User{Email: gangway.System, Role: gangway.Admin}, b.ID, order.Price.Total)
		switch {
		case err == nil:
			return nil // its next look was written with its tickets
		case !refused(err):
			return errors.Join(err, in.LookAgain(ctx, b, now.Add(retake)))
		}
		// The airline refuses; it is asked again a few times until the deadline,
		// and the coordinator sees the deadline come closer.
		d.log.Warn("tickets could not be issued ahead of the deadline", d.db.Whose(ctx, in.Scope()), "booking", b.ID,
			"error", err)
		again := now.Add(max(b.TicketBy.Sub(now)/4, time.Minute))
		if good := b.PriceGood(); good.Before(again) {
			again = good // then a person decides
		}
		return in.LookAgain(ctx, b, d.untilPair(in, b, again))
	}
	return in.LookAgain(ctx, b, end)
}
