package store

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"
	"time"

	"gangway/internal/gangway"
)

// remembered is how long the answer to an Idempotency-Key is kept, and abandoned is how long a
// request may take before it counts as dead.
//
// Decided: docs/choices.md, "Uploads".
const (
	remembered = 24 * time.Hour
	abandoned  = 2 * time.Minute
)

// FormRoute is the route of the forms of pages. What came of one is kept for formKept: longer than anybody takes for a
// double click.
const (
	FormRoute = "form"
	formKept  = time.Minute
)

// ErrRunning says that the request with this Idempotency-Key is still running.
var ErrRunning = errors.New("still running")

// ErrOtherBody says that an Idempotency-Key was used before with another body.
var ErrOtherBody = errors.New("used with another body")

// keptKey is what is stored of an Idempotency-Key: a hash, because a key is arbitrary text and may
// contain a name, which an erasure would have to find.
func keptKey(key string) string {
	sum := sha256.Sum256([]byte(key))
	return hex.EncodeToString(sum[:])
}

// BeginOnce claims an Idempotency-Key for a request to route. It returns the stored answer if the
// same request was answered before, and nothing if it is to be carried out now. Its errors are
// ErrRunning and ErrOtherBody.
func (s Scoped) BeginOnce(ctx context.Context, route, key, bodyHash string, now time.Time) (answer []byte, err error) {
	key = keptKey(key)
	err = s.writeUnseen(ctx, func(tx *sql.Tx) error {
		answer = nil
		_, err := tx.ExecContext(ctx, `
			DELETE FROM idempotency
			WHERE account = $1 AND (created_at <= $2 OR route = $3 AND created_at <= $4)`,
			s.account, millis(now.Add(-remembered)), FormRoute, millis(now.Add(-formKept)))
		if err != nil {
			return fmt.Errorf("delete old answers: %w", err)
		}
		_, err = tx.ExecContext(ctx, `
			DELETE FROM idempotency
			WHERE account = $1 AND route = $2 AND key = $3 AND answer = '' AND created_at <= $4`,
			s.account, route, key, millis(now.Add(-abandoned)))
		if err != nil {
			return fmt.Errorf("delete an abandoned request: %w", err)
		}
		n, err := changed(tx.ExecContext(ctx, `
			INSERT INTO idempotency (account, route, key, body_hash, answer, created_at)
			VALUES ($1, $2, $3, $4, '', $5)
			ON CONFLICT DO NOTHING`,
			s.account, route, key, bodyHash, millis(now)))
		if err != nil || n == 1 {
			return wrapf(err, "claim idempotency key")
		}
		var hash string
		err = tx.QueryRowContext(ctx, `
			SELECT body_hash, answer
			FROM idempotency
			WHERE account = $1 AND route = $2 AND key = $3`,
			s.account, route, key).Scan(&hash, &answer)
		switch {
		case err != nil:
			return notFoundOr(err, "the answer was deleted meanwhile")
		case hash != bodyHash:
			return ErrOtherBody
		case len(answer) == 0:
			return ErrRunning
		}
		return nil
	})
	switch {
	case errors.Is(err, ErrNoAccount):
		return nil, err
	case gangway.KindOf(err) == gangway.NotFound:
		return nil, ErrRunning
	case err != nil:
		return nil, err
	}
	return answer, nil
}

// EndOnce stores the answer to a request that BeginOnce let through; without an answer the key can
// be used again.
func (s Scoped) EndOnce(ctx context.Context, route, key string, answer []byte) error {
	key = keptKey(key)
	return s.writeUnseen(ctx, func(tx *sql.Tx) error {
		query, args := `
			DELETE FROM idempotency
			WHERE account = $1 AND route = $2 AND key = $3`, []any{s.account, route, key}
		if len(answer) > 0 {
			query, args = `
				UPDATE idempotency
				SET answer = $4
				WHERE account = $1 AND route = $2 AND key = $3`, append(args, string(answer))
		}
		_, err := tx.ExecContext(ctx, query, args...)
		return wrapf(err, "save answer")
	})
}
