package store

import (
	"context"
	"database/sql"
	"fmt"
)

// holdUnanswered keeps an intent open until the transaction ends. ErrAnswered:
// it was closed meanwhile.
func (s Scoped) holdUnanswered(ctx context.Context, tx *sql.Tx, intent string) error {
	res, err := tx.ExecContext(ctx, `
		UPDATE intent
		SET lease = lease
		WHERE account = $1 AND id = $2 AND open = 1`,
		s.account, intent)
	if err != nil {
		return fmt.Errorf("look whether %s is answered: %w", intent, err)
	}
	if n, err := res.RowsAffected(); err != nil || n == 0 {
		return ErrAnswered
	}
	return nil
}

// ForgoBooking closes an intent to book of which the supplier knows nothing, and
// says so in words. If it was one of many that was left unanswered, it is open
// again in its batch, for whoever works on that to decide what becomes of it.
func (s Scoped) ForgoBooking(ctx context.Context, intent, why string) error {
	return s.write(ctx, func(tx *sql.Tx) error {
		if err := s.closeIntent(ctx, tx, intent, why); err != nil {
			return err
		}
		batches, err := selectAll(ctx, tx, column[string], `
			SELECT batch
			FROM batch_item
			WHERE account = $1 AND booking = $2 AND state = 'unanswered'`,
			s.account, intent)
		if err != nil {
			return fmt.Errorf("look for what %s is one of: %w", intent, err)
		}
		for _, batch := range batches {
			if err := s.reopenItem(ctx, tx, batch, intent); err != nil {
				return fmt.Errorf("go on with one of batch %s: %w", batch, err)
			}
		}
		return nil
	}, Batches)
}

// reopenItem takes the outcome of an item back. A batch that had nothing left
// to do can be taken at once.
func (s Scoped) reopenItem(ctx context.Context, tx *sql.Tx, batch, booking string) error {
	if _, err := tx.ExecContext(ctx, `
		UPDATE batch
		SET lease = CASE WHEN pending = 0 THEN 0 ELSE lease END, pending = pending + 1
		WHERE account = $1 AND id = $2`,
		s.account, batch); err != nil {
		return err
	}
	_, err := tx.ExecContext(ctx, `
		UPDATE batch_item
		SET state = 'open', outcome = ''
		WHERE account = $1 AND batch = $2 AND booking = $3`,
		s.account, batch, booking)
	return err
}

// RenewItem puts an item in the place of one that is open, under a booking
// identifier that no supplier was told of yet. It reports whether it did:
// another process may have settled or renewed that one.
func (s Scoped) RenewItem(ctx context.Context, batch, booking string, fresh BatchItem) (done bool, err error) {
	err = s.write(ctx, func(tx *sql.Tx) error {
		if _, err := tx.ExecContext(ctx, `
			UPDATE batch
			SET pending = pending
			WHERE account = $1 AND id = $2`,
			s.account, batch); err != nil {
			return fmt.Errorf("hold batch %s: %w", batch, err)
		}
		res, err := tx.ExecContext(ctx, `
			INSERT INTO batch_item (account, batch, booking, place, member, doc, state, outcome)
			SELECT account, batch, $4, place, member, $5, state, ''
			FROM batch_item
			WHERE account = $1 AND batch = $2 AND booking = $3 AND state = 'open'`,
			s.account, batch, booking, fresh.Booking, string(fresh.Doc))
		if err != nil {
			return fmt.Errorf("renew one of batch %s: %w", batch, err)
		}
		n, err := res.RowsAffected()
		if done = n == 1; err != nil || !done {
			return err
		}
		if _, err := tx.ExecContext(ctx, `
			DELETE FROM batch_item
			WHERE account = $1 AND batch = $2 AND booking = $3`,
			s.account, batch, booking); err != nil {
			return fmt.Errorf("renew one of batch %s: %w", batch, err)
		}
		return nil
	}, BatchTopic(batch))
	return done, err
}
