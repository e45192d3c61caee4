package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"time"

	"gangway"
)

// Pulls are kept to be asked for again, and answered in parts that fit into memory.
//
// Decided: docs/choices.md, "Pull (A5)".
const (
	pullKept    = 30 * 24 * time.Hour
	pullActions = 5000
)

// A PulledBooking is a booking as it was after the last of the actions, and the actions.
type PulledBooking struct {
	Booking gangway.Booking
	Actions []gangway.Action
}

// BeginPull gathers the actions that no pull has handed out under the pull id,
// which must be new. They are handed out for good by EndPull; when that does
// not come before the lease ends, they come again. Bookings that another pull
// is still writing are left to a later one, so that their actions stay in order.
func (s Scoped) BeginPull(ctx context.Context, id string, now, lease time.Time) ([]PulledBooking, error) {
	err := s.db.write(ctx, func(tx *sql.Tx) error {
		// Pulls of one account begin one after another.
		if _, err := tx.ExecContext(ctx, `UPDATE account SET settings = settings WHERE id = $1`, s.account); err != nil {
			return fmt.Errorf("begin pull: %w", err)
		}
		_, err := tx.ExecContext(ctx, `
			UPDATE action
			SET pull = ''
			WHERE account = $1 AND pull IN (SELECT id FROM pull WHERE account = $1 AND written = 0 AND lease <= $2)`,
			s.account, millis(now))
		if err != nil {
			return fmt.Errorf("take back what was never written: %w", err)
		}
		_, err = tx.ExecContext(ctx, `
			DELETE FROM pull
			WHERE account = $1 AND (written = 0 AND lease <= $2 OR created_at <= $3)`,
			s.account, millis(now), millis(now.Add(-pullKept)))
		if err != nil {
			return fmt.Errorf("forget old pulls: %w", err)
		}
		_, err = tx.ExecContext(ctx, `
			INSERT INTO pull (account, id, created_at, written, lease)
			VALUES ($1, $2, $3, 0, $4)`,
			s.account, id, millis(now), millis(lease))
		if err != nil {
			return fmt.Errorf("begin pull: %w", err)
		}
		_, err = tx.ExecContext(ctx, fmt.Sprintf(`
			UPDATE action
			SET pull = $2
			WHERE account = $1 AND (booking, seq) IN (
				SELECT booking, seq
				FROM action
				WHERE account = $1 AND pull = '' AND booking NOT IN (
					SELECT a.booking
					FROM action a
					JOIN pull p ON p.account = a.account AND p.id = a.pull
					WHERE a.account = $1 AND p.written = 0)
				ORDER BY at, booking, seq
				LIMIT %d)`, pullActions),
			s.account, id)
		if err != nil {
			return fmt.Errorf("gather actions: %w", err)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return s.pulled(ctx, s.db.writer, `pull = $2`, id)
}

// EndPull says whether the whole answer of a pull was written. If not, its
// actions come with the next pull.
func (s Scoped) EndPull(ctx context.Context, id string, written bool) error {
	return s.db.write(ctx, func(tx *sql.Tx) error {
		if written {
			if _, err := tx.ExecContext(ctx, `UPDATE pull SET written = 1 WHERE account = $1 AND id = $2`, s.account, id); err != nil {
				return fmt.Errorf("end pull %s: %w", id, err)
			}
			return nil
		}
		if _, err := tx.ExecContext(ctx, `UPDATE action SET pull = '' WHERE account = $1 AND pull = $2`, s.account, id); err != nil {
			return fmt.Errorf("take back pull %s: %w", id, err)
		}
		if _, err := tx.ExecContext(ctx, `DELETE FROM pull WHERE account = $1 AND id = $2`, s.account, id); err != nil {
			return fmt.Errorf("take back pull %s: %w", id, err)
		}
		return nil
	})
}

// Pull returns what a pull of the last 30 days handed out. NotFound: there was
// none, or its answer was not written and its actions have gone to another.
func (s Scoped) Pull(ctx context.Context, id string, now time.Time) ([]PulledBooking, error) {
	var created int64
	err := s.db.reader.QueryRowContext(ctx, `
		SELECT created_at
		FROM pull
		WHERE account = $1 AND id = $2 AND created_at > $3`,
		s.account, id, millis(now.Add(-pullKept))).Scan(&created)
	if err != nil {
		return nil, one(err, "there was no such pull in the last 30 days")
	}
	return s.pulled(ctx, s.db.reader, `pull = $2`, id)
}

// Modified returns every booking with an action after from, with all its actions after it.
func (s Scoped) Modified(ctx context.Context, from time.Time) ([]PulledBooking, error) {
	return s.pulled(ctx, s.db.reader, `at > $2`, from.UnixMilli())
}

// pulled returns the actions that which selects, by booking. Bookings are
// ordered by the time of their latest action, actions by their number.
func (s Scoped) pulled(ctx context.Context, q querier, which string, arg any) ([]PulledBooking, error) {
	rows, err := q.QueryContext(ctx, `
		SELECT booking, seq, name, at, by_whom,
			CASE WHEN seq = max(seq) OVER (PARTITION BY booking) THEN snapshot ELSE '' END,
			max(at) OVER (PARTITION BY booking) AS latest
		FROM action
		WHERE account = $1 AND `+which+`
		ORDER BY latest, booking, seq`,
		s.account, arg)
	if err != nil {
		return nil, fmt.Errorf("read actions: %w", err)
	}
	defer rows.Close()
	var list []PulledBooking
	last := ""
	for rows.Next() {
		var a gangway.Action
		var booking, snapshot string
		var at, latest int64
		if err := rows.Scan(&booking, &a.Seq, &a.Name, &at, &a.By, &snapshot, &latest); err != nil {
			return nil, fmt.Errorf("read actions: %w", err)
		}
		a.At = instant(at)
		if booking != last {
			list, last = append(list, PulledBooking{}), booking
		}
		p := &list[len(list)-1]
		p.Actions = append(p.Actions, a)
		if snapshot != "" {
			if err := json.Unmarshal([]byte(snapshot), &p.Booking); err != nil {
				return nil, fmt.Errorf("read snapshot of booking %s: %w", booking, err)
			}
		}
	}
	return list, rows.Err()
}
