package store

import (
	"context"
	"database/sql"
	"fmt"
	"time"

	"gangway"
)

// handoffLife is how long a hand-off waits for somebody to sign in.
//
// Decided: docs/choices.md, "Hand-off".
const handoffLife = time.Hour

// SaveHandoff keeps what a customer's browser application handed over, which
// belongs to no account until somebody claims it, and clears away those that
// nobody claimed in time.
func (db *DB) SaveHandoff(ctx context.Context, tokenHash string, doc []byte, at time.Time) error {
	return db.write(ctx, func(tx *sql.Tx) error {
		if _, err := tx.ExecContext(ctx, `
			DELETE FROM handoff
			WHERE created_at <= $1`,
			millis(at.Add(-handoffLife))); err != nil {
			return fmt.Errorf("clear hand-offs: %w", err)
		}
		if _, err := tx.ExecContext(ctx, `
			INSERT INTO handoff (token_hash, doc, created_at)
			VALUES ($1, $2, $3)`,
			tokenHash, string(doc), millis(at)); err != nil {
			return fmt.Errorf("save hand-off: %w", err)
		}
		return nil
	})
}

// ClaimHandoff takes a hand-off into the account: what read makes of it is
// saved as a search and the hand-off removed, so that nobody else can claim it.
// NotFound: it never was, is claimed already, or has waited too long.
func (s Scoped) ClaimHandoff(ctx context.Context, tokenHash string, now time.Time, read func(doc []byte) (gangway.Search, error)) (gangway.Search, error) {
	var search gangway.Search
	err := s.db.write(ctx, func(tx *sql.Tx) error {
		var doc []byte
		err := tx.QueryRowContext(ctx, `
			DELETE FROM handoff
			WHERE token_hash = $1 AND created_at > $2
			RETURNING doc`,
			tokenHash, millis(now.Add(-handoffLife))).Scan(&doc)
		if err != nil {
			return one(err, "this hand-off was used already, or is more than an hour old")
		}
		if search, err = read(doc); err != nil {
			return err
		}
		return s.saveSearch(ctx, tx, search)
	})
	return search, err
}
