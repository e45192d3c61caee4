package store

import (
	"context"
	"database/sql"
	"fmt"
)

// holdUnanswered locks an open intent until the transaction ends. ErrAnswered: it
// was closed meanwhile.
func (s Scoped) holdUnanswered(ctx context.Context, tx *sql.Tx, intent string) error {
	n, err := changed(tx.ExecContext(ctx, `
		UPDATE intent
		SET lease = lease
		WHERE account = $1 AND id = $2 AND open = 1`,
		s.account, intent))
	if err == nil && n == 0 {
		return ErrAnswered
	}
	return wrapf(err, "read whether intent %s is open", intent)
}

// ForgoBooking closes an intent to book that the supplier knows nothing of; why
// says so in words. If it is an item of a batch that was left unanswered, the item
// is opened again, and whoever works on the batch decides what becomes of it.
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
			return fmt.Errorf("look for the batches of %s: %w", intent, err)
		}
		for _, batch := range batches {
			if err := s.reopenItem(ctx, tx, batch, intent); err != nil {
				return fmt.Errorf("reopen an item of batch %s: %w", batch, err)
			}
		}
		return nil
	}, Batches)
}

// reopenItem withdraws the outcome of an item. If its batch had nothing left to
// do, any process can take it at once.
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

// RenewItem replaces an open item by one with a booking identifier that no
// supplier has been told yet. It reports whether it did: another process may have
// settled or renewed the item.
func (s Scoped) RenewItem(ctx context.Context, batch, booking string, fresh BatchItem) (done bool, err error) {
	err = s.write(ctx, func(tx *sql.Tx) error {
		if _, err := tx.ExecContext(ctx, `
			UPDATE batch
			SET pending = pending
			WHERE account = $1 AND id = $2`,
			s.account, batch); err != nil {
			return fmt.Errorf("hold batch %s: %w", batch, err)
		}
		n, err := changed(tx.ExecContext(ctx, `
			INSERT INTO batch_item (account, batch, booking, place, member, doc, state, outcome)
			SELECT account, batch, $4, place, member, $5, state, ''
			FROM batch_item
			WHERE account = $1 AND batch = $2 AND booking = $3 AND state = 'open'`,
			s.account, batch, booking, fresh.Booking, string(fresh.Doc)))
		if done = n == 1; err != nil || !done {
			return wrapf(err, "renew an item of batch %s", batch)
		}
		_, err = tx.ExecContext(ctx, `
			DELETE FROM batch_item
			WHERE account = $1 AND batch = $2 AND booking = $3`,
			s.account, batch, booking)
		return wrapf(err, "renew an item of batch %s", batch)
	}, BatchTopic(batch))
	return done, err
}
