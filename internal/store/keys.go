package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"gangway"
)

// A Key is an API key as we keep it: enough to tell it from others, too little to use it.
type Key struct {
	ID        string
	Account   string
	Shown     string // its first characters, as in "gw_live_7Gd2…"
	CreatedAt time.Time
	RevokedAt time.Time
	UsedAt    time.Time // of a recent request, to the minute; zero if it was never used
}

// CreateKey adds a key to the account. hash is the SHA-256 of the whole key.
func (s Scoped) CreateKey(ctx context.Context, by gangway.Actor, k Key, hash string) error {
	return s.write(ctx, func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, `
			INSERT INTO api_key (id, account, shown, hash, created_at)
			VALUES ($1, $2, $3, $4, $5)`,
			k.ID, s.account, k.Shown, hash, millis(k.CreatedAt))
		if err != nil {
			return fmt.Errorf("create key %s: %w", k.ID, err)
		}
		return s.record(ctx, tx, gangway.AuditEntry{
			At: k.CreatedAt, By: by, What: gangway.KeyCreated, After: map[string]any{"key": k.ID, "begins": k.Shown},
		})
	})
}

// Keys lists the account's keys, oldest first, those that were revoked included.
func (s Scoped) Keys(ctx context.Context) ([]Key, error) {
	list, err := selectAll(ctx, s.db.reader, scanKey, `
		SELECT id, account, shown, created_at, revoked_at, used_at
		FROM api_key
		WHERE account = $1
		ORDER BY created_at, id`,
		s.account)
	if err != nil {
		return nil, fmt.Errorf("list keys: %w", err)
	}
	return list, nil
}

// KeyByHash returns the key whose SHA-256 is hash. NotFound: there is none, or it was revoked.
func (db *DB) KeyByHash(ctx context.Context, hash string) (Key, error) {
	k, err := scanKey(db.reader.QueryRowContext(ctx, `
		SELECT id, account, shown, created_at, revoked_at, used_at
		FROM api_key
		WHERE hash = $1 AND revoked_at = 0 AND `+notRemoving,
		hash))
	return k, notFoundOr(err, "there is no such key")
}

// RevokeKey revokes a key. Revoking it again changes nothing.
func (s Scoped) RevokeKey(ctx context.Context, by gangway.Actor, id string, at time.Time) error {
	return s.write(ctx, func(tx *sql.Tx) error {
		k, err := scanKey(tx.QueryRowContext(ctx, `
			UPDATE api_key
			SET revoked_at = $3
			WHERE account = $1 AND id = $2 AND revoked_at = 0
			RETURNING id, account, shown, created_at, revoked_at, used_at`,
			s.account, id, millis(at)))
		if errors.Is(err, sql.ErrNoRows) {
			return s.wantKey(ctx, tx, id) // if it exists, it was revoked before
		}
		if err != nil {
			return fmt.Errorf("revoke key %s: %w", id, err)
		}
		return s.record(ctx, tx, gangway.AuditEntry{
			At: at, By: by, What: gangway.KeyRevoked, Before: map[string]any{"key": k.ID, "begins": k.Shown},
		})
	})
}

// wantKey returns NotFound if the account has no such key.
func (s Scoped) wantKey(ctx context.Context, tx *sql.Tx, id string) error {
	err := tx.QueryRowContext(ctx, `
		SELECT id
		FROM api_key
		WHERE account = $1 AND id = $2`,
		s.account, id).Scan(&id)
	return notFoundOr(err, "there is no key %q", id)
}

// MarkKeyUsed notes that a key was used, unless that was noted less than a minute ago.
func (s Scoped) MarkKeyUsed(ctx context.Context, id string, at time.Time) error {
	return s.write(ctx, func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, `
			UPDATE api_key
			SET used_at = $3
			WHERE account = $1 AND id = $2 AND used_at <= $4`,
			s.account, id, millis(at), millis(at.Add(-time.Minute)))
		if err != nil {
			return fmt.Errorf("mark key %s used: %w", id, err)
		}
		return nil
	})
}

func scanKey(row scanner) (Key, error) {
	var k Key
	var created, revoked, used int64
	err := row.Scan(&k.ID, &k.Account, &k.Shown, &created, &revoked, &used)
	k.CreatedAt, k.RevokedAt, k.UsedAt = instant(created), instant(revoked), instant(used)
	return k, err
}
