package store

import (
	"context"
	"database/sql"
	"fmt"
	"time"
)

// A place from which somebody has signed in is familiar for half a year; each
// person has at most the newest 20.
const (
	familiarLife = 180 * 24 * time.Hour
	familiarMost = 20
)

// Familiar reports for each of the places, which are hashes of networks or of
// browsers' marks, whether the person has signed in from it.
func (db *DB) Familiar(ctx context.Context, person string, at time.Time, places ...string) ([]bool, error) {
	known := make([]bool, len(places))
	for i, place := range places {
		err := db.reader.QueryRowContext(ctx, `
			SELECT count(*) > 0
			FROM familiar
			WHERE person = $1 AND place = $2 AND seen_at > $3`,
			person, place, millis(at.Add(-familiarLife))).Scan(&known[i])
		if err != nil {
			return nil, fmt.Errorf("read where user %s has signed in from: %w", person, err)
		}
	}
	return known, nil
}

// MakeFamiliar notes from where the person has signed in, and deletes places that
// are no longer familiar.
func (db *DB) MakeFamiliar(ctx context.Context, person string, at time.Time, places ...string) error {
	return db.write(ctx, func(tx *sql.Tx) error {
		for _, place := range places {
			if _, err := tx.ExecContext(ctx, `
				INSERT INTO familiar (person, place, seen_at)
				VALUES ($1, $2, $3)
				ON CONFLICT (person, place) DO UPDATE
				SET seen_at = excluded.seen_at`,
				person, place, millis(at)); err != nil {
				return fmt.Errorf("note where user %s has signed in from: %w", person, err)
			}
		}
		_, err := tx.ExecContext(ctx, `
			DELETE FROM familiar
			WHERE person = $1 AND (seen_at <= $2 OR place NOT IN (
				SELECT place
				FROM familiar
				WHERE person = $1
				ORDER BY seen_at DESC, place
				LIMIT $3))`,
			person, millis(at.Add(-familiarLife)), familiarMost)
		return wrapf(err, "delete old places user %s has signed in from", person)
	})
}
