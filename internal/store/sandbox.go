package store

import (
	"context"
	"database/sql"
	"fmt"
	"time"

	"gangway/internal/gangway"
)

// aheadOf returns by how much an account's clock is ahead of real time.
func aheadOf(ctx context.Context, q querier, account string) (time.Duration, error) {
	ms, err := column[int64](q.QueryRowContext(ctx, `SELECT ahead FROM account WHERE id = $1`, account))
	if err != nil {
		return 0, notFoundOr(err, "there is no such account")
	}
	return time.Duration(ms) * time.Millisecond, nil
}

// AdvanceClock has the account's clock go forward by d, from where the advance before ends, which is recorded;
// MoveClock takes it there, and several at once add up. It returns how far ahead of real time this one ends. Denied or
// Conflict: there is no sandbox. Invalid: a clock cannot go forward by d.
func (s Scoped) AdvanceClock(ctx context.Context, by gangway.Actor, d time.Duration, now time.Time) (to time.Duration,
	err error) {
	err = s.changeClock(ctx, func(tx *sql.Tx, account gangway.Account) error {
		from := account.ForwardFrom()
		var err error
		if to, err = account.ForwardBy(d); err != nil {
			return err
		}
		if _, err := tx.ExecContext(ctx, `
			UPDATE account
			SET ahead_to = $2
			WHERE id = $1`,
			s.account, to.Milliseconds()); err != nil {
			return fmt.Errorf("advance the clock of account %s: %w", s.account, err)
		}
		clock := func(ahead time.Duration) string { return s.At(ahead).Now(now).UTC().Format(time.RFC3339) }
		return s.record(ctx, tx, gangway.AuditEntry{At: now, By: by, What: gangway.SandboxAdvanced,
			Before: map[string]any{"ahead": from.String(), "clock": clock(from)},
			After:  map[string]any{"ahead": to.String(), "clock": clock(to), "by": (to - from).String()}})
	})
	return to, err
}

// MoveClock takes the account's clock so far ahead of real time as an advance is under way, to the millisecond, and
// never back. It returns the database as the account sees it from then on. Denied and Conflict: it has no sandbox.
func (s Scoped) MoveClock(ctx context.Context, ahead time.Duration) (Scoped, error) {
	err := s.changeClock(ctx, func(tx *sql.Tx, account gangway.Account) error {
		if err := account.AdmitsSandbox(); err != nil {
			return err
		}
		s.ahead = max(account.Ahead, min(ahead.Truncate(time.Millisecond), account.AheadTo))
		_, err := tx.ExecContext(ctx, `
			UPDATE account
			SET ahead = $2
			WHERE id = $1`,
			s.account, s.ahead.Milliseconds())
		return wrapf(err, "move the clock of account %s", s.account)
	})
	return s, err
}

// changeClock changes the account's clock, one who does it after the other.
func (s Scoped) changeClock(ctx context.Context, change func(*sql.Tx, gangway.Account) error) error {
	return s.write(ctx, func(tx *sql.Tx) error {
		if err := s.lockAccount(ctx, tx); err != nil {
			return err
		}
		account, err := scanAccount(tx.QueryRowContext(ctx, accounts+`a.id = $1`, s.account))
		if err != nil {
			return notFoundOr(err, "there is no such account")
		}
		return change(tx, account)
	}, Work)
}

// TakeNext takes the booking of the account whose check is due first, if that is at until or before, by
// the account's clock, and postpones its check: nobody else takes it in the meantime. NotFound: none is.
func (s Scoped) TakeNext(ctx context.Context, until time.Time, postpone time.Duration) (id string, at time.Time,
	err error) {
	err = s.write(ctx, func(tx *sql.Tx) error {
		var due int64
		err := tx.QueryRowContext(ctx, `
			SELECT id, check_at
			FROM booking
			WHERE account = $1 AND check_at > 0 AND check_at <= $2
			ORDER BY check_at, id
			LIMIT 1`,
			s.account, millis(until)).Scan(&id, &due)
		if err != nil {
			return notFoundOr(err, "no booking is due")
		}
		at = instant(due)
		_, err = tx.ExecContext(ctx, `
			UPDATE booking
			SET check_at = $4
			WHERE account = $1 AND id = $2 AND check_at = $3`,
			s.account, id, due, millis(at.Add(postpone)))
		return wrapf(err, "take booking %s", id)
	})
	return id, at, err
}

// TakeIntents takes the account's open intents, the latest of them and at most so many, as if the time of their leases
// had passed, and leases them until the given time.
func (s Scoped) TakeIntents(ctx context.Context, until time.Time, most int) (taken []Intent, err error) {
	err = s.write(ctx, func(tx *sql.Tx) error {
		taken = nil
		return eachRow(ctx, tx, `
			UPDATE intent
			SET lease = $2
			WHERE account = $1 AND id IN (
				SELECT id
				FROM intent
				WHERE account = $1 AND open = 1
				ORDER BY created_at DESC, id
				LIMIT $3)
			RETURNING `+intentColumns, []any{s.account, millis(until), most}, func(row scanner) error {
			i, _, err := scanIntent(row)
			taken = append(taken, i)
			return err
		})
	})
	return taken, wrapf(err, "take the intents of account %s", s.account)
}
