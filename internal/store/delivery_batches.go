package store

import (
	"cmp"
	"context"
	"crypto/rand"
	"database/sql"
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

// queueOf is the booking of the queue that an action waits in, and when it is due by itself.
func queueOf(o gangway.Outlet, booking string, at time.Time) (queue string, due time.Time) {
	if o.Batch > 0 {
		return "", at.Add(o.Batch)
	}
	return booking, at
}

// batchOf returns an outlet with its identifier and what it gets together.
func (s Scoped) batchOf(ctx context.Context, q querier, outlet string) (gangway.Outlet, error) {
	batch, err := column[int64](q.QueryRowContext(ctx, `
		SELECT batch
		FROM outlet
		WHERE account = $1 AND id = $2`,
		s.account, outlet))
	if err != nil {
		return gangway.Outlet{}, notFoundOr(err, "there is no such outlet")
	}
	return gangway.Outlet{ID: outlet, Batch: time.Duration(batch) * time.Millisecond}, nil
}

// NextBatch returns what is delivered next of a queue of all bookings, as one document: the batch that was tried
// before, or else one of what waits now. It is in the order in which things happened, and within a booking in that of
// its actions. A delivery with a body has only its booking's identifier. The batch is empty if nothing is due or the
// outlet takes nothing now.
func (s Scoped) NextBatch(ctx context.Context, l DeliveryQueue) (list []Delivery, err error) {
	if list, err = s.openBatch(ctx, l); err != nil || len(list) > 0 {
		return list, err
	}
	if err = s.makeBatch(ctx, l); err != nil {
		return nil, err
	}
	return s.openBatch(ctx, l)
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
			s.account, l.Outlet, "bat_"+rand.Text(), mostTogether, l.lease.Holder, MostBytesTogether)
		return wrapf(err, "put deliveries together")
	})
}

// openBatch returns what was put together and is not delivered yet; nothing if there is no batch.
func (s Scoped) openBatch(ctx context.Context, l DeliveryQueue) (list []Delivery, err error) {
	outlets, err := s.db.openOutlets(ctx, []DeliveryQueue{l})
	if err != nil {
		return nil, err
	}
	o := outlets[outletKey{s.account, l.Outlet}]
	if o == nil {
		return nil, nil
	}
	if o.err != nil {
		return nil, o.err
	}
	made := map[string]time.Time{} // of each delivery
	err = eachRow(ctx, s.db.reader, `
		SELECT d.made_at, d.id, d.booking, d.seq, d.body, a.name, a.at, a.by_whom,
			CASE WHEN d.body = '' THEN a.snapshot ELSE '' END
		FROM delivery d
		JOIN action a ON a.account = d.account AND a.booking = d.booking AND a.seq = d.seq
		WHERE d.account = $1 AND d.outlet = $2 AND d.state = 'due' AND d.batch <> ''
		ORDER BY d.booking, d.seq`,
		[]any{s.account, l.Outlet}, func(row scanner) error {
			d := Delivery{Outlet: o.Outlet}
			var madeAt int64
			var body, snapshot string
			err := row.Scan(&madeAt, &d.ID, &d.Booking.ID, &d.Seq, &body, &d.Action.Name, when(&d.Action.At),
				&d.Action.By, &snapshot)
			if err != nil {
				return err
			}
			d.Action.Seq, made[d.ID] = d.Seq, instant(madeAt)
			if body != "" {
				d.Body = []byte(body)
			} else if d.Booking, err = readSnapshot(snapshot); err != nil {
				return fmt.Errorf("read snapshot of delivery %s: %w", d.ID, err)
			}
			if n := len(list); n > 0 && list[n-1].Booking.ID == d.Booking.ID {
				before := made[list[n-1].ID]
				made[d.ID] = slices.MaxFunc([]time.Time{before, made[d.ID]}, time.Time.Compare)
			}
			list = append(list, d)
			return nil
		})
	if err != nil {
		return nil, fmt.Errorf("read a batch of deliveries: %w", err)
	}
	slices.SortStableFunc(list, func(x, y Delivery) int {
		return cmp.Or(made[x.ID].Compare(made[y.ID]), strings.Compare(x.Booking.ID, y.Booking.ID))
	})
	return list, nil
}

// nextTogether reports whether something waits in a queue of all bookings, and returns when it is due.
func (s Scoped) nextTogether(ctx context.Context, tx *sql.Tx, l DeliveryQueue, now time.Time) (due time.Time,
	waits bool, err error) {
	o, err := s.batchOf(ctx, tx, l.Outlet)
	if err != nil {
		return due, false, err
	}
	var oldest sql.NullInt64
	err = tx.QueryRowContext(ctx, `
		SELECT min(made_at)
		FROM delivery
		WHERE account = $1 AND outlet = $2 AND state = 'due'`,
		s.account, l.Outlet).Scan(&oldest)
	if err != nil {
		return due, false, fmt.Errorf("read what waits: %w", err)
	}
	if !oldest.Valid {
		return now, false, nil
	}
	return instant(oldest.Int64).Add(o.Batch), true, nil
}
