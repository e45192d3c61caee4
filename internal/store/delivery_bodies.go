package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"time"
)

// A Shaping is what became of having the body of a delivery made by its outlet's mapping.
type Shaping struct {
	Delivery        // with its body, if there is one
	LeftOut  bool   // nothing is to be sent of it
	Failure  string // why nothing could be made of its record
	Later    bool   // it does not go with the others of its batch, but with what comes after it
}

// How the reason begins of a delivery of which nothing can be sent, and of one that was not because of Gangway itself.
const (
	MappingFails = "The mapping fails on this record: "
	CannotBeSent = "It cannot be sent: "
	NothingSent  = "nothing was sent, since "
)

// Unsent reports whether a was over before anything was sent, because nothing can be made of the record.
func (a Attempt) Unsent() bool {
	return a.Status == 0 && (strings.HasPrefix(a.Answer, MappingFails) || strings.HasPrefix(a.Answer, CannotBeSent))
}

// NeverLeft reports whether a was over before anything was sent, for whatever reason.
func (a Attempt) NeverLeft() bool {
	return a.Unsent() || a.Status == 0 && strings.HasPrefix(a.Answer, NothingSent)
}

// Settles reports whether there is nothing left to be tried.
func (s Shaping) Settles() bool { return s.LeftOut || s.Failure != "" }

// Shaped records what the outlet's mapping made of deliveries of a queue. Bodies are kept, so that every try has the
// same bytes. What is left out is done without having been tried or delivered. What failed is parked with the reason;
// whether the outlet is failing is for NoteUnmade to say. changed is how many these are, and what goes later. Without
// them the queue stays as it is; with them, more is true if something in it is due, and the worker keeps it until then
// as in TakeQueues.
func (s Scoped) Shaped(ctx context.Context, l DeliveryQueue, list []Shaping, at,
	until time.Time) (changed int, more bool, err error) {
	err = s.write(ctx, func(tx *sql.Tx) (err error) {
		settled := 0
		changed = 0
		for _, shaping := range list {
			if err := s.shaped(ctx, tx, l, shaping, at); err != nil {
				return err
			}
			if shaping.Settles() {
				settled++
			}
			if shaping.Settles() || shaping.Later {
				changed++
			}
		}
		if changed > 0 {
			more, err = s.advance(ctx, tx, l, settled, at, until)
		}
		return err
	})
	return changed, more && err == nil, err
}

// A Made delivery is one whose body was made by its outlet's mapping.
type Made struct {
	Queue    DeliveryQueue
	Delivery Delivery
}

// bodyColumns are what the statement of KeepBodies is given.
var bodyColumns = givenColumns{{"of_account", textColumn}, {"of_outlet", textColumn}, {"of_booking", textColumn},
	{"number", numberColumn}, {"in_queue", textColumn}, {"held_by", textColumn}, {"made", textColumn}}

// keepBodies is the statement of KeepBodies, on bodies as a table. That their queues are held is asked first, apart:
// before PostgreSQL knows how many deliveries an outlet has, it took all of the queue's outlet to be as few as one.
func keepBodies(bodies string) string {
	return `
		WITH held AS MATERIALIZED (
			SELECT *
			FROM ` + bodies + ` g
			WHERE EXISTS (
				SELECT 1
				FROM lane l
				WHERE l.account = g.of_account AND l.outlet = g.of_outlet AND l.booking = g.in_queue
					AND l.holder = g.held_by))
		UPDATE delivery
		SET body = held.made
		FROM held
		WHERE account = held.of_account AND outlet = held.of_outlet AND booking = held.of_booking AND seq = held.number
			AND CASE state WHEN 'due' THEN 1 ELSE 0 END = 1
		RETURNING account, outlet, booking, seq`
}

// KeepBodies keeps the bodies of deliveries, each of another queue, in one transaction, as Shaped does for one queue.
// It returns what became of each: ErrQueueLost among others.
func (db *DB) KeepBodies(ctx context.Context, list []Made) []error {
	done := make([]error, len(list))
	err := db.keepBodiesOf(ctx, list, done)
	if err != nil && len(list) == 1 {
		return []error{err}
	}
	for i := range list {
		if err != nil { // one of them spoils it for the others
			done[i] = db.KeepBodies(ctx, list[i:i+1])[0]
		}
	}
	return done
}

func (db *DB) keepBodiesOf(ctx context.Context, list []Made, done []error) error {
	type key struct {
		queueKey
		seq int
	}
	rows := make([][]any, len(list))
	at := make(map[key]int, len(list))
	for i, m := range list {
		l := m.Queue
		rows[i] = []any{l.Scope.Account, l.Outlet, m.Delivery.Booking.ID, int64(m.Delivery.Seq), l.Booking, l.holder,
			string(m.Delivery.Body)}
		at[key{queueKey{l.Scope.Account, l.Outlet, m.Delivery.Booking.ID}, m.Delivery.Seq}] = i
	}
	return db.write(ctx, func(tx *sql.Tx) error {
		for i := range done {
			done[i] = ErrQueueLost
		}
		for part := range db.dialect.parts(rows) {
			bodies, args := db.dialect.given(bodyColumns, part)
			err := eachRow(ctx, tx, keepBodies(bodies), args, func(row scanner) error {
				var k key
				err := row.Scan(&k.Account, &k.Outlet, &k.Booking, &k.seq)
				done[at[k]] = nil
				return err
			})
			if err != nil {
				return err
			}
		}
		return nil
	})
}

func (s Scoped) shaped(ctx context.Context, tx *sql.Tx, l DeliveryQueue, d Shaping, at time.Time) error {
	if d.Failure != "" {
		of := l
		of.Booking = d.Booking.ID // also of a queue of all bookings
		return s.settle(ctx, tx, of, d.Delivery, Attempt{At: at, Answer: d.Failure}, "parked")
	}
	state := "due"
	if d.LeftOut {
		state = "done"
	}
	res, err := tx.ExecContext(ctx, `
		UPDATE delivery
		SET state = $6, body = $7, batch = CASE WHEN $9 = 1 THEN '' ELSE batch END
		WHERE account = $1 AND outlet = $2 AND booking = $3 AND seq = $4 AND state = 'due' AND EXISTS (
			SELECT 1
			FROM lane
			WHERE account = $1 AND outlet = $2 AND booking = $5 AND holder = $8)`,
		s.account, l.Outlet, d.Booking.ID, d.Seq, l.Booking, state, string(d.Body), l.holder, truthValue(d.Later))
	if err != nil {
		return fmt.Errorf("keep the body of delivery %s: %w", d.ID, err)
	}
	if n, err := res.RowsAffected(); err != nil || n != 1 {
		return errors.Join(err, ErrQueueLost)
	}
	return nil
}

// advance takes n settled deliveries out of a queue. If more is due in it, more is true and the worker keeps it;
// until is as in TakeQueues.
func (s Scoped) advance(ctx context.Context, tx *sql.Tx, l DeliveryQueue, n int, at, until time.Time) (more bool,
	err error) {
	next := at
	if l.Together() {
		if next, err = s.nextTogether(ctx, tx, l, at); err != nil {
			return false, err
		}
	}
	more = !next.After(at)
	var pending int
	err = tx.QueryRowContext(ctx, `
		UPDATE lane
		SET pending = pending - $5, tries = 0, first_at = 0, due = $6,
			lease = CASE WHEN $7 = 1 AND pending > $5 THEN CAST($8 AS BIGINT) ELSE 0 END,
			holder = CASE WHEN $7 = 1 AND pending > $5 THEN holder ELSE '' END
		WHERE account = $1 AND outlet = $2 AND booking = $3 AND holder = $4
		RETURNING pending`,
		s.account, l.Outlet, l.Booking, l.holder, n, millis(next), truthValue(more), millis(until)).Scan(&pending)
	if errors.Is(err, sql.ErrNoRows) {
		return false, ErrQueueLost
	}
	if err != nil {
		return false, fmt.Errorf("advance queue: %w", err)
	}
	return more && pending > 0, nil
}
