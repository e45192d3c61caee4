package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"gangway/internal/gangway"
)

// A DeliveryQueue is the deliveries of one booking to one outlet, leased to one worker. They leave
// one after another, in the order of the booking's actions. Its table is called lane. Of an outlet that
// gets actions together it is those of all bookings, see DeliveryBatch.
type DeliveryQueue struct {
	Scope   gangway.Scope
	Outlet  string
	Booking string
	Tries   int       // failed tries of its oldest delivery
	FirstAt time.Time // of the first of them
	holder  string    // who took it: once another worker has taken it, nothing can be written for it
	life    *life     // of the replica that took it
}

// Held reports whether no other replica can have been given the queue: nothing may be sent from it
// otherwise. It asks nobody, so it can be asked right before a document leaves.
func (l DeliveryQueue) Held() bool { return l.life.lasts() }

// ErrQueueLost says that the queue was given back and another worker may have it. Nothing was
// written.
var ErrQueueLost = errors.New("another worker has taken the queue")

// TakeQueues takes up to n queues whose oldest delivery is due, across all accounts but at most each of
// one outlet. It skips the outlets in busy, those that are switched off or paused, and those whose
// customer asked for quiet. A queue stays with the caller until it is released, however long that takes: only
// when this replica has stopped do the others give it back. until is for those who look at the
// database.
func (db *DB) TakeQueues(ctx context.Context, now, until time.Time, n, each int,
	busy []string) ([]DeliveryQueue, error) {
	ctx = withLongWork(ctx)
	life, lasts, err := db.presence.here(ctx)
	if err != nil || !lasts {
		return nil, err
	}
	holder := life.holder()
	args := []any{millis(now), millis(until), holder, each, n}
	pass := ""
	if len(busy) > 0 {
		places := make([]string, len(busy))
		for i, outlet := range busy {
			args = append(args, outlet)
			places[i] = fmt.Sprintf("$%d", len(args))
		}
		pass = " AND o.id NOT IN (" + strings.Join(places, ", ") + ")"
	}
	scan := func(row scanner) (DeliveryQueue, error) {
		l := DeliveryQueue{holder: holder, life: life}
		var first int64
		err := row.Scan(&l.Scope.Account, &l.Outlet, &l.Booking, &l.Tries, &first)
		l.FirstAt = instant(first)
		return l, err
	}
	var taken []DeliveryQueue
	committing := false
	err = db.write(ctx, func(tx *sql.Tx) (err error) {
		committing = false
		if err := db.takes.giveBack(ctx, tx); err != nil {
			return err
		}
		if taken, err = selectAll(ctx, tx, scan, db.dialect.takeQueues(pass), args...); err != nil {
			return fmt.Errorf("take due queues: %w", err)
		}
		committing = true
		return nil
	})
	if err != nil {
		if committing {
			db.noteUnheard(err, holder)
		}
		return nil, err
	}
	return taken, nil
}

// unheardFor is for how long a commit that was not heard of may still come through: nothing that this process has asked
// of PostgreSQL goes on for so long.
const unheardFor = 5 * time.Minute

// takes remembers who took queues if it is not known whether they were taken: PostgreSQL went away, or took too long,
// before it answered. As this replica goes on living, nobody else would ever give them back. Each take gives them back,
// for a while, as such a commit may come through after the next take.
type takes struct {
	mu      sync.Mutex
	unheard []unheardTake // in the order of time
}

type unheardTake struct {
	holder string
	at     time.Time
}

// noteUnheard notes that a holder may have taken queues, although committing that has ended with an error: only
// PostgreSQL may commit what it has not answered.
func (db *DB) noteUnheard(err error, holder string) {
	if db.dialect != postgres || db.dialect.retryable(err) {
		return
	}
	db.takes.mu.Lock()
	defer db.takes.mu.Unlock()
	db.takes.unheard = append(db.takes.unheard, unheardTake{holder, time.Now()})
}

// giveBack releases the queues of holders that were not heard of lately.
func (t *takes) giveBack(ctx context.Context, tx *sql.Tx) error {
	t.mu.Lock()
	t.unheard = slices.DeleteFunc(t.unheard, func(u unheardTake) bool { return time.Since(u.at) > unheardFor })
	holders := make([]string, len(t.unheard))
	for i, u := range t.unheard {
		holders[i] = u.holder
	}
	t.mu.Unlock()
	if len(holders) == 0 {
		return nil
	}
	if _, err := tx.ExecContext(ctx, `
		UPDATE lane
		SET lease = 0, holder = ''
		WHERE pending > 0 AND lease > 0 AND holder = ANY(CAST($1 AS TEXT[]))`, holders); err != nil {
		return fmt.Errorf("give back what was taken unheard: %w", err)
	}
	return nil
}

// takeQueues is the statement of TakeQueues. For each outlet it reads only the queues that are due
// first, by index, so that a customer with a hundred thousand queues does not slow down the others.
// On PostgreSQL a replica skips rows that another is just taking; MATERIALIZED keeps the planner
// from running the subquery twice. On SQLite CROSS JOIN keeps it from going through all queues there
// ever were.
func (d dialect) takeQueues(pass string) string {
	if d == postgres {
		return `
			WITH due AS MATERIALIZED (
				SELECT l.account, l.outlet, l.booking
				FROM outlet o
				CROSS JOIN LATERAL (
					SELECT account, outlet, booking
					FROM lane
					WHERE account = o.account AND outlet = o.id AND pending > 0 AND due <= $1 AND lease = 0
					ORDER BY due
					LIMIT $4
					FOR UPDATE SKIP LOCKED) l
				WHERE o.off = 0 AND o.paused = 0 AND o.held_until <= $1` + pass + `
				LIMIT $5)
			UPDATE lane
			SET lease = $2, holder = $3
			FROM due
			WHERE lane.account = due.account AND lane.outlet = due.outlet AND lane.booking = due.booking
			RETURNING lane.account, lane.outlet, lane.booking, lane.tries, lane.first_at`
	}
	return `
		UPDATE lane
		SET lease = $2, holder = $3
		WHERE (account, outlet, booking) IN (
			SELECT o.account, o.id, l.booking
			FROM outlet o
			CROSS JOIN lane l
			WHERE o.off = 0 AND o.paused = 0 AND o.held_until <= $1` + pass + ` AND l.account = o.account AND l.outlet = o.id
				AND l.booking IN (
					SELECT booking
					FROM lane
					WHERE account = o.account AND outlet = o.id AND pending > 0 AND due <= $1 AND lease = 0
					ORDER BY due
					LIMIT $4)
			LIMIT $5)
		RETURNING account, outlet, booking, tries, first_at`
}

// MakeQueuesDue makes everything that waits for a retry due, in all accounts, because the clock that said when was
// set back.
func (db *DB) MakeQueuesDue(ctx context.Context, now time.Time) error {
	ctx = withLongWork(ctx)
	return db.write(ctx, func(tx *sql.Tx) error {
		if _, err := tx.ExecContext(ctx, `UPDATE lane SET due = $1 WHERE pending > 0 AND due > $1`,
			millis(now)); err != nil {
			return fmt.Errorf("make queues due: %w", err)
		}
		return nil
	}, Deliveries)
}

// ReleaseQueue releases a queue without having delivered anything.
func (s Scoped) ReleaseQueue(ctx context.Context, l DeliveryQueue) error {
	return s.write(ctx, func(tx *sql.Tx) error { return s.release(ctx, tx, l) })
}

func (s Scoped) release(ctx context.Context, tx *sql.Tx, l DeliveryQueue) error {
	// The queue is locked before what waits in it is counted: who is putting something into it would not be waited for
	// otherwise, and that not be counted.
	var held int
	err := tx.QueryRowContext(ctx, `
		SELECT 1
		FROM lane
		WHERE account = $1 AND outlet = $2 AND booking = $3 AND holder = $4`+s.db.dialect.forUpdate(),
		s.account, l.Outlet, l.Booking, l.holder).Scan(&held)
	if errors.Is(err, sql.ErrNoRows) {
		return ErrQueueLost
	}
	if err != nil {
		return fmt.Errorf("lock queue: %w", err)
	}
	of := `d.booking = lane.booking`
	if l.Together() {
		of = `d.account = lane.account`
	}
	return s.releaseQueue(ctx, tx, l, `pending = (
		SELECT count(*)
		FROM delivery d
		WHERE d.account = lane.account AND d.outlet = lane.outlet AND `+of+` AND d.state = 'due')`)
}

// ReleaseQueues is ReleaseQueue for queues of one outlet. Those that were lost are left out.
func (s Scoped) ReleaseQueues(ctx context.Context, list []DeliveryQueue) error {
	list = slices.SortedFunc(slices.Values(list), DeliveryQueue.compare) // as everybody locks them
	return s.write(ctx, func(tx *sql.Tx) error {
		for _, l := range list {
			if err := s.release(ctx, tx, l); err != nil && err != ErrQueueLost {
				return err
			}
		}
		return nil
	})
}

// releaseQueue sets columns of the queue and releases it.
func (s Scoped) releaseQueue(ctx context.Context, tx *sql.Tx, l DeliveryQueue, set string, args ...any) error {
	res, err := tx.ExecContext(ctx, `
		UPDATE lane
		SET lease = 0, holder = '', `+set+`
		WHERE account = $1 AND outlet = $2 AND booking = $3 AND holder = $4`,
		append([]any{s.account, l.Outlet, l.Booking, l.holder}, args...)...)
	if err != nil {
		return fmt.Errorf("release queue: %w", err)
	}
	if n, err := res.RowsAffected(); err != nil || n != 1 {
		return ErrQueueLost
	}
	return nil
}

// FreeQueues gives back all queues on SQLite, when a process begins that has the database to itself:
// whoever held them is dead. On PostgreSQL the replicas do that for each other, see presence.
func (db *DB) FreeQueues(ctx context.Context) error {
	ctx = withLongWork(ctx)
	if db.dialect == postgres {
		return nil
	}
	return db.write(ctx, func(tx *sql.Tx) error {
		if _, err := tx.ExecContext(ctx, `UPDATE lane SET lease = 0, holder = '' WHERE lease > 0`); err != nil {
			return fmt.Errorf("free queues: %w", err)
		}
		return nil
	}, Deliveries)
}
