package store

import (
	"context"
	"database/sql"
	"fmt"
	"maps"
	"slices"
	"time"

	"gangway/internal/gangway"
)

// Replay delivers an action of a booking to an outlet once more. A mapping makes its body anew, and it has a new
// webhook-id: somebody wants it to arrive, and a receiver that knows the id drops it as a repeat. With was it is
// replayed only if that is its webhook-id: who saw it with another one did not see what became of it since.
// NotFound: the action was never meant for the outlet, still waits to be delivered, or has another webhook-id.
func (s Scoped) Replay(ctx context.Context, by gangway.Actor, outlet, booking string, seq int, was string,
	now time.Time) error {
	n, err := s.replay(ctx, by, outlet, now, map[string]any{"booking": booking, "action": seq},
		`booking = $3 AND seq = $4 AND (CAST($5 AS TEXT) = '' OR id = $5)`, booking, seq, was)
	if err == nil && n == 0 {
		return gangway.Errorf(gangway.NotFound, "there is nothing to deliver again")
	}
	return err
}

// ReplayAll delivers everything that is parked at an outlet once more, and returns how many
// deliveries that is.
func (s Scoped) ReplayAll(ctx context.Context, by gangway.Actor, outlet string, now time.Time) (int, error) {
	return s.replay(ctx, by, outlet, now, nil, `state = 'parked'`)
}

// replay delivers once more what a condition, with its values from $3 on, chooses of an outlet's deliveries and does
// not wait. about is what the audit log has beside the outlet and how many deliveries that is.
func (s Scoped) replay(ctx context.Context, by gangway.Actor, outlet string, now time.Time, about map[string]any,
	which string, args ...any) (n int, err error) {
	err = s.write(ctx, func(tx *sql.Tx) error {
		again, err := selectAll(ctx, tx, func(row scanner) (d replayed, err error) {
			return d, row.Scan(&d.booking, &d.seq, &d.was)
		}, `
			SELECT booking, seq, id
			FROM delivery
			WHERE account = $1 AND outlet = $2 AND state <> 'due' AND `+which+s.db.dialect.forUpdate(),
			append([]any{s.account, outlet}, args...)...)
		if err != nil {
			return fmt.Errorf("replay: %w", err)
		}
		if n = len(again); n == 0 {
			return nil
		}
		if err := s.renew(ctx, tx, outlet, again); err != nil {
			return fmt.Errorf("replay: %w", err)
		}
		if err := s.queueAgain(ctx, tx, outlet, again, now); err != nil {
			return err
		}
		details := map[string]any{"outlet": outlet, "deliveries": n}
		maps.Copy(details, about)
		return s.record(ctx, tx, gangway.AuditEntry{At: now, By: by, What: gangway.DeliveriesReplayed, After: details})
	}, Deliveries)
	return n, err
}

// A replayed delivery has another webhook-id than it was tried with.
type replayed struct {
	booking string
	seq     int64
	was     string // its webhook-id
}

// replayedColumns are a delivery as the statements of renew are given it.
var replayedColumns = givenColumns{{"of_account", textColumn}, {"of_outlet", textColumn}, {"of_booking", textColumn},
	{"number", numberColumn}, {"was", textColumn}}

// renew has deliveries wait with a new webhook-id. Their tries so far keep the one that they had, by which people look
// for them.
func (s Scoped) renew(ctx context.Context, tx *sql.Tx, outlet string, list []replayed) error {
	rows := gangway.Each(list, func(d replayed) []any { return []any{s.account, outlet, d.booking, d.seq, d.was} })
	for part := range s.db.dialect.parts(rows) {
		deliveries, args := s.db.dialect.given(replayedColumns, part)
		for _, statement := range []string{`
			UPDATE attempt
			SET webhook_id = g.was
			FROM ` + deliveries + ` g
			WHERE account = g.of_account AND outlet = g.of_outlet AND booking = g.of_booking AND seq = g.number
				AND webhook_id = ''`, `
			UPDATE delivery
			SET state = 'due', done_at = 0, batch = '', body = '', id = 'msg_' || ` + s.db.dialect.randomText() + `
			FROM ` + deliveries + ` g
			WHERE account = g.of_account AND outlet = g.of_outlet AND booking = g.of_booking AND seq = g.number`,
		} {
			if _, err := tx.ExecContext(ctx, statement, args...); err != nil {
				return err
			}
		}
	}
	return nil
}

// queueAgain puts deliveries into their queues, which are due now.
func (s Scoped) queueAgain(ctx context.Context, tx *sql.Tx, outlet string, list []replayed, now time.Time) error {
	o, err := s.batchOf(ctx, tx, outlet)
	if err != nil {
		return err
	}
	queues := map[string]bool{}
	for _, d := range list {
		queue, _ := queueOf(o, d.booking, now)
		queues[queue] = true
	}
	for _, queue := range slices.Sorted(maps.Keys(queues)) { // as everybody locks queues
		if err := s.enqueue(ctx, tx, outlet, queue, now, true); err != nil {
			return err
		}
	}
	return nil
}
