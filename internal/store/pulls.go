package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"gangway/internal/gangway"
)

// pullKept is how long a pull can be asked for again.
//
// Decided: docs/choices.md, "Pull (A5)".
const pullKept = 30 * 24 * time.Hour

// A Pull is a batch of actions that were returned under one name.
type Pull struct {
	ID        string
	CreatedAt time.Time
	Bookings  int
	Actions   int
	Open      bool // its answer was not written in full yet; if it never is, its actions go to another
}

// A PullAsk is what a customer asks for when it pulls.
type PullAsk struct {
	ID    string // the pull's name
	Named bool   // by the customer, who can ask for it again whatever becomes of the answer
	Limit int    // how many bookings at most
	Now   time.Time
	Lease time.Time // until when the answer of a pull without a customer's name may be being written
}

// BeginPull gathers the actions that wait to be pulled under the name ask.ID. found is false if
// none wait; then no pull was begun.
//
// A pull that the customer named keeps its actions for good; if one of that name exists already, it
// stays as it is. The actions of any other pull are returned again unless EndPull says before the
// lease ends that the answer was written.
func (s Scoped) BeginPull(ctx context.Context, ask PullAsk) (found bool, err error) {
	ctx = withLongWork(ctx) // a first pull takes thousands of bookings
	waits, err := s.PullWaits(ctx, ask.Now)
	if err != nil {
		return false, err
	}
	if !waits {
		// Checked afterwards: if another request has just begun the pull, it exists by now.
		_, err := s.Pull(ctx, ask.ID, ask.Now)
		if gangway.KindOf(err) == gangway.NotFound {
			return false, nil
		}
		return err == nil, err
	}
	err = s.write(ctx, func(tx *sql.Tx) error {
		found, err = s.beginPull(ctx, tx, ask)
		return err
	})
	return found && err == nil, err
}

func (s Scoped) beginPull(ctx context.Context, tx *sql.Tx, ask PullAsk) (found bool, err error) {
	// Pulls of one account begin one after another.
	if err := s.lockAccount(ctx, tx); err != nil {
		return false, err
	}
	_, err = s.pull(ctx, tx, ask.ID, ask.Now)
	if gangway.KindOf(err) != gangway.NotFound {
		return err == nil, err
	}
	if err := s.forgetPull(ctx, tx, ask.ID); err != nil { // the name is free again after 30 days
		return false, err
	}
	if err := s.takeBack(ctx, tx, ask.Now); err != nil {
		return false, err
	}
	if err := s.forgetOldPulls(ctx, tx, ask.Now); err != nil {
		return false, err
	}
	bookings, actions, err := s.takeWaiting(ctx, tx, ask.ID, ask.Limit)
	if err != nil || bookings == 0 {
		return false, err
	}
	_, err = tx.ExecContext(ctx, `
		INSERT INTO pull (account, id, number, created_at, bookings, actions, written, lease)
		VALUES ($1, $2, (SELECT coalesce(max(number), 0) + 1 FROM pull WHERE account = $1), $3, $4, $5, $6, $7)`,
		s.account, ask.ID, millis(ask.Now), bookings, actions, truthValue(ask.Named), millis(ask.Lease))
	if err != nil {
		return false, fmt.Errorf("begin pull: %w", err)
	}
	if ask.Named {
		return true, s.settleTaken(ctx, tx, ask.ID)
	}
	return true, nil
}

// forgetAtOnce is how many old pulls are deleted when one begins: more than one, so that their
// number goes down, but few, so that beginning a pull stays fast.
const forgetAtOnce = 3

// forgetOldPulls deletes pulls that are too old to be repeated.
func (s Scoped) forgetOldPulls(ctx context.Context, tx *sql.Tx, now time.Time) error {
	ids, err := s.pullIDs(ctx, tx, `written = 1 AND created_at <= $2`, millis(now.Add(-pullKept)))
	if err != nil {
		return err
	}
	for _, id := range ids[:min(len(ids), forgetAtOnce)] {
		if err := s.forgetPull(ctx, tx, id); err != nil {
			return err
		}
	}
	return nil
}

func (s Scoped) forgetPull(ctx context.Context, tx *sql.Tx, id string) error {
	_, err := tx.ExecContext(ctx, `
		DELETE FROM pull_booking
		WHERE account = $1 AND pull = $2`,
		s.account, id)
	if err != nil {
		return fmt.Errorf("delete the bookings of pull %s: %w", id, err)
	}
	_, err = tx.ExecContext(ctx, `
		DELETE FROM pull
		WHERE account = $1 AND id = $2`,
		s.account, id)
	return wrapf(err, "delete pull %s", id)
}

// pullIDs lists the first hundred pulls of a kind, oldest first.
func (s Scoped) pullIDs(ctx context.Context, tx *sql.Tx, which string, arg int64) ([]string, error) {
	ids, err := selectAll(ctx, tx, column[string], `
		SELECT id
		FROM pull
		WHERE account = $1 AND `+which+`
		ORDER BY number
		LIMIT 100`,
		s.account, arg)
	return ids, wrapf(err, "list pulls")
}

// HoldPull extends a pull's lease while its answer is still being written, and returns the new end.
// Every call returns a different end, so that of several requests writing the same answer the last
// caller holds the lease. Conflict: the lease has ended and the actions have gone to another pull.
func (s Scoped) HoldPull(ctx context.Context, id string, until time.Time) (lease time.Time, err error) {
	err = s.write(ctx, func(tx *sql.Tx) error {
		end, err := column[int64](tx.QueryRowContext(ctx, `
			UPDATE pull
			SET lease = CASE WHEN written = 1 THEN 0 WHEN lease >= $3 THEN lease + 1 ELSE $3 END
			WHERE account = $1 AND id = $2
			RETURNING lease`,
			s.account, id, millis(until)))
		if errors.Is(err, sql.ErrNoRows) {
			return ErrOtherPull
		}
		if err != nil {
			return fmt.Errorf("hold pull %s: %w", id, err)
		}
		lease = instant(end)
		return nil
	})
	return lease, err
}

// EndPull records that the whole answer of a pull was written: its actions stay with it from now
// on.
func (s Scoped) EndPull(ctx context.Context, id string) error {
	ctx = withLongWork(ctx)
	return s.write(ctx, func(tx *sql.Tx) error {
		n, err := changed(tx.ExecContext(ctx, `
			UPDATE pull
			SET written = 1, lease = 0
			WHERE account = $1 AND id = $2 AND written = 0`,
			s.account, id))
		if err != nil || n == 0 {
			return wrapf(err, "end pull %s", id)
		}
		return s.settleTaken(ctx, tx, id)
	})
}

// AbandonPull records that the holder of the lease has not written the whole answer. Unless another
// request is writing it too, the actions come with the next pull; until then the pull can still be
// repeated.
func (s Scoped) AbandonPull(ctx context.Context, id string, lease time.Time) error {
	err := s.exec(ctx, `
		UPDATE pull
		SET lease = 0
		WHERE account = $1 AND id = $2 AND written = 0 AND lease = $3`,
		s.account, id, millis(lease))
	return wrapf(err, "abandon pull %s", id)
}

// Pull returns a pull of the last 30 days. NotFound: there was none, or its answer was not written
// and its actions came with another pull.
func (s Scoped) Pull(ctx context.Context, id string, now time.Time) (Pull, error) {
	return s.pull(ctx, s.db.reader, id, now)
}

func (s Scoped) pull(ctx context.Context, q querier, id string, now time.Time) (Pull, error) {
	p, err := scanPull(q.QueryRowContext(ctx, `
		SELECT id, created_at, bookings, actions, written
		FROM pull
		WHERE account = $1 AND id = $2 AND created_at > $3`,
		s.account, id, millis(now.Add(-pullKept))))
	return p, noRowIs(ErrNoPull, err)
}

// Why a pull cannot be answered.
var (
	ErrNoPull = gangway.Errorf(gangway.NotFound, "there was no such pull in the last 30 days, or its answer was not "+
		"written and its actions come with another")
	ErrOtherPull = gangway.Errorf(gangway.Conflict, "the pull took too long, and another has its actions")
)

// Pulls returns the pulls of the last 30 days that were not empty, newest first, at most n.
func (s Scoped) Pulls(ctx context.Context, now time.Time, n int) ([]Pull, error) {
	list, err := selectAll(ctx, s.db.reader, scanPull, `
		SELECT id, created_at, bookings, actions, written
		FROM pull
		WHERE account = $1 AND created_at > $2
		ORDER BY number DESC
		LIMIT $3`,
		s.account, millis(now.Add(-pullKept)), n)
	return list, wrapf(err, "list pulls")
}

func scanPull(row scanner) (Pull, error) {
	var p Pull
	var written int
	err := row.Scan(&p.ID, when(&p.CreatedAt), &p.Bookings, &p.Actions, &written)
	p.Open = written == 0
	return p, err
}
