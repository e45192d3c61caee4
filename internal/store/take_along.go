package store

import (
	"context"
	"database/sql"
	"slices"
	"time"

	"gangway/internal/gangway"
)

// A Taker delivers in this process. It gets an empty queue together with what is put into it, so that what happened
// is on its way as soon as it is committed, without the database being asked what is due, or what it is.
type Taker struct {
	// Room says until when a queue of an outlet that is due then may be taken, as in TakeQueues. Not ok: it may not.
	Room func(outlet string, due time.Time) (until time.Time, ok bool)

	// Take gets a queue that is about to be taken, and its only delivery, to make it ready while that is committed.
	// What it returns is called once it is.
	Take func(DeliveryQueue, *StoredDelivery) (taken func())
}

// TakeAlong has t get the queues that are filled in this process, until stop is called.
func (db *DB) TakeAlong(t Taker) (stop func()) {
	db.taker.Store(&t)
	return func() { db.taker.CompareAndSwap(&t, nil) }
}

// A filling is the queues that a transaction has put deliveries into.
type filling struct {
	taker *Taker
	taken []filledQueue
	left  bool // others are to be looked for
}

// A filledQueue was empty before.
type filledQueue struct {
	DeliveryQueue
	next    *StoredDelivery
	isTaken func() // of its taker
}

// fillQueue puts a delivery that was made into its queue, and takes the queue along if it was empty. ready: the
// outlet takes deliveries now.
func (s Scoped) fillQueue(ctx context.Context, tx *sql.Tx, queue string, due time.Time, ready bool,
	made *StoredDelivery) error {
	kept, _ := s.db.fillings.LoadOrStore(tx, &filling{taker: s.db.taker.Load()})
	f := kept.(*filling)
	l := DeliveryQueue{Scope: gangway.Scope{Account: s.account}, Outlet: made.outlet.ID, Booking: queue}
	until := f.take(&l, s.db.presence, due, ready)
	taken, err := s.enqueue(ctx, tx, l, 1, due, until)
	if taken {
		f.taken = append(f.taken, filledQueue{l, made, nil})
	} else {
		f.left = true
	}
	return err
}

// take makes l a queue that the taker holds, if there is room, and returns until when; otherwise nobody holds it.
func (f *filling) take(l *DeliveryQueue, p *presence, due time.Time, ready bool) (until time.Time) {
	if f.taker == nil || !ready || l.Together() {
		return time.Time{}
	}
	life, lasts := p.now()
	if !lasts {
		return time.Time{}
	}
	until, ok := f.taker.Room(l.Outlet, due)
	if !ok {
		return time.Time{}
	}
	l.life, l.holder = life, life.holder()
	return until
}

// filled returns what a transaction has filled, and forgets it; nil: nothing.
func (db *DB) filled(tx *sql.Tx) *filling {
	kept, _ := db.fillings.LoadAndDelete(tx)
	f, _ := kept.(*filling)
	return f
}

// toWake returns those of the topics of a transaction for which somebody is to be woken: nobody for deliveries that
// are all on their way.
func (f *filling) toWake(topics []Topic) []Topic {
	if f == nil || f.left {
		return topics
	}
	return slices.DeleteFunc(slices.Clone(topics), func(t Topic) bool { return t == Deliveries })
}

// commit commits a transaction, and hands over the queues that it has taken.
func (f *filling) commit(tx *sql.Tx, db *DB) error {
	if f == nil {
		return tx.Commit()
	}
	for i, l := range f.taken {
		f.taken[i].isTaken = f.taker.Take(l.DeliveryQueue, l.next)
	}
	err := tx.Commit()
	for _, l := range f.taken {
		if err != nil {
			db.noteUnheard(err, l.holder)
		} else {
			l.isTaken()
		}
	}
	return err
}
