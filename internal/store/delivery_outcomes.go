package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"gangway/internal/gangway"
)

// An Outcome is what a worker has done with a queue. Without results it gives the queue back, or renews its lease.
type Outcome struct {
	Queue   DeliveryQueue
	At      time.Time        // when it was done
	Results []Result         // what became of the deliveries that were next
	Failure *DeliveryFailure // what the failed try of all of them leads to; nil: none failed
	Keep    bool             // the worker keeps the queue for another QueueLease

	// What Settle tells.
	More bool  // something waits in the queue
	Off  bool  // the failure has switched the outlet off
	Err  error // ErrQueueLost among others
}

// A Result is what became of one delivery.
type Result struct {
	Delivery
	State   string   // "due", "done" or "parked"
	Attempt *Attempt // nil: it was not tried
	Made    []byte   // the body, if the outlet's mapping has just made it
	Later   bool     // it waits for another batch
}

// A DeliveryFailure says what to do after a failed attempt.
type DeliveryFailure struct {
	Park  bool      // it is no longer retried by itself, and later deliveries go ahead
	Next  time.Time // otherwise: when it is tried next
	Probe time.Time // when the outlet is tried at the latest, even if everything there is due later
	Quiet time.Time // the customer wants nothing before then; zero: it did not say
	Off   string    // why the outlet is switched off; empty: it is not
	Ours  bool      // it says nothing of the customer's system, and counts as no try
}

// resultColumns are a Result as the statements of Settle are given it.
var resultColumns = givenColumns{{"of_account", textColumn}, {"of_outlet", textColumn}, {"of_booking", textColumn},
	{"number", numberColumn}, {"becomes", textColumn}, {"ended_at", numberColumn}, {"tries_more", numberColumn},
	{"made", textColumn}, {"is_later", numberColumn}}

// givenAttempts are the tries of results as the statement of Settle is given them.
var givenAttempts = givenColumns{{"of_account", textColumn}, {"of_outlet", textColumn}, {"of_booking", textColumn},
	{"number", numberColumn}, {"tried_at", numberColumn}, {"took", numberColumn}, {"code", numberColumn},
	{"said", textColumn}}

// outcomeColumns are an Outcome as the statements of Settle are given it.
var outcomeColumns = givenColumns{{"of_account", textColumn}, {"of_outlet", textColumn}, {"of_queue", textColumn},
	{"held_by", textColumn}, {"tried", numberColumn}, {"first_tried", numberColumn}, {"next_due", numberColumn},
	{"kept", numberColumn}, {"waits", numberColumn}}

// heldQueues locks the queues of outcomes that their workers still have.
func (d dialect) heldQueues(outcomes string) string {
	return `
		SELECT l.account, l.outlet, l.booking
		FROM ` + outcomes + ` g
		CROSS JOIN lane l
		WHERE l.account = g.of_account AND l.outlet = g.of_outlet AND l.booking = g.of_queue AND l.holder = g.held_by
		ORDER BY l.account, l.outlet, l.booking` + d.forChange("l")
}

// changeDeliveries asks whether a delivery is due in a way that no index answers: the index of those that are due would
// be read from its beginning for each.
func changeDeliveries(results string) string {
	return `
		UPDATE delivery
		SET state = g.becomes, done_at = g.ended_at, attempts = attempts + g.tries_more,
			body = CASE g.made WHEN '' THEN body ELSE g.made END,
			batch = CASE g.is_later WHEN 1 THEN '' ELSE batch END
		FROM ` + results + ` g
		WHERE account = g.of_account AND outlet = g.of_outlet AND booking = g.of_booking AND seq = g.number
			AND CASE state WHEN 'due' THEN 1 ELSE 0 END = 1`
}

func writeAttempts(attempts string) string {
	return `
		INSERT INTO attempt (account, outlet, booking, seq, at, took_ms, status, answer)
		SELECT g.of_account, g.of_outlet, g.of_booking, g.number, g.tried_at, g.took, g.code, g.said
		FROM ` + attempts + ` g
		WHERE true
		ON CONFLICT DO NOTHING`
}

// advanceQueues looks again whether anything waits, so that an outcome which is recorded twice does no harm. Of a queue
// of all bookings it is told.
func (d dialect) advanceQueues(outcomes string) string {
	return `
		UPDATE lane
		SET pending = CASE WHEN g.waits = 1 OR g.waits < 0 AND EXISTS (
				SELECT 1
				FROM delivery d
				WHERE d.account = lane.account AND d.outlet = lane.outlet AND d.booking = lane.booking
					AND CASE d.state WHEN 'due' THEN 1 ELSE 0 END = 1) THEN 1 ELSE 0 END,
			tries = CASE WHEN g.next_due < 0 THEN tries ELSE g.tried END,
			first_at = CASE WHEN g.next_due < 0 THEN first_at ELSE g.first_tried END,
			due = CASE WHEN g.next_due < 0 THEN due ELSE g.next_due END,
			lease = CASE g.kept WHEN 1 THEN ` + d.leaseEnd() + ` ELSE 0 END,
			holder = CASE g.kept WHEN 1 THEN holder ELSE '' END
		FROM ` + outcomes + ` g
		WHERE account = g.of_account AND outlet = g.of_outlet AND booking = g.of_queue AND holder = g.held_by
		RETURNING account, outlet, booking, pending`
}

// Settle records what workers have done with queues, each of another queue, in one transaction: what that costs on
// disk is shared by all of them. It locks the outlets that failed and then the queues, each in one order.
func (db *DB) Settle(ctx context.Context, list ...*Outcome) {
	inOrder := func(a, b *Outcome) int { return a.Queue.key().compare(b.Queue.key()) }
	list = slices.SortedFunc(slices.Values(list), inOrder)
	until := time.Now().Add(QueueLease) // before the database's own clock is read
	err := db.write(ctx, func(tx *sql.Tx) error { return db.settle(ctx, tx, list) })
	more := false
	for _, o := range list {
		switch {
		case err != nil && len(list) > 1 && !errors.Is(err, ErrAway): // one of them spoils it for the others
			db.Settle(ctx, o)
		case err != nil:
			o.Err = err
		case o.Keep && o.Err == nil:
			o.Queue.lease.Extend(until)
		default:
			more = more || o.More
		}
		if errors.Is(o.Err, ErrQueueLost) {
			o.Queue.lease.Extend(time.Time{}) // nothing more is sent from it
		}
	}
	for i, o := range list {
		if account := o.Queue.Scope.Account; err == nil && (i == 0 || list[i-1].Queue.Scope.Account != account) {
			db.tell(account)
		}
	}
	if more {
		db.wakes.wake(Deliveries)
	}
}

func (db *DB) settle(ctx context.Context, tx *sql.Tx, list []*Outcome) (err error) {
	of := make(map[queueKey]*Outcome, len(list))
	rows := make([][]any, 0, len(list))
	for _, o := range list {
		o.Err, o.More, o.Off = ErrQueueLost, false, false
		of[o.Queue.key()] = o
		rows = append(rows, o.row(time.Time{}, lookWhatWaits))
		if o.Failure != nil {
			if o.Off, err = db.In(o.Queue.Scope).outletFailed(ctx, tx, o); err != nil {
				return err
			}
		}
	}
	key := func(row scanner) (k queueKey, err error) { return k, row.Scan(&k.Account, &k.Outlet, &k.Booking) }
	for part := range db.dialect.parts(rows) {
		outcomes, args := db.dialect.given(outcomeColumns, part)
		held, err := selectAll(ctx, tx, key, db.dialect.heldQueues(outcomes), args...)
		if err != nil {
			return fmt.Errorf("lock queues: %w", err)
		}
		for _, k := range held {
			of[k].Err = nil
		}
	}
	held := slices.DeleteFunc(slices.Clone(list), func(o *Outcome) bool { return o.Err != nil })
	for _, o := range list {
		if o.Err != nil && o.Failure != nil {
			return o.Err // also what was written of the outlet
		}
	}
	if err := db.writeResults(ctx, tx, held); err != nil {
		return err
	}
	if err := db.moveQueues(ctx, tx, held, of); err != nil {
		return err
	}
	for _, o := range held {
		if o.Failure != nil {
			if err := db.In(o.Queue.Scope).keepTrying(ctx, tx, o.Queue, o.Failure.Probe); err != nil {
				return err
			}
		}
	}
	return nil
}

// writeResults writes what became of deliveries.
func (db *DB) writeResults(ctx context.Context, tx *sql.Tx, list []*Outcome) error {
	var results, attempts [][]any
	for _, o := range list {
		for _, r := range o.Results {
			key := []any{o.Queue.Scope.Account, o.Queue.Outlet, r.Booking.ID, int64(r.Seq)}
			var ended time.Time
			if a := r.Attempt; a != nil {
				attempts = append(attempts, append(slices.Clip(key), millis(a.At), a.Took.Milliseconds(),
					int64(a.Status), storedAnswer(*a)))
				if r.State == "done" {
					ended = a.At.Add(a.Took)
				}
			}
			results = append(results, append(key, r.State, millis(ended), int64(truthValue(r.Attempt != nil)),
				string(r.Made), int64(truthValue(r.Later))))
		}
	}
	for part := range db.dialect.parts(results) {
		given, args := db.dialect.given(resultColumns, part)
		if _, err := tx.ExecContext(ctx, changeDeliveries(given), args...); err != nil {
			return fmt.Errorf("write deliveries: %w", err)
		}
	}
	for part := range db.dialect.parts(attempts) {
		given, args := db.dialect.given(givenAttempts, part)
		if _, err := tx.ExecContext(ctx, writeAttempts(given), args...); err != nil {
			return fmt.Errorf("write attempts: %w", err)
		}
	}
	return nil
}

// moveQueues gives queues back, or renews their leases, and says of each whether something waits in it.
func (db *DB) moveQueues(ctx context.Context, tx *sql.Tx, list []*Outcome, of map[queueKey]*Outcome) error {
	rows := make([][]any, len(list))
	for i, o := range list {
		next, waits := o.At, lookWhatWaits
		if o.Queue.Together() {
			var some bool
			var err error
			if next, some, err = db.In(o.Queue.Scope).nextTogether(ctx, tx, o.Queue, o.At); err != nil {
				return err
			}
			waits = truthValue(some)
		}
		rows[i] = o.row(next, waits)
	}
	for part := range db.dialect.parts(rows) {
		outcomes, args := db.dialect.given(outcomeColumns, part)
		err := eachRow(ctx, tx, db.dialect.advanceQueues(outcomes), args, func(row scanner) error {
			var k queueKey
			var pending int
			err := row.Scan(&k.Account, &k.Outlet, &k.Booking, &pending)
			if err == nil {
				of[k].More = pending > 0
			}
			return err
		})
		if err != nil {
			return fmt.Errorf("advance queues: %w", err)
		}
	}
	return nil
}

// advances reports whether what was next in the queue is over.
func (o *Outcome) advances() bool {
	return !o.Keep && len(o.Results) > 0 && (o.Failure == nil || o.Failure.Park)
}

// lookWhatWaits has advanceQueues look whether something waits in a queue.
const lookWhatWaits = -1

// row is an Outcome as the statements of Settle are given it. next is when a queue that advances is due, waits whether
// something waits in it: 0, 1 or lookWhatWaits.
func (o *Outcome) row(next time.Time, waits int) []any {
	tries, first, due := o.Queue.Tries, o.Queue.FirstAt, int64(-1)
	switch f := o.Failure; {
	case o.advances():
		tries, first, due = 0, time.Time{}, millis(next)
	case f != nil && f.Ours:
		due = millis(f.Next)
	case f != nil:
		tries, due = tries+1, millis(f.Next)
		if first.IsZero() {
			first = o.At
		}
	}
	l := o.Queue
	return []any{l.Scope.Account, l.Outlet, l.Booking, l.lease.Holder, int64(tries), millis(first), due,
		int64(truthValue(o.Keep)), int64(waits)}
}

// outletFailed notes a failed try with its outlet. off reports whether that has switched the outlet off. The outlet's
// row is locked before its queues, so that failures of one outlet are handled one after another: each sees when the
// queues of the earlier ones are due. What was refused before, and is again, says nothing new of an outlet that has
// accepted others meanwhile.
func (s Scoped) outletFailed(ctx context.Context, tx *sql.Tx, o *Outcome) (off bool, err error) {
	l, f := o.Queue, o.Failure
	news := !f.Ours && (l.Tries == 0 || !slices.ContainsFunc(o.Results, func(r Result) bool {
		return r.Attempt != nil && r.Attempt.Status != 0
	}))
	_, err = tx.ExecContext(ctx, `
		UPDATE outlet
		SET failing_since = CASE WHEN failing_since = 0 AND $5 = 1 THEN CAST($3 AS BIGINT) ELSE failing_since END,
			held_until = CASE WHEN held_until < $4 THEN CAST($4 AS BIGINT) ELSE held_until END
		WHERE account = $1 AND id = $2`,
		s.account, l.Outlet, millis(o.At), millis(f.Quiet), truthValue(news))
	if err != nil {
		return false, fmt.Errorf("write failure of outlet %s: %w", l.Outlet, err)
	}
	if f.Off == "" {
		return false, nil
	}
	n, err := changed(tx.ExecContext(ctx, `
		UPDATE outlet
		SET off = 1, off_reason = $3
		WHERE account = $1 AND id = $2 AND off = 0`,
		s.account, l.Outlet, f.Off))
	if err != nil || n == 0 { // of the pushes under way one switches it off
		return false, wrapf(err, "switch outlet %s off", l.Outlet)
	}
	return true, s.record(ctx, tx, gangway.AuditEntry{
		At: o.At, By: gangway.BySystem(), What: gangway.OutletOff,
		Before: map[string]any{"outlet": l.Outlet, "off": false},
		After:  map[string]any{"outlet": l.Outlet, "off": true, "reason": f.Off},
	})
}

// keepTrying makes a queue due at probe, unless the outlet is tried by then anyway.
func (s Scoped) keepTrying(ctx context.Context, tx *sql.Tx, l DeliveryQueue, probe time.Time) error {
	_, err := tx.ExecContext(ctx, `
		UPDATE lane
		SET due = $4
		WHERE account = $1 AND outlet = $2 AND booking = $3 AND pending > 0 AND due > $4 AND NOT EXISTS (
			SELECT 1
			FROM lane o
			WHERE o.account = $1 AND o.outlet = $2 AND o.booking <> $3 AND o.pending > 0 AND o.due <= $4)`,
		s.account, l.Outlet, l.Booking, millis(probe))
	return wrapf(err, "keep trying outlet %s", l.Outlet)
}

// storedAnswer is the answer as it is stored: PostgreSQL has neither NUL nor invalid UTF-8 in a text.
func storedAnswer(a Attempt) string {
	return strings.ToValidUTF8(strings.ReplaceAll(a.Answer, "\x00", ""), "\uFFFD")
}
