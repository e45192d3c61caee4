package store

import (
	"context"
	"database/sql"
	"fmt"
	"time"

	"gangway"
)

// PauseOutlet stops an outlet for a while, or has it go on: what happens meanwhile waits. Nothing is recorded where
// it is so already. NotFound: there is no such outlet.
func (s Scoped) PauseOutlet(ctx context.Context, by gangway.Actor, name string, paused bool, at time.Time) error {
	return s.write(ctx, func(tx *sql.Tx) error {
		if err := s.lockAccount(ctx, tx); err != nil {
			return err
		}
		old, err := s.outlet(ctx, tx, name)
		if err != nil || old.Paused == paused {
			return err
		}
		_, err = tx.ExecContext(ctx, `
			UPDATE outlet
			SET paused = $3
			WHERE account = $1 AND id = $2`,
			s.account, old.ID, truthValue(paused))
		if err != nil {
			return fmt.Errorf("pause outlet %s: %w", old.ID, err)
		}
		if !paused {
			if err := s.makeQueuesDue(ctx, tx, old.ID, at); err != nil {
				return err
			}
		}
		now := old.Outlet
		now.Paused = paused
		return s.record(ctx, tx, gangway.AuditEntry{At: at, By: by, What: gangway.OutletSet,
			Before: outletDetails(old.Outlet), After: outletDetails(now)})
	}, Deliveries)
}

// ChangeOutletSecrets replaces the signing secrets of an outlet by what change makes of them, newest first; two
// that do so at the same time wait for each other.
func (s Scoped) ChangeOutletSecrets(ctx context.Context, by gangway.Actor, id string,
	change func(old []string) ([]string, error), at time.Time) error {
	return s.write(ctx, func(tx *sql.Tx) error {
		if err := s.lockAccount(ctx, tx); err != nil {
			return err
		}
		old, err := s.outletSecrets(ctx, tx, id)
		if err != nil {
			return err
		}
		secrets, err := change(old)
		if err != nil {
			return err
		}
		sealed, err := s.sealOutletSecrets(id, secrets)
		if err != nil {
			return err
		}
		_, err = tx.ExecContext(ctx, `
			UPDATE outlet
			SET secrets = $3
			WHERE account = $1 AND id = $2`,
			s.account, id, sealed)
		if err != nil {
			return fmt.Errorf("change secrets of outlet %s: %w", id, err)
		}
		return s.record(ctx, tx, gangway.AuditEntry{At: at, By: by, What: gangway.OutletRotated,
			After: map[string]any{"outlet": id, "signatures": len(secrets)}})
	})
}

// SpanDeliveries is how many deliveries an account may have in a span of time that is delivered again at once.
const SpanDeliveries = 10_000

// DeliveriesIn counts the deliveries to an outlet that were made from one time up to another and do not wait.
// Invalid: the account has more than SpanDeliveries in that time.
func (s Scoped) DeliveriesIn(ctx context.Context, outlet string, from, to time.Time) (n int, err error) {
	var all int
	err = s.db.reader.QueryRowContext(ctx, `
		SELECT count(*), coalesce(sum(CASE WHEN outlet = $2 AND state <> 'due' THEN 1 ELSE 0 END), 0)
		FROM (
			SELECT outlet, state
			FROM delivery
			WHERE account = $1 AND made_at >= $3 AND made_at < $4
			LIMIT $5) d`,
		s.account, outlet, millis(from), millis(to), SpanDeliveries+1).Scan(&all, &n)
	if err != nil {
		return 0, fmt.Errorf("count deliveries: %w", err)
	}
	if all > SpanDeliveries {
		return 0, gangway.Errorf(gangway.Invalid, "from and to must be so near to each other that there are at "+
			"most %d deliveries between them", SpanDeliveries)
	}
	return n, nil
}

// ReplaySpan delivers once more what was made for an outlet from one time up to another and does not wait, and
// returns how many deliveries that is. Invalid: as for DeliveriesIn.
func (s Scoped) ReplaySpan(ctx context.Context, by gangway.Actor, outlet string, from, to, now time.Time) (int, error) {
	if _, err := s.DeliveriesIn(ctx, outlet, from, to); err != nil {
		return 0, err
	}
	return s.replay(withLongWork(ctx), by, outlet, now, `state <> 'due' AND (booking, seq) IN (
		SELECT booking, seq
		FROM delivery
		WHERE account = $1 AND outlet = $2 AND made_at >= $3 AND made_at < $4
		LIMIT $5)`, millis(from), millis(to), SpanDeliveries)
}
