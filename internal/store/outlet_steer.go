package store

import (
	"context"
	"database/sql"
	"fmt"
	"time"

	"gangway/internal/gangway"
)

// PauseOutlet stops an outlet for a while: what happens meanwhile waits. Nothing is recorded where it is so already.
// NotFound: there is no such outlet.
func (s Scoped) PauseOutlet(ctx context.Context, by gangway.Actor, name string, at time.Time) error {
	return s.steer(ctx, by, name, at, func(tx *sql.Tx, o *gangway.Outlet) (changed bool, err error) {
		if o.Paused {
			return false, nil
		}
		o.Paused = true
		return true, s.setOutlet(ctx, tx, o.ID, `paused = 1`)
	})
}

// ResumeOutlet has an outlet go on that was paused or switched off, and tries what waits there now, whether it waits
// for its next try or for a time that the customer's system asked for. Nothing is recorded where nothing waited for
// any of these. NotFound: there is no such outlet.
func (s Scoped) ResumeOutlet(ctx context.Context, by gangway.Actor, name string, at time.Time) error {
	return s.resume(ctx, by, name, at, gangway.Outlet.CheckResume)
}

// OutletTested switches on an outlet that was off until it accepted a test booking.
func (s Scoped) OutletTested(ctx context.Context, by gangway.Actor, name string, at time.Time) error {
	return s.resume(ctx, by, name, at, func(o gangway.Outlet) error {
		if !o.Untested() {
			return gangway.Errorf(gangway.Conflict, "outlet %s was changed while it was tested", name)
		}
		return nil
	})
}

func (s Scoped) resume(ctx context.Context, by gangway.Actor, name string, at time.Time,
	check func(gangway.Outlet) error) error {
	ctx = withLongWork(ctx) // much may wait
	return s.steer(ctx, by, name, at, func(tx *sql.Tx, o *gangway.Outlet) (changed bool, err error) {
		if err := check(*o); err != nil {
			return false, err
		}
		// The outlet's row first, as everybody locks it before its queues.
		if err := s.setOutlet(ctx, tx, o.ID, `paused = 0, off = 0, off_reason = '', held_until = 0`); err != nil {
			return false, err
		}
		changed, err = s.makeQueuesDue(ctx, tx, o.ID, at)
		changed = changed || o.Paused || o.Off || o.HeldUntil.After(at)
		o.Paused, o.Off, o.OffReason, o.HeldUntil = false, false, "", time.Time{}
		if err == nil && changed {
			err = s.setOutlet(ctx, tx, o.ID, `resumed_at = $3`, millis(at))
		}
		return changed, err
	})
}

// steer applies change to the account's outlet of a name, and records it in the audit log if it changed anything.
func (s Scoped) steer(ctx context.Context, by gangway.Actor, name string, at time.Time,
	change func(tx *sql.Tx, o *gangway.Outlet) (changed bool, err error)) error {
	return s.write(ctx, func(tx *sql.Tx) error {
		if err := s.lockAccount(ctx, tx); err != nil {
			return err
		}
		old, err := s.outlet(ctx, tx, name)
		if err != nil {
			return err
		}
		now := old.Outlet
		if changed, err := change(tx, &now); err != nil || !changed {
			return err
		}
		entry := gangway.AuditEntry{At: at, By: by, What: gangway.OutletSet, Before: outletDetails(old.Outlet),
			After: outletDetails(now)}
		if !now.Paused {
			entry.After["tried_now"] = true // since what may be shown may be the same as before
		}
		return s.record(ctx, tx, entry)
	}, Deliveries)
}

// setOutlet sets columns of an outlet.
func (s Scoped) setOutlet(ctx context.Context, tx *sql.Tx, id, columns string, values ...any) error {
	_, err := tx.ExecContext(ctx, `
		UPDATE outlet
		SET `+columns+`
		WHERE account = $1 AND id = $2`,
		append([]any{s.account, id}, values...)...)
	return wrapf(err, "steer outlet %s", id)
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

const (
	// SpanDeliveries is how many deliveries an outlet may have in a span of time that is delivered again at once.
	SpanDeliveries = 10_000

	// spanRead is how many deliveries to all of the account's outlets may be in such a span, so that looking for
	// those of one takes no longer than a page may. They are read from one index, and nothing else of them is.
	spanRead = 500_000
)

// inSpan are the deliveries to the outlet $2 that were made from $3 up to $4 and do not wait. An index of outlets by
// time would cost each delivery more than it is worth to the few spans.
const inSpan = `
	FROM (
		SELECT outlet, booking, seq
		FROM delivery
		WHERE account = $1 AND made_at >= $3 AND made_at < $4
		ORDER BY made_at, booking, seq, outlet
		LIMIT $5) s
	CROSS JOIN delivery d
	WHERE s.outlet = $2 AND d.account = $1 AND d.outlet = $2 AND d.booking = s.booking AND d.seq = s.seq
		AND d.state <> 'due'
	LIMIT $6`

// DeliveriesIn counts the deliveries to an outlet that were made from one time up to another and do not wait.
// Invalid: these are more than SpanDeliveries, or all outlets had too many in that time.
func (s Scoped) DeliveriesIn(ctx context.Context, outlet string, from, to time.Time) (n int, err error) {
	var all int
	err = s.db.reader.QueryRowContext(ctx, `
		SELECT count(*)
		FROM (
			SELECT 1
			FROM delivery
			WHERE account = $1 AND made_at >= $2 AND made_at < $3
			LIMIT $4) d`,
		s.account, millis(from), millis(to), spanRead+1).Scan(&all)
	if err == nil && all <= spanRead {
		err = s.db.reader.QueryRowContext(ctx, `
			SELECT count(*)
			FROM (SELECT d.id`+inSpan+`) c`,
			s.account, outlet, millis(from), millis(to), spanRead, SpanDeliveries+1).Scan(&n)
	}
	if err != nil {
		return 0, fmt.Errorf("count deliveries: %w", err)
	}
	found, most, whose := n, SpanDeliveries, "this outlet"
	if all > spanRead {
		found, most, whose = all, spanRead, "all outlets"
	}
	if found > most {
		return 0, gangway.Errorf(gangway.Invalid, "from and to must be so near to each other that there "+
			"are at most %d deliveries to %s between them", most, whose)
	}
	return n, nil
}

// ReplaySpan delivers once more what was made for an outlet from one time up to another and does not wait, and
// returns how many deliveries that is. Invalid: as for DeliveriesIn.
func (s Scoped) ReplaySpan(ctx context.Context, by gangway.Actor, outlet string, from, to, now time.Time) (int, error) {
	if _, err := s.DeliveriesIn(ctx, outlet, from, to); err != nil {
		return 0, err
	}
	return s.replay(withLongWork(ctx), by, outlet, now,
		map[string]any{"from": from.UTC().Format(time.RFC3339), "to": to.UTC().Format(time.RFC3339)},
		`(booking, seq) IN (SELECT d.booking, d.seq`+inSpan+`)`, millis(from), millis(to), spanRead, SpanDeliveries)
}
