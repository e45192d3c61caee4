package store

import (
	"cmp"
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strings"
	"time"
)

// An Outcome is a delivery that the customer has acknowledged.
type Outcome struct {
	Queue    DeliveryQueue
	Delivery Delivery
	Attempt  Attempt
	Until    time.Time // as in TakeQueues, if more is due in the queue
}

// Recorded says what became of an Outcome. With More, something else is due in the queue, and it stays with
// its worker.
type Recorded struct {
	More bool
	Err  error // ErrQueueLost among others
}

// outcomeColumns are an Outcome as the statements of RecordDelivered are given it.
var outcomeColumns = givenColumns{{"of_account", textColumn}, {"of_outlet", textColumn}, {"of_booking", textColumn},
	{"held_by", textColumn}, {"number", numberColumn}, {"tried_at", numberColumn}, {"ended_at", numberColumn},
	{"held_until", numberColumn}, {"took", numberColumn}, {"code", numberColumn}, {"said", textColumn}}

func (o Outcome) row() []any {
	l, a := o.Queue, o.Attempt
	return []any{l.Scope.Account, l.Outlet, l.Booking, l.holder, int64(o.Delivery.Seq), millis(a.At),
		millis(a.At.Add(a.Took)), millis(o.Until), a.Took.Milliseconds(), int64(a.Status), storedAnswer(a)}
}

// The statements of RecordDelivered, on outcomes as a table. That a delivery is due is asked in a way that
// no index answers: one of those that are due would be read from its beginning for each outcome.
func advanceQueues(outcomes string) string {
	return `
		UPDATE lane
		SET pending = pending - 1, tries = 0, first_at = 0, due = g.tried_at,
			lease = CASE WHEN pending > 1 THEN g.held_until ELSE 0 END,
			holder = CASE WHEN pending > 1 THEN holder ELSE '' END
		FROM ` + outcomes + ` g
		WHERE account = g.of_account AND outlet = g.of_outlet AND booking = g.of_booking AND holder = g.held_by
		RETURNING account, outlet, booking, pending`
}

func endDeliveries(outcomes string) string {
	return `
		UPDATE delivery
		SET state = 'done', done_at = g.ended_at, attempts = attempts + 1
		FROM ` + outcomes + ` g
		WHERE account = g.of_account AND outlet = g.of_outlet AND booking = g.of_booking AND seq = g.number
			AND CASE state WHEN 'due' THEN 1 ELSE 0 END = 1`
}

func writeAttempts(outcomes string) string {
	return `
		INSERT INTO attempt (account, outlet, booking, seq, at, took_ms, status, answer)
		SELECT g.of_account, g.of_outlet, g.of_booking, g.number, g.tried_at, g.took, g.code, g.said
		FROM ` + outcomes + ` g
		WHERE true
		ON CONFLICT DO NOTHING`
}

// RecordDelivered records deliveries that customers have acknowledged, each once, in one transaction: what one
// costs on disk is shared by as many as have come meanwhile. What it returns is in the order of list.
func (db *DB) RecordDelivered(ctx context.Context, list []Outcome) []Recorded {
	done := make([]Recorded, len(list))
	if err := db.recordDelivered(ctx, list, done); err == nil {
		return done
	} else if len(list) == 1 {
		return []Recorded{{Err: err}}
	}
	for i := range list { // one of them spoils it for the others
		done[i] = db.RecordDelivered(ctx, list[i:i+1])[0]
	}
	return done
}

func (db *DB) recordDelivered(ctx context.Context, list []Outcome, done []Recorded) error {
	order := make([]int, len(list)) // as everybody locks queues
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return list[a].Queue.compare(list[b].Queue) })
	rows := make([][]any, len(list))
	at := make(map[queueKey]int, len(list))
	for n, i := range order {
		rows[n], at[list[i].Queue.key()] = list[i].row(), n
	}
	return db.write(ctx, func(tx *sql.Tx) error {
		for i := range done {
			done[i] = Recorded{Err: ErrQueueLost}
		}
		for part := range db.dialect.parts(rows) {
			if err := db.dialect.recordOutcomes(ctx, tx, part, func(q queueLeft) []any {
				n := at[q.queueKey]
				done[order[n]] = Recorded{More: q.pending > 0}
				return rows[n]
			}); err != nil {
				return err
			}
		}
		return nil
	})
}

// recordOutcomes records outcomes of queues that are still held. held gets what is left in each of them, and returns
// its outcome.
func (d dialect) recordOutcomes(ctx context.Context, tx *sql.Tx, rows [][]any, held func(queueLeft) []any) error {
	outcomes, args := d.given(outcomeColumns, rows)
	left, err := selectAll(ctx, tx, func(row scanner) (q queueLeft, err error) {
		return q, row.Scan(&q.Account, &q.Outlet, &q.Booking, &q.pending)
	}, advanceQueues(outcomes), args...)
	if err != nil {
		return fmt.Errorf("advance queues: %w", err)
	}
	var kept [][]any
	for _, q := range left {
		kept = append(kept, held(q))
	}
	if len(kept) == 0 {
		return nil
	}
	if len(kept) < len(rows) {
		outcomes, args = d.given(outcomeColumns, kept)
	}
	res, err := tx.ExecContext(ctx, endDeliveries(outcomes), args...)
	if err != nil {
		return fmt.Errorf("write deliveries: %w", err)
	}
	if n, err := res.RowsAffected(); err != nil || int(n) != len(kept) {
		return errSettled
	}
	if _, err := tx.ExecContext(ctx, writeAttempts(outcomes), args...); err != nil {
		return fmt.Errorf("write attempts: %w", err)
	}
	return nil
}

// A queueKey identifies a queue.
type queueKey struct{ Account, Outlet, Booking string }

type queueLeft struct {
	queueKey
	pending int
}

func (l DeliveryQueue) key() queueKey { return queueKey{l.Scope.Account, l.Outlet, l.Booking} }

func (l DeliveryQueue) compare(o DeliveryQueue) int {
	return cmp.Or(strings.Compare(l.Scope.Account, o.Scope.Account), strings.Compare(l.Outlet, o.Outlet),
		strings.Compare(l.Booking, o.Booking))
}
