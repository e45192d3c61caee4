package store

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"time"

	"gangway/internal/gangway"
	"gangway/internal/store/internal/lease"
)

// A DeliveryQueue is the deliveries of one booking to one outlet, leased to one worker. They leave one after another,
// in the order of the booking's actions. Its table is called lane. An outlet with batches has one queue for all
// bookings.
type DeliveryQueue struct {
	Scope   gangway.Scope
	Outlet  string
	Booking string    // empty: all bookings of an outlet with batches
	Tries   int       // failed tries of its oldest delivery
	FirstAt time.Time // of the first of them
	lease   *lease.Lease
}

// QueueLease is how long a queue's owner may be silent before another worker takes the queue. An owner that works
// longer renews the lease.
const QueueLease = 15 * time.Second

// Together reports whether a queue has the actions of all bookings, for an outlet with batches.
func (l DeliveryQueue) Together() bool { return l.Booking == "" }

// Held reports whether the lease lasts: nothing may be sent from the queue otherwise. It asks nobody, so it can be
// asked right before a document leaves.
func (l DeliveryQueue) Held() bool { return l.lease.Lasts(0) }

// HeldFor reports whether the lease lasts for that long.
func (l DeliveryQueue) HeldFor(d time.Duration) bool { return l.lease.Lasts(d) }

// A queueKey identifies a queue.
type queueKey struct{ Account, Outlet, Booking string }

func (l DeliveryQueue) key() queueKey { return queueKey{l.Scope.Account, l.Outlet, l.Booking} }

// compare is the order in which everybody locks queues.
func (k queueKey) compare(o queueKey) int {
	return cmp.Or(strings.Compare(k.Account, o.Account), strings.Compare(k.Outlet, o.Outlet),
		strings.Compare(k.Booking, o.Booking))
}

// ErrQueueLost says that the lease has expired and another worker may have the queue. Nothing was written.
var ErrQueueLost = errors.New("another worker has taken the queue")

// TakeQueues leases up to n queues whose oldest delivery is due, across all accounts but at most each of one outlet.
// It skips the outlets in busy, those that are switched off or paused, and those whose customer asked for quiet.
func (db *DB) TakeQueues(ctx context.Context, now time.Time, n, each int, busy []string) ([]DeliveryQueue, error) {
	ctx = withLongWork(ctx)
	holder, until := lease.NewHolder(), time.Now().Add(QueueLease) // before the database's own clock is read
	args := []any{millis(now), holder, each, n}
	pass := ""
	if len(busy) > 0 {
		places := make([]string, len(busy))
		for i, outlet := range busy {
			args = append(args, outlet)
			places[i] = fmt.Sprintf("$%d", len(args))
		}
		pass = " AND o.id NOT IN (" + strings.Join(places, ", ") + ")"
	}
	var taken []DeliveryQueue
	err := db.write(ctx, func(tx *sql.Tx) (err error) {
		taken, err = selectAll(ctx, tx, func(row scanner) (DeliveryQueue, error) {
			l := DeliveryQueue{lease: lease.New(holder, until)}
			err := row.Scan(&l.Scope.Account, &l.Outlet, &l.Booking, &l.Tries, when(&l.FirstAt))
			return l, err
		}, db.dialect.takeQueues(pass), args...)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("take due queues: %w", err)
	}
	return taken, nil
}

// takeQueues is the statement of TakeQueues. For each outlet it reads only the queues that are due
// first, by index, so that a customer with a hundred thousand queues does not slow down the others.
// On PostgreSQL a replica skips rows that another is just taking; MATERIALIZED keeps the planner
// from running the subquery twice. On SQLite CROSS JOIN keeps it from going through all queues there
// ever were.
func (d dialect) takeQueues(pass string) string {
	due := `account = o.account AND outlet = o.id AND pending > 0 AND due <= $1 AND ` + d.unleased()
	if d == postgres {
		return `
			WITH due AS MATERIALIZED (
				SELECT l.account, l.outlet, l.booking
				FROM outlet o
				CROSS JOIN LATERAL (
					SELECT account, outlet, booking
					FROM lane
					WHERE ` + due + `
					ORDER BY due
					LIMIT $3
					FOR UPDATE SKIP LOCKED) l
				WHERE o.off = 0 AND o.paused = 0 AND o.held_until <= $1` + pass + `
				LIMIT $4)
			UPDATE lane
			SET lease = ` + d.leaseEnd() + `, holder = $2
			FROM due
			WHERE lane.account = due.account AND lane.outlet = due.outlet AND lane.booking = due.booking
			RETURNING lane.account, lane.outlet, lane.booking, lane.tries, lane.first_at`
	}
	return `
		UPDATE lane
		SET lease = ` + d.leaseEnd() + `, holder = $2
		WHERE (account, outlet, booking) IN (
			SELECT o.account, o.id, l.booking
			FROM outlet o
			CROSS JOIN lane l
			WHERE o.off = 0 AND o.paused = 0 AND o.held_until <= $1` + pass + ` AND l.account = o.account AND l.outlet = o.id
				AND l.booking IN (
					SELECT booking
					FROM lane
					WHERE ` + due + `
					ORDER BY due
					LIMIT $3)
			LIMIT $4)
		RETURNING account, outlet, booking, tries, first_at`
}

// leaseEnd is until when a queue is leased that is taken or held now, by the database's clock: replicas whose clocks
// differ do not take each other's queues.
func (d dialect) leaseEnd() string {
	return fmt.Sprintf(`%s + %d`, d.clock(), QueueLease.Milliseconds())
}

// unleased is the condition of a queue that nobody owns. A lease that ends in more than a minute was made before the
// database's clock was set back.
func (d dialect) unleased() string {
	return `lease NOT BETWEEN ` + d.clock() + ` + 1 AND ` + d.clock() + ` + 60000`
}

// enqueue notes that something waits in a queue. An empty queue becomes due; one that waits, for a retry or for its
// batch, keeps waiting unless anyway is set.
func (s Scoped) enqueue(ctx context.Context, tx *sql.Tx, outlet, queue string, due time.Time, anyway bool) error {
	_, err := tx.ExecContext(ctx, `
		INSERT INTO lane (account, outlet, booking, pending, due, tries, first_at, lease, holder)
		VALUES ($1, $2, $3, 1, $4, 0, 0, 0, '')
		ON CONFLICT (account, outlet, booking) DO UPDATE
		SET pending = 1, due = CASE WHEN lane.pending = 0 OR $5 = 1 THEN excluded.due ELSE lane.due END`,
		s.account, outlet, queue, millis(due), truthValue(anyway))
	return wrapf(err, "put delivery into its queue")
}

// lockQueues locks the queues that a condition chooses, in the order in which everybody locks queues, so that no two
// transactions wait for each other.
func (db *DB) lockQueues(ctx context.Context, tx *sql.Tx, which string, args ...any) error {
	if db.dialect != postgres {
		return nil
	}
	_, err := tx.ExecContext(ctx, `
		SELECT count(*)
		FROM (
			SELECT 1
			FROM lane
			WHERE `+which+`
			ORDER BY account, outlet, booking
			FOR NO KEY UPDATE) l`, args...)
	return wrapf(err, "lock queues")
}

// makeQueuesDue makes everything that waits for a retry at an outlet due now, and reports whether anything did. What
// fails again is tried again as after gangway.TriesForgiven.
func (s Scoped) makeQueuesDue(ctx context.Context, tx *sql.Tx, outlet string, now time.Time) (waited bool, err error) {
	const waiting = `account = $1 AND outlet = $2 AND pending > 0 AND due > $3 AND (booking <> '' OR tries > 0)`
	if err := s.db.lockQueues(ctx, tx, waiting, s.account, outlet, millis(now)); err != nil {
		return false, err
	}
	n, err := changed(tx.ExecContext(ctx, `
		UPDATE lane
		SET due = $3, tries = CASE WHEN tries > $4 THEN $4 ELSE tries END
		WHERE `+waiting,
		s.account, outlet, millis(now), gangway.TriesForgiven))
	return n > 0, wrapf(err, "make queues of outlet %s due", outlet)
}

// MakeQueuesDue makes everything that waits for a retry due, in all accounts, because the clock that said when was
// set back.
func (db *DB) MakeQueuesDue(ctx context.Context, now time.Time) error {
	ctx = withLongWork(ctx)
	return db.write(ctx, func(tx *sql.Tx) error {
		if err := db.lockQueues(ctx, tx, `pending > 0 AND due > $1`, millis(now)); err != nil {
			return err
		}
		_, err := tx.ExecContext(ctx, `UPDATE lane SET due = $1 WHERE pending > 0 AND due > $1`,
			millis(now))
		return wrapf(err, "make queues due")
	}, Deliveries)
}

// requeue puts what waits at an outlet into the queues that it has from now on, because it has batches now, or none
// any more.
func (s Scoped) requeue(ctx context.Context, tx *sql.Tx, o gangway.Outlet) error {
	queue := "booking"
	if o.Batch > 0 {
		queue = "''"
	}
	if err := s.db.lockQueues(ctx, tx, `account = $1 AND outlet = $2`, s.account, o.ID); err != nil {
		return err
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
		SELECT account, outlet, queue, 1, min(made_at) + CAST($3 AS BIGINT), 0, 0, 0, ''
		FROM (SELECT account, outlet, made_at, `+queue+` AS queue FROM delivery
			WHERE account = $1 AND outlet = $2 AND state = 'due') d
		GROUP BY account, outlet, queue`,
		s.account, o.ID, o.Batch.Milliseconds())
	return wrapf(err, "queue what waits at outlet %s anew", o.ID)
}
