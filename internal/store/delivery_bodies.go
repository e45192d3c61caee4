package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"
)

// A Shaping is what became of having the body of a delivery made by its outlet's mapping.
type Shaping struct {
	Delivery        // with its body, if there is one
	LeftOut  bool   // nothing is to be sent of it
	Failure  string // why nothing could be made of its record
}

// settles reports whether there is nothing left to be tried.
func (s Shaping) settles() bool { return s.LeftOut || s.Failure != "" }

// Shaped records what the outlet's mapping made of deliveries of a queue. Bodies are kept, so that every try has the
// same bytes. What is left out is done without having been tried or delivered, and what failed is parked with the
// reason; the outlet is none the worse for it. settled is how many these are. Without them the queue stays as it is;
// with them, more is true if something in it is due, and the worker keeps it until then as in TakeQueues.
func (s Scoped) Shaped(ctx context.Context, l DeliveryQueue, list []Shaping, at, until time.Time) (settled int,
	more bool, err error) {
	err = s.write(ctx, func(tx *sql.Tx) (err error) {
		settled = 0
		for _, shaping := range list {
			if err := s.shaped(ctx, tx, l, shaping, at); err != nil {
				return err
			}
			if shaping.settles() {
				settled++
			}
		}
		if settled > 0 {
			more, err = s.advance(ctx, tx, l, settled, at, until)
		}
		return err
	})
	return settled, more && err == nil, err
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
		SET state = $6, body = $7
		WHERE account = $1 AND outlet = $2 AND booking = $3 AND seq = $4 AND state = 'due' AND EXISTS (
			SELECT 1
			FROM lane
			WHERE account = $1 AND outlet = $2 AND booking = $5 AND holder = $8)`,
		s.account, l.Outlet, d.Booking.ID, d.Seq, l.Booking, state, string(d.Body), l.holder)
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
