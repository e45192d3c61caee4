package store

import (
	"context"
	"crypto/rand"
	"database/sql"
	"encoding/hex"
	"fmt"
)

// FormKeys returns the keys with which forms of the web application are signed,
// newest first. They are the same on all replicas and after a restart. They are
// derived from the operator's keys; without these, as on PostgreSQL without
// --secret-key-file, one is generated and stored in the database.
//
// Decided: docs/choices.md, "A booking's identifier and its offer".
func (db *DB) FormKeys(ctx context.Context) ([][]byte, error) {
	if db.sealer != nil {
		return db.sealer.Derive("gangway forms")
	}
	fresh := make([]byte, 32)
	rand.Read(fresh)
	kept := ""
	err := db.write(harmless(ctx), func(tx *sql.Tx) error {
		if _, err := tx.ExecContext(ctx, `
			INSERT INTO form_key (id, value)
			VALUES (1, $1)
			ON CONFLICT (id) DO NOTHING`,
			hex.EncodeToString(fresh)); err != nil {
			return fmt.Errorf("make a key for forms: %w", err)
		}
		return tx.QueryRowContext(ctx, `
			SELECT value
			FROM form_key
			WHERE id = 1`).Scan(&kept)
	})
	if err != nil {
		return nil, fmt.Errorf("read the key for forms: %w", err)
	}
	key, err := hex.DecodeString(kept)
	return [][]byte{key}, wrapf(err, "read the key for forms")
}
