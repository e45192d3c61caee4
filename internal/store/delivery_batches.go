package store

import (
	"cmp"
	"context"
	"crypto/rand"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"gangway/internal/gangway"
)

// mostTogether is how many actions go out together at most, and MostBytesTogether how many bytes they have, but for the
// last of them.
const (
	mostTogether      = 1000
	MostBytesTogether = 4 << 20
)

// A DeliveryBatch is the actions that go to an outlet as one document. On every try they are the same. Of a booking
// whose delivery has its body there is but the identifier.
type DeliveryBatch struct {
	ID         string
	Outlet     gangway.Outlet
	Deliveries []Delivery // in the order in which things happened, and within a booking in that of its actions
}

// Together reports whether a queue has the actions of all bookings for an outlet that gets them together.
func (l DeliveryQueue) Together() bool { return l.Booking == "" }

// queueOf is the booking of the queue that an action waits in, and when it is due by itself.
func queueOf(o gangway.Outlet, booking string, at time.Time) (queue string, due time.Time) {
	if o.Batch > 0 {
		return "", at.Add(o.Batch)
	}
	return booking, at
}

// batchOf returns an outlet with its identifier and what it gets together.
func (s Scoped) batchOf(ctx context.Context, q querier, outlet string) (gangway.Outlet, error) {
	var batch int64
	err := q.QueryRowContext(ctx, `
		SELECT batch
		FROM outlet
		WHERE account = $1 AND id = $2`,
		s.account, outlet).Scan(&batch)
	if err != nil {
		return gangway.Outlet{}, notFoundOr(err, "there is no such outlet")
	}
	return gangway.Outlet{ID: outlet, Batch: time.Duration(batch) * time.Millisecond}, nil
}

// NextBatch returns what is to be delivered next of a queue of all bookings: what was tried before, and
// otherwise what waits now. NotFound: as for NextDelivery.
func (s Scoped) NextBatch(ctx context.Context, l DeliveryQueue) (b DeliveryBatch, err error) {
	for range 2 {
		if b, err = s.openBatch(ctx, l); err != nil || len(b.Deliveries) > 0 {
			return b, err
		}
		if err = s.makeBatch(ctx, l); err != nil {
			return b, err
		}
	}
	return b, gangway.Errorf(gangway.NotFound, "nothing is due")
}

// makeBatch puts together what waits. Of each booking it takes the oldest actions, although clocks that were
// set back may say otherwise.
func (s Scoped) makeBatch(ctx context.Context, l DeliveryQueue) error {
	return s.write(ctx, func(tx *sql.Tx) error {
		// MATERIALIZED keeps PostgreSQL's planner from counting the places again for each row.
		_, err := tx.ExecContext(ctx, `
			WITH oldest AS MATERIALIZED (
				SELECT booking, seq, made_at
				FROM delivery
				WHERE account = $1 AND outlet = $2 AND state = 'due'
				ORDER BY made_at, booking, seq
				LIMIT $4),
			weighed AS MATERIALIZED (
				SELECT o.booking, octet_length(a.snapshot) AS bytes,
					sum(octet_length(a.snapshot)) OVER (ORDER BY o.made_at, o.booking, o.seq) AS upto
				FROM oldest o
				JOIN action a ON a.account = $1 AND a.booking = o.booking AND a.seq = o.seq),
			waiting AS MATERIALIZED (
				SELECT booking
				FROM weighed
				WHERE upto - bytes <= $6),
			chosen AS MATERIALIZED (
				SELECT booking, count(*) AS most
				FROM waiting
				GROUP BY booking),
			placed AS MATERIALIZED (
				SELECT d.booking, d.seq, c.most, row_number() OVER (PARTITION BY d.booking ORDER BY d.seq) AS place
				FROM chosen c
				JOIN delivery d ON d.account = $1 AND d.outlet = $2 AND d.booking = c.booking AND d.state = 'due')
			UPDATE delivery
			SET batch = $3
			FROM placed p
			WHERE delivery.account = $1 AND delivery.outlet = $2 AND delivery.booking = p.booking AND delivery.seq = p.seq
				AND p.place <= p.most
				AND EXISTS (SELECT 1 FROM lane WHERE account = $1 AND outlet = $2 AND booking = '' AND holder = $5)`,
			s.account, l.Outlet, "bat_"+rand.Text(), mostTogether, l.holder, MostBytesTogether)
		if err != nil {
			return fmt.Errorf("put deliveries together: %w", err)
		}
		return nil
	})
}

// openBatch returns what was put together and is not delivered yet; nothing of it if there is none.
func (s Scoped) openBatch(ctx context.Context, l DeliveryQueue) (b DeliveryBatch, err error) {
	if b.Outlet, err = s.outletOf(ctx, l); err != nil {
		return b, err
	}
	made := map[string]time.Time{} // of each delivery
	err = eachRow(ctx, s.db.reader, `
		SELECT d.batch, d.made_at, d.id, d.booking, d.seq, d.body, a.name, a.at, a.by_whom,
			CASE WHEN d.body = '' THEN a.snapshot ELSE '' END
		FROM delivery d
		JOIN action a ON a.account = d.account AND a.booking = d.booking AND a.seq = d.seq
		WHERE d.account = $1 AND d.outlet = $2 AND d.state = 'due' AND d.batch <> ''
		ORDER BY d.booking, d.seq`,
		[]any{s.account, l.Outlet}, func(row scanner) error {
			d := Delivery{Outlet: b.Outlet}
			var at, madeAt int64
			var body, snapshot string
			err := row.Scan(&b.ID, &madeAt, &d.ID, &d.Booking.ID, &d.Seq, &body, &d.Action.Name, &at, &d.Action.By,
				&snapshot)
			if err != nil {
				return err
			}
			d.Action.Seq, d.Action.At, made[d.ID] = d.Seq, instant(at), instant(madeAt)
			if body != "" {
				d.Body = []byte(body)
			} else if d.Booking, err = readSnapshot(snapshot); err != nil {
				return fmt.Errorf("read snapshot of delivery %s: %w", d.ID, err)
			}
			if n := len(b.Deliveries); n > 0 && b.Deliveries[n-1].Booking.ID == d.Booking.ID {
				before := made[b.Deliveries[n-1].ID]
				made[d.ID] = slices.MaxFunc([]time.Time{before, made[d.ID]}, time.Time.Compare)
			}
			b.Deliveries = append(b.Deliveries, d)
			return nil
		})
	if err != nil {
		return b, fmt.Errorf("read a batch of deliveries: %w", err)
	}
	slices.SortStableFunc(b.Deliveries, func(x, y Delivery) int {
		return cmp.Or(made[x.ID].Compare(made[y.ID]), strings.Compare(x.Booking.ID, y.Booking.ID))
	})
	return b, nil
}

// outletOf returns the outlet of a queue, with its secrets. NotFound: as for NextDelivery.
func (s Scoped) outletOf(ctx context.Context, l DeliveryQueue) (gangway.Outlet, error) {
	o := s.sealedOutlet(l.Outlet)
	err := s.db.reader.QueryRowContext(ctx, `
		SELECT `+sealedOutletColumns+`
		FROM lane l
		JOIN outlet o ON o.account = l.account AND o.id = l.outlet AND o.off = 0 AND o.paused = 0
		WHERE l.account = $1 AND l.outlet = $2 AND l.booking = $3 AND l.holder = $4`,
		s.account, l.Outlet, l.Booking, l.holder).Scan(o.columns()...)
	if err != nil {
		return gangway.Outlet{}, notFoundOr(err, "nothing is due")
	}
	return o.open()
}

// BatchDelivered is Delivered for a batch. What has come meanwhile waits for its own time, and the worker keeps
// the queue only if that has come.
func (s Scoped) BatchDelivered(ctx context.Context, l DeliveryQueue, b DeliveryBatch, a Attempt,
	until time.Time) (more bool, err error) {
	err = s.write(ctx, func(tx *sql.Tx) error {
		if err := s.settleBatch(ctx, tx, l, b, a, "done"); err != nil {
			return err
		}
		next, err := s.nextTogether(ctx, tx, l, a.At)
		if err != nil {
			return err
		}
		var pending int
		more = !next.After(a.At)
		err = tx.QueryRowContext(ctx, `
			UPDATE lane
			SET pending = pending - $4, tries = 0, first_at = 0, due = $5,
				lease = CASE WHEN $6 = 1 AND pending > $4 THEN CAST($7 AS BIGINT) ELSE 0 END,
				holder = CASE WHEN $6 = 1 AND pending > $4 THEN holder ELSE '' END
			WHERE account = $1 AND outlet = $2 AND booking = '' AND holder = $3
			RETURNING pending`,
			s.account, l.Outlet, l.holder, len(b.Deliveries), millis(next), truthValue(more), millis(until)).
			Scan(&pending)
		if errors.Is(err, sql.ErrNoRows) {
			return ErrQueueLost
		}
		if err != nil {
			return fmt.Errorf("advance queue: %w", err)
		}
		more = more && pending > 0
		return nil
	})
	return more && err == nil, err
}

// BatchFailed is Failed for a batch.
func (s Scoped) BatchFailed(ctx context.Context, l DeliveryQueue, b DeliveryBatch, a Attempt,
	f DeliveryFailure) (off bool, err error) {
	return s.failed(ctx, l, len(b.Deliveries), a, f, func(tx *sql.Tx, state string) error {
		return s.settleBatch(ctx, tx, l, b, a, state)
	})
}

// nextTogether returns when what still waits in a queue of all bookings is due.
func (s Scoped) nextTogether(ctx context.Context, tx *sql.Tx, l DeliveryQueue, now time.Time) (time.Time, error) {
	o, err := s.batchOf(ctx, tx, l.Outlet)
	if err != nil {
		return time.Time{}, err
	}
	var oldest sql.NullInt64
	err = tx.QueryRowContext(ctx, `
		SELECT min(made_at)
		FROM delivery
		WHERE account = $1 AND outlet = $2 AND state = 'due'`,
		s.account, l.Outlet).Scan(&oldest)
	if err != nil {
		return time.Time{}, fmt.Errorf("read what waits: %w", err)
	}
	if !oldest.Valid {
		oldest.Int64 = millis(now) // of what another transaction may just be adding
	}
	return instant(oldest.Int64).Add(o.Batch), nil
}

// settleBatch writes an attempt to deliver a batch and the state of its deliveries after it.
func (s Scoped) settleBatch(ctx context.Context, tx *sql.Tx, l DeliveryQueue, b DeliveryBatch, a Attempt,
	state string) error {
	_, err := tx.ExecContext(ctx, `
		INSERT INTO attempt (account, outlet, booking, seq, at, took_ms, status, answer)
		SELECT account, outlet, booking, seq, CAST($4 AS BIGINT), CAST($5 AS BIGINT), CAST($6 AS INTEGER), CAST($7 AS TEXT)
		FROM delivery
		WHERE account = $1 AND outlet = $2 AND batch = $3 AND state = 'due'
		ON CONFLICT DO NOTHING`,
		s.account, l.Outlet, b.ID, millis(a.At), a.Took.Milliseconds(), a.Status, storedAnswer(a))
	if err != nil {
		return fmt.Errorf("write attempts at batch %s: %w", b.ID, err)
	}
	var done time.Time
	if state == "done" {
		done = a.At.Add(a.Took)
	}
	res, err := tx.ExecContext(ctx, `
		UPDATE delivery
		SET state = $4, done_at = $5, attempts = attempts + 1
		WHERE account = $1 AND outlet = $2 AND batch = $3 AND state = 'due'`,
		s.account, l.Outlet, b.ID, state, millis(done))
	if err != nil {
		return fmt.Errorf("write batch %s: %w", b.ID, err)
	}
	if n, err := res.RowsAffected(); err != nil || n != int64(len(b.Deliveries)) {
		return errors.Join(err, errSettled)
	}
	return nil
}

// requeue puts what waits at an outlet into the queues that it has from now on, because it gets actions
// together that it got one by one, or the other way round.
func (s Scoped) requeue(ctx context.Context, tx *sql.Tx, o gangway.Outlet) error {
	queue := "booking"
	if o.Batch > 0 {
		queue = "''"
	}
	for _, statement := range []string{
		`DELETE FROM lane WHERE account = $1 AND outlet = $2`,
		`UPDATE delivery SET batch = '' WHERE account = $1 AND outlet = $2 AND state = 'due' AND batch <> ''`,
	} {
		if _, err := tx.ExecContext(ctx, statement, s.account, o.ID); err != nil {
			return fmt.Errorf("queue what waits at outlet %s anew: %w", o.ID, err)
		}
	}
	_, err := tx.ExecContext(ctx, `
		INSERT INTO lane (account, outlet, booking, pending, due, tries, first_at, lease, holder)
		SELECT account, outlet, queue, count(*), min(made_at) + CAST($3 AS BIGINT), 0, 0, 0, ''
		FROM (SELECT account, outlet, made_at, `+queue+` AS queue FROM delivery
			WHERE account = $1 AND outlet = $2 AND state = 'due') d
		GROUP BY account, outlet, queue`,
		s.account, o.ID, o.Batch.Milliseconds())
	if err != nil {
		return fmt.Errorf("queue what waits at outlet %s anew: %w", o.ID, err)
	}
	return nil
}
