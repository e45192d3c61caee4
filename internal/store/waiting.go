package store

import (
	"context"
	"database/sql"
	"fmt"
	"time"

	"gangway/internal/gangway"
)

// awaitPull adds an action to those that wait to be pulled, after the earlier ones
// of its booking. While a pull with earlier ones is being written, the action
// waits for that pull to end.
func (s Scoped) awaitPull(ctx context.Context, tx *sql.Tx, booking string, a gangway.Action) error {
	_, err := tx.ExecContext(ctx, `
		INSERT INTO waiting (account, booking, from_seq, to_seq, since, latest)
		VALUES ($1, $2, $3, $3, $4, $4)
		ON CONFLICT (account, booking) DO UPDATE
		SET to_seq = excluded.to_seq,
			latest = CASE WHEN excluded.latest > waiting.latest THEN excluded.latest ELSE waiting.latest END`,
		s.account, booking, a.Seq, millis(a.At))
	return wrapf(err, "add action %d of booking %s to what is to be pulled", a.Seq, booking)
}

// PullWaits reports whether another pull would have anything to return. Customers
// ask every few seconds, mostly in vain, so this only reads.
func (s Scoped) PullWaits(ctx context.Context, now time.Time) (waits bool, err error) {
	err = s.db.reader.QueryRowContext(ctx, `
		SELECT EXISTS (
				SELECT 1
				FROM waiting
				WHERE account = $1 AND pull = '')
			OR EXISTS (
				SELECT 1
				FROM pull
				WHERE account = $1 AND written = 0 AND lease <= $2)`,
		s.account, millis(now)).Scan(&waits)
	return waits, wrapf(err, "look for actions to be pulled")
}

// takeWaiting assigns to the pull id the bookings that have waited longest, up to
// limit, each with all its waiting actions, in the order of their latest action.
// A booking that another pull is writing is left to a later one, so that no
// action overtakes an earlier one of its booking.
func (s Scoped) takeWaiting(ctx context.Context, tx *sql.Tx, id string, limit int) (bookings, actions int, err error) {
	// The update locks the rows, so an action that is being recorded is either in
	// them or comes after them. They are one range of one index, up to the last of
	// the first limit rows; PostgreSQL would plan a join by guessing how many wait.
	_, err = tx.ExecContext(ctx, `
		UPDATE waiting
		SET pull = $2, taken = to_seq
		WHERE account = $1 AND pull = '' AND (since, booking) <= (
			SELECT since, booking
			FROM (
				SELECT since, booking
				FROM waiting
				WHERE account = $1 AND pull = ''
				ORDER BY since, booking
				LIMIT $3) AS first
			ORDER BY since DESC, booking DESC
			LIMIT 1)`,
		s.account, id, limit)
	if err != nil {
		return 0, 0, fmt.Errorf("take what waits: %w", err)
	}
	_, err = tx.ExecContext(ctx, `
		INSERT INTO pull_booking (account, pull, place, booking, from_seq, to_seq)
		SELECT account, pull, row_number() OVER (ORDER BY latest, booking), booking, from_seq, to_seq
		FROM waiting
		WHERE account = $1 AND pull = $2`,
		s.account, id)
	if err != nil {
		return 0, 0, fmt.Errorf("collect the bookings of a pull: %w", err)
	}
	err = tx.QueryRowContext(ctx, `
		SELECT count(*), coalesce(sum(to_seq - from_seq + 1), 0)
		FROM pull_booking
		WHERE account = $1 AND pull = $2`,
		s.account, id).Scan(&bookings, &actions)
	return bookings, actions, wrapf(err, "count the actions of a pull")
}

// settleTaken removes for good what the pull id took from what waits. Actions
// since then wait for the next pull.
func (s Scoped) settleTaken(ctx context.Context, tx *sql.Tx, id string) error {
	_, err := tx.ExecContext(ctx, `
		DELETE FROM waiting
		WHERE account = $1 AND pull = $2 AND to_seq = taken`,
		s.account, id)
	if err != nil {
		return fmt.Errorf("settle what a pull took: %w", err)
	}
	_, err = tx.ExecContext(ctx, `
		UPDATE waiting
		SET pull = '', from_seq = taken + 1, since = latest
		WHERE account = $1 AND pull = $2`,
		s.account, id)
	return wrapf(err, "release what came after a pull")
}

// takeBack makes what unwritten pulls took wait again, and deletes these pulls.
func (s Scoped) takeBack(ctx context.Context, tx *sql.Tx, now time.Time) error {
	ids, err := s.pullIDs(ctx, tx, `written = 0 AND lease <= $2`, millis(now))
	if err != nil {
		return err
	}
	for _, id := range ids {
		_, err := tx.ExecContext(ctx, `
			UPDATE waiting
			SET pull = ''
			WHERE account = $1 AND pull = $2`,
			s.account, id)
		if err != nil {
			return fmt.Errorf("take back what a pull did not write: %w", err)
		}
		if err := s.forgetPull(ctx, tx, id); err != nil {
			return err
		}
	}
	return nil
}
