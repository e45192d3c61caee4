package store

import (
	"context"
	"database/sql"
	"fmt"
	"time"
)

// aheadOf returns by how much an account's clock is ahead of real time.
func aheadOf(ctx context.Context, q querier, account string) (time.Duration, error) {
	var ms int64
	err := q.QueryRowContext(ctx, `SELECT ahead FROM account WHERE id = $1`, account).Scan(&ms)
	if err != nil {
		return 0, notFoundOr(err, "there is no such account")
	}
	return time.Duration(ms) * time.Millisecond, nil
}

// MoveClock moves the account's clock forward, from where it is by now, and returns the database as the
// account sees it from then on. Several who do it at once add up. Denied and Conflict: it has no sandbox.
func (s Scoped) MoveClock(ctx context.Context, by time.Duration) (Scoped, error) {
	err := s.write(ctx, func(tx *sql.Tx) error {
		if err := s.lockAccount(ctx, tx); err != nil {
			return err
		}
		account, err := scanAccount(tx.QueryRowContext(ctx, accounts+`a.id = $1`, s.account))
		if err != nil {
			return notFoundOr(err, "there is no such account")
		}
		if s.ahead, err = account.ForwardBy(by); err != nil {
			return err
		}
		if _, err := tx.ExecContext(ctx, `
			UPDATE account
			SET ahead = $2
			WHERE id = $1`,
			s.account, s.ahead.Milliseconds()); err != nil {
			return fmt.Errorf("move the clock of account %s: %w", s.account, err)
		}
		return nil
	}, Work)
	return s, err
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
		if err != nil {
			return fmt.Errorf("take booking %s: %w", id, err)
		}
		return nil
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
	if err != nil {
		return nil, fmt.Errorf("take the intents of account %s: %w", s.account, err)
	}
	return taken, nil
}
