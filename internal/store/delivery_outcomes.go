package store

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/json"
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

// An outcomeRow is an Outcome as the statements of RecordDelivered read it.
type outcomeRow struct {
	Account string `json:"of_account"`
	Outlet  string `json:"of_outlet"`
	Booking string `json:"of_booking"`
	Holder  string `json:"held_by"`
	Seq     int    `json:"number"`
	At      int64  `json:"tried_at"`
	Done    int64  `json:"ended_at"`
	Until   int64  `json:"held_until"`
	Took    int64  `json:"took"`
	Status  int    `json:"code"`
	Answer  string `json:"said"`
}

// outcomeColumns are the columns of an outcomeRow as PostgreSQL has them.
const outcomeColumns = `of_account TEXT, of_outlet TEXT, of_booking TEXT, held_by TEXT, number INTEGER, ` +
	`tried_at BIGINT, ended_at BIGINT, held_until BIGINT, took BIGINT, code INTEGER, said TEXT`

// The statements of RecordDelivered, each with the outcomes as $1. That a delivery is due is asked in a way that
// no index answers: one of those that are due would be read from its beginning for each outcome.
func (d dialect) advanceQueues() string {
	return `
		UPDATE lane
		SET pending = pending - 1, tries = 0, first_at = 0, due = g.tried_at,
			lease = CASE WHEN pending > 1 THEN g.held_until ELSE 0 END,
			holder = CASE WHEN pending > 1 THEN holder ELSE '' END
		FROM ` + d.given(outcomeColumns) + ` g
		WHERE account = g.of_account AND outlet = g.of_outlet AND booking = g.of_booking AND holder = g.held_by
		RETURNING account, outlet, booking, pending`
}

func (d dialect) endDeliveries() string {
	return `
		UPDATE delivery
		SET state = 'done', done_at = g.ended_at, attempts = attempts + 1
		FROM ` + d.given(outcomeColumns) + ` g
		WHERE account = g.of_account AND outlet = g.of_outlet AND booking = g.of_booking AND seq = g.number
			AND CASE state WHEN 'due' THEN 1 ELSE 0 END = 1`
}

func (d dialect) writeAttempts() string {
	return `
		INSERT INTO attempt (account, outlet, booking, seq, at, took_ms, status, answer)
		SELECT g.of_account, g.of_outlet, g.of_booking, g.number, g.tried_at, g.took, g.code, g.said
		FROM ` + d.given(outcomeColumns) + ` g
		WHERE true
		ON CONFLICT DO NOTHING`
}

// given is the table of objects in the JSON array $1, whose members are columns. PostgreSQL takes any such table to
// have a hundred rows, and to be worth reading another from its beginning while that is small: a plan that it keeps
// when that has grown. Of a limit that it does not know yet it expects a tenth, and so of two a single row, for which
// the other is read by its key.
func (d dialect) given(columns string) string {
	if d == postgres {
		const unknown = ` LIMIT (SELECT 1000000)`
		return `(SELECT * FROM (SELECT * FROM json_to_recordset(CAST($1 AS JSON)) AS x (` + columns + `)` + unknown +
			`) y` + unknown + `)`
	}
	var members []string
	for column := range strings.SplitSeq(columns, ", ") {
		name, _, _ := strings.Cut(column, " ")
		members = append(members, "value ->> '"+name+"' AS "+name)
	}
	return `(SELECT ` + strings.Join(members, ", ") + ` FROM json_each($1))`
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
	rows := make([]outcomeRow, len(list))
	at := make(map[queueKey]int, len(list))
	for n, i := range order {
		o, a := list[i], list[i].Attempt
		rows[n] = outcomeRow{Account: o.Queue.Scope.Account, Outlet: o.Queue.Outlet, Booking: o.Queue.Booking,
			Holder: o.Queue.holder, Seq: o.Delivery.Seq, At: millis(a.At), Done: millis(a.At.Add(a.Took)),
			Until: millis(o.Until), Took: a.Took.Milliseconds(), Status: a.Status, Answer: storedAnswer(a)}
		at[o.Queue.key()] = n
	}
	return db.write(ctx, func(tx *sql.Tx) error {
		for i := range done {
			done[i] = Recorded{Err: ErrQueueLost}
		}
		doc, err := json.Marshal(rows)
		if err != nil {
			return fmt.Errorf("write outcomes: %w", err)
		}
		left, err := selectAll(ctx, tx, func(row scanner) (q queueLeft, err error) {
			return q, row.Scan(&q.Account, &q.Outlet, &q.Booking, &q.pending)
		}, db.dialect.advanceQueues(), string(doc))
		if err != nil {
			return fmt.Errorf("advance queues: %w", err)
		}
		var kept []outcomeRow
		for _, q := range left {
			n := at[q.queueKey]
			done[order[n]] = Recorded{More: q.pending > 0}
			kept = append(kept, rows[n])
		}
		if len(kept) == 0 {
			return nil
		}
		if len(kept) < len(rows) {
			if doc, err = json.Marshal(kept); err != nil {
				return fmt.Errorf("write outcomes: %w", err)
			}
		}
		res, err := tx.ExecContext(ctx, db.dialect.endDeliveries(), string(doc))
		if err != nil {
			return fmt.Errorf("write deliveries: %w", err)
		}
		if n, err := res.RowsAffected(); err != nil || int(n) != len(kept) {
			return errSettled
		}
		if _, err := tx.ExecContext(ctx, db.dialect.writeAttempts(), string(doc)); err != nil {
			return fmt.Errorf("write attempts: %w", err)
		}
		return nil
	})
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
