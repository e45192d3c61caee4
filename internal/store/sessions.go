package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"
)

// Sessions stores the sessions of signed-in people. It is an scs.CtxStore; tokens
// are already hashed when they get here.
type Sessions struct {
	db  *DB
	now func() time.Time
}

// Sessions returns the sessions of the web application. A session is not found
// once it has expired by the clock now.
func (db *DB) Sessions(now func() time.Time) Sessions { return Sessions{db, now} }

// FindCtx returns what is stored under the token.
func (s Sessions) FindCtx(ctx context.Context, token string) (data []byte, found bool, err error) {
	err = s.db.reader.QueryRowContext(ctx, `
		SELECT data
		FROM session
		WHERE token = $1 AND expires > $2`,
		token, millis(s.now())).Scan(&data)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, false, nil
	}
	return data, true, wrapf(err, "read session")
}

// CommitCtx stores data under the token until expires, and deletes sessions that
// have expired.
func (s Sessions) CommitCtx(ctx context.Context, token string, data []byte, expires time.Time) error {
	return s.db.write(harmless(ctx), func(tx *sql.Tx) error {
		if _, err := tx.ExecContext(ctx, `
			DELETE FROM session
			WHERE expires <= $1`,
			millis(s.now())); err != nil {
			return fmt.Errorf("delete expired sessions: %w", err)
		}
		_, err := tx.ExecContext(ctx, `
			INSERT INTO session (token, data, expires)
			VALUES ($1, $2, $3)
			ON CONFLICT (token) DO UPDATE
			SET data = excluded.data, expires = excluded.expires`,
			token, string(data), millis(expires))
		return wrapf(err, "save session")
	}, People)
}

// DeleteCtx deletes the session with the token.
func (s Sessions) DeleteCtx(ctx context.Context, token string) error {
	return s.db.write(harmless(ctx), func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, `DELETE FROM session WHERE token = $1`, token)
		return wrapf(err, "delete session")
	}, People)
}

// Find is FindCtx; the interface of scs wants both.
func (s Sessions) Find(token string) ([]byte, bool, error) {
	return s.FindCtx(context.Background(), token)
}

// Commit is CommitCtx; the interface of scs wants both.
func (s Sessions) Commit(token string, data []byte, expires time.Time) error {
	return s.CommitCtx(context.Background(), token, data, expires)
}

// Delete is DeleteCtx; the interface of scs wants both.
func (s Sessions) Delete(token string) error { return s.DeleteCtx(context.Background(), token) }
