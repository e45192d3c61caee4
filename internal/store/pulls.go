package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"gangway"
)

// pullKept is how long a pull can be asked for again.
//
// Decided: docs/choices.md, "Pull (A5)".
const pullKept = 30 * 24 * time.Hour

// A PulledBooking is a booking and some of its actions, oldest first.
type PulledBooking struct {
	Booking string
	Actions []gangway.Action
}

// BeginPull gathers under the pull id, which must be new, the actions that no
// pull has handed out; found is false when there are none, and then no pull
// was begun. EndPull hands them out for good. When that does not come before
// the lease ends, they come again.
//
// A booking that another pull is still writing is left to a later one, so that
// no action overtakes an earlier one of its booking.
func (s Scoped) BeginPull(ctx context.Context, id string, now, lease time.Time) (found bool, err error) {
	// Customers ask every few seconds, mostly for nothing: that writes nothing.
	err = s.db.reader.QueryRowContext(ctx, `
		SELECT EXISTS (
				SELECT 1
				FROM action
				WHERE account = $1 AND pull = '')
			OR EXISTS (
				SELECT 1
				FROM pull
				WHERE account = $1 AND written = 0 AND lease <= $2)`,
		s.account, millis(now)).Scan(&found)
	if err != nil || !found {
		return false, err
	}
	err = s.db.write(ctx, func(tx *sql.Tx) error {
		// Pulls of one account begin one after another.
		if err := s.lockAccount(ctx, tx); err != nil {
			return err
		}
		if err := s.dropPulls(ctx, tx, now); err != nil {
			return err
		}
		res, err := tx.ExecContext(ctx, `
			UPDATE action
			SET pull = $2
			WHERE account = $1 AND pull = '' AND booking NOT IN (
				SELECT a.booking
				FROM pull p
				JOIN action a ON a.account = p.account AND a.pull = p.id
				WHERE p.account = $1 AND p.written = 0)`,
			s.account, id)
		if err != nil {
			return fmt.Errorf("gather actions: %w", err)
		}
		n, err := res.RowsAffected()
		if found = n > 0; err != nil || !found {
			return err
		}
		_, err = tx.ExecContext(ctx, `
			INSERT INTO pull (account, id, created_at, written, lease)
			VALUES ($1, $2, $3, 0, $4)`,
			s.account, id, millis(now), millis(lease))
		if err != nil {
			return fmt.Errorf("begin pull: %w", err)
		}
		return nil
	})
	return found && err == nil, err
}

// dropPulls takes back the actions of pulls whose answer was not written, and
// forgets pulls that are too old to be asked for.
func (s Scoped) dropPulls(ctx context.Context, tx *sql.Tx, now time.Time) error {
	_, err := tx.ExecContext(ctx, `
		UPDATE action
		SET pull = ''
		WHERE account = $1 AND pull IN (
			SELECT id
			FROM pull
			WHERE account = $1 AND written = 0 AND lease <= $2)`,
		s.account, millis(now))
	if err != nil {
		return fmt.Errorf("take back what was not written: %w", err)
	}
	_, err = tx.ExecContext(ctx, `
		DELETE FROM pull
		WHERE account = $1 AND (written = 0 AND lease <= $2 OR written = 1 AND created_at <= $3)`,
		s.account, millis(now), millis(now.Add(-pullKept)))
	if err != nil {
		return fmt.Errorf("forget pulls: %w", err)
	}
	return nil
}

// HoldPull puts off the end of a pull's lease while its answer is still being
// written. Conflict: the lease has ended and its actions have gone to another pull.
func (s Scoped) HoldPull(ctx context.Context, id string, lease time.Time) error {
	return s.db.write(ctx, func(tx *sql.Tx) error {
		res, err := tx.ExecContext(ctx, `
			UPDATE pull
			SET lease = $3
			WHERE account = $1 AND id = $2 AND written = 0`,
			s.account, id, millis(lease))
		if err != nil {
			return fmt.Errorf("hold pull %s: %w", id, err)
		}
		if n, err := res.RowsAffected(); err != nil || n != 1 {
			return gangway.Errorf(gangway.Conflict, "the pull took too long, and another has its actions")
		}
		return nil
	})
}

// EndPull says whether the whole answer of a pull was written. If not, its
// actions come with the next pull; until then it can still be asked for.
func (s Scoped) EndPull(ctx context.Context, id string, written bool) error {
	return s.db.write(ctx, func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, `
			UPDATE pull
			SET written = $3, lease = 0
			WHERE account = $1 AND id = $2 AND written = 0`,
			s.account, id, yes(written))
		if err != nil {
			return fmt.Errorf("end pull %s: %w", id, err)
		}
		return nil
	})
}

// Pull returns what a pull of the last 30 days handed out, in the order of
// Modified. NotFound: there was none, or its answer was not written and its
// actions came with another.
func (s Scoped) Pull(ctx context.Context, id string, now time.Time) ([]PulledBooking, error) {
	var created int64
	err := s.db.reader.QueryRowContext(ctx, `
		SELECT created_at
		FROM pull
		WHERE account = $1 AND id = $2 AND created_at > $3`,
		s.account, id, millis(now.Add(-pullKept))).Scan(&created)
	if err != nil {
		return nil, one(err, "there was no such pull in the last 30 days, or its answer was not written and its actions come with another")
	}
	return s.pulled(ctx, `pull = $2`, id)
}

// Modified returns every booking with an action after from, with all its
// actions after it. Bookings are ordered by the time of their latest action.
func (s Scoped) Modified(ctx context.Context, from time.Time) ([]PulledBooking, error) {
	after := from.UnixMilli()
	if from.Truncate(time.Millisecond) != from {
		after-- // instants are kept to the millisecond: rather one twice than one not at all
	}
	return s.pulled(ctx, `at > $2`, after)
}

func (s Scoped) pulled(ctx context.Context, which string, arg any) ([]PulledBooking, error) {
	rows, err := s.db.reader.QueryContext(ctx, `
		SELECT booking, seq, name, at, by_whom, max(at) OVER (PARTITION BY booking) AS latest
		FROM action
		WHERE account = $1 AND `+which+`
		ORDER BY latest, booking, seq`,
		s.account, arg)
	if err != nil {
		return nil, fmt.Errorf("read actions: %w", err)
	}
	defer rows.Close()
	var list []PulledBooking
	for rows.Next() {
		var a gangway.Action
		var booking string
		var at, latest int64
		if err := rows.Scan(&booking, &a.Seq, &a.Name, &at, &a.By, &latest); err != nil {
			return nil, fmt.Errorf("read actions: %w", err)
		}
		a.At = instant(at)
		if len(list) == 0 || list[len(list)-1].Booking != booking {
			list = append(list, PulledBooking{Booking: booking})
		}
		p := &list[len(list)-1]
		p.Actions = append(p.Actions, a)
	}
	return list, rows.Err()
}

// Snapshots returns each booking of list as it was right after the last of the
// actions there, in the order of list, which must not be longer than a few hundred.
func (s Scoped) Snapshots(ctx context.Context, list []PulledBooking) ([]gangway.Booking, error) {
	if len(list) == 0 {
		return nil, nil
	}
	places, args, at := make([]string, len(list)), []any{s.account}, make(map[string]int, len(list))
	for i, p := range list {
		places[i] = fmt.Sprintf("($%d, CAST($%d AS INTEGER))", len(args)+1, len(args)+2)
		args = append(args, p.Booking, p.Actions[len(p.Actions)-1].Seq)
		at[p.Booking] = i
	}
	rows, err := s.db.reader.QueryContext(ctx, `
		WITH wanted (booking, seq) AS (VALUES `+strings.Join(places, ", ")+`)
		SELECT a.booking, a.snapshot
		FROM wanted w
		JOIN action a ON a.account = $1 AND a.booking = w.booking AND a.seq = w.seq`,
		args...)
	if err != nil {
		return nil, fmt.Errorf("read snapshots: %w", err)
	}
	defer rows.Close()
	bookings, read := make([]gangway.Booking, len(list)), 0
	for ; rows.Next(); read++ {
		var id, snapshot string
		if err := rows.Scan(&id, &snapshot); err != nil {
			return nil, fmt.Errorf("read snapshots: %w", err)
		}
		if err := json.Unmarshal([]byte(snapshot), &bookings[at[id]]); err != nil {
			return nil, fmt.Errorf("read snapshot of booking %s: %w", id, err)
		}
	}
	if err := rows.Err(); err != nil {
		return nil, fmt.Errorf("read snapshots: %w", err)
	}
	if read != len(list) {
		return nil, fmt.Errorf("read snapshots: %d of %d are there", read, len(list))
	}
	return bookings, nil
}
