package plan

import (
	"cmp"
	"context"
	"errors"
	"time"

	"gangway/internal/background"
	"gangway/internal/book"
	"gangway/internal/gangway"
	"gangway/internal/store"

	"golang.org/x/sync/errgroup"
)

// itemsAtOnce bounds how many items of a batch are worked on side by side.
const itemsAtOnce = 4

// tooLate is how long after an interruption an item is no longer requested, because
// prices have changed and people have dealt with it themselves.
const tooLate = time.Hour

// work settles the items of a batch that have no outcome, each by itself: one that
// fails never stops the others. What cannot be settled now is left to whoever takes
// over the batch when its lease ends.
func (bs *Batches) work(ctx context.Context, l store.BatchLease) error {
	in := bs.db.In(l.Scope)
	b, err := in.Batch(ctx, l.ID)
	if err != nil {
		return err
	}
	stop, release := bs.hold(ctx, in, l)
	defer release()
	var g errgroup.Group
	g.SetLimit(itemsAtOnce)
	for _, item := range b.Items {
		if item.State != store.ItemOpen {
			continue
		}
		g.Go(func() error {
			if isClosed(stop) {
				return nil
			}
			return bs.settle(ctx, in, b, item, stop)
		})
	}
	if err := g.Wait(); err != nil {
		return err
	}
	if isClosed(bs.closing) {
		return in.ReleaseBatch(ctx, l)
	}
	return nil
}

// hold keeps the lease of a batch alive until release is called. stop is closed when
// no more items of the batch may begin here: the process is shutting down, or another
// has taken the batch over.
func (bs *Batches) hold(
	ctx context.Context, in store.Scoped, l store.BatchLease,
) (stop <-chan struct{}, release func()) {
	ctx, cancel := context.WithCancel(ctx)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		tick := time.NewTicker(lease / 3)
		defer tick.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-bs.closing:
				return
			case <-tick.C:
				err := in.HoldBatch(ctx, l, bs.now().Add(lease))
				if err != nil && ctx.Err() == nil {
					bs.log.Warn("a batch's lease could not be renewed", bs.db.Whose(ctx, l.Scope), "batch", l.ID,
						"error", err)
				}
				if isOver(err) {
					return
				}
			}
		}
	}()
	return ended, cancel
}

// settle carries out one item and records its outcome. An item that the supplier never
// received is requested again.
func (bs *Batches) settle(ctx context.Context, in store.Scoped, b store.Batch, item store.BatchItem,
	stop <-chan struct{}) error {
	for {
		err := background.Guard(bs.log, "do one of many", func() error { return bs.do(ctx, in, b, item) })
		state, why, settled := outcomeOf(err)
		if !settled {
			return err
		}
		if gangway.KindOf(err) == gangway.Internal {
			bs.log.Error("an item of a batch failed", bs.db.Whose(ctx, in.Scope()), "batch", b.ID, "booking",
				item.Booking, "error", err)
		}
		if err != nil {
			asked, lookErr := in.Intent(ctx, item.Booking)
			switch {
			case gangway.KindOf(lookErr) == gangway.NotFound && state == store.ItemUnanswered:
				state = store.ItemRefused // the airline was not asked, so no answer will come
			case lookErr == nil && !asked.Open && isLost(asked.Outcome):
				fresh, renewed, err := bs.renew(ctx, in, b, item)
				if err != nil {
					return err
				}
				if renewed && !isClosed(stop) {
					item = fresh
					continue
				}
				if renewed {
					return nil
				}
			}
		}
		if err := in.SettleItem(ctx, b.ID, item.Booking, state, why); !errors.Is(err, store.ErrAnswered) {
			return err
		}
	}
}

// isLost reports whether an outcome says that the supplier did nothing of what it was asked for.
func isLost(outcome string) bool { return outcome == book.NeverReceived || outcome == book.NeverDone }

func isClosed(c <-chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}

// do carries out an item. What a process that died has begun is not repeated: the desk
// returns its outcome.
func (bs *Batches) do(ctx context.Context, in store.Scoped, b store.Batch, item store.BatchItem) error {
	by := b.By
	if item.Intent == nil && (item.Made == nil || b.Kind != toBook) {
		var err error
		if by, err = bs.mayBegin(ctx, b); err != nil {
			return err
		}
	}
	if b.Kind == string(Moves) {
		ask, err := readAsk[itemMove](item)
		if err != nil {
			return err
		}
		if ask.New != nil && ask.Passenger != nil {
			ask.New.Passenger = *ask.Passenger
		}
		_, err = bs.desk.Move(ctx, in, by, ask.MoveAsk)
		return err
	}
	if b.Kind != toBook {
		ask, err := readAsk[book.ActAsk](item)
		if err == nil {
			_, err = bs.desk.Act(ctx, in, by, ask)
		}
		return err
	}
	ask, err := readAsk[itemRequest](item)
	if err == nil {
		_, err = bs.desk.Book(ctx, in, b.By, ask.BookAsk)
	}
	return err
}

// unbegun begins the end of the reason why an item was not begun at all, and bookAgain follows it
// where bookings are made.
const (
	unbegun   = ", so it was not begun"
	bookAgain = ": “Book all” once more books it"
)

// mayBegin returns who began a batch, as they are now. It refuses to begin further items of a batch
// that was interrupted too long ago, or of somebody who may no longer book.
//
// Decided: docs/choices.md, "Made while building".
func (bs *Batches) mayBegin(ctx context.Context, b store.Batch) (by gangway.User, err error) {
	began, again := "began this", ""
	if b.Kind == toBook {
		began, again = "pressed “Book all”", bookAgain
	}
	if bs.now().Sub(b.CreatedAt) > tooLate {
		return by, gangway.Errorf(gangway.Conflict, "this was interrupted too long ago to go on%s%s", unbegun, again)
	}
	by, err = bs.db.User(ctx, b.By.ID)
	if err != nil && gangway.KindOf(err) != gangway.NotFound {
		return by, err
	}
	if !by.MaySignIn() || !by.Role.May(gangway.ToBook) {
		return by, gangway.Errorf(gangway.Denied, "%s, who %s, may not book any more%s%s",
			cmp.Or(b.By.Name, b.By.Email), began, unbegun, again)
	}
	return by, nil
}
