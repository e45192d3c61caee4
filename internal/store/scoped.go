package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"gangway/internal/gangway"

	"github.com/jackc/pgx/v5"
)

// Scoped is the database as one account sees it.
type Scoped struct {
	db      *DB
	account string
	ahead   time.Duration // of the account's clock
	key     string        // the API key by which somebody came in; empty: not by a key
	run     *FeedLease    // the run of a feed that writes; nil: none does
	sending Sending       // what the crew changes that are written are part of
}

// In returns the database as the account of scope sees it.
func (db *DB) In(scope gangway.Scope) Scoped {
	return Scoped{db: db, account: scope.Account, ahead: scope.Ahead, key: scope.Key}
}

// Scope returns the scope that s was made with.
func (s Scoped) Scope() gangway.Scope {
	return gangway.Scope{Account: s.account, Ahead: s.ahead, Key: s.key}
}

// Now returns the time by the account's clock, as of when s was made; now is the real time.
func (s Scoped) Now(now time.Time) time.Time { return s.Scope().Now(now) }

// At returns s with the account's clock so far ahead of real time.
func (s Scoped) At(ahead time.Duration) Scoped {
	s.ahead = ahead
	return s
}

// real returns the real time at which it was at by the account's clock.
func (s Scoped) real(at time.Time) time.Time { return at.Add(-s.ahead) }

// ErrNoAccount says that an account was removed. Nothing more is written for it.
var ErrNoAccount = gangway.Errorf(gangway.NotFound, "there is no such account")

// ErrKeyRevoked says that the API key of a request was revoked while the request was running.
// Nothing was written.
var ErrKeyRevoked = gangway.Errorf(gangway.Denied, "the API key was revoked")

// write is DB.write for the account, which it keeps from being removed until it commits. The check
// is made here and not only when a request comes in, because a large body can take minutes to
// arrive. Removing an account waits for those who write for it.
//
// Those who look at pages of the account learn that there is news.
func (s Scoped) write(ctx context.Context, do func(tx *sql.Tx) error, topics ...Topic) error {
	err := s.writeUnseen(ctx, do, topics...)
	if err == nil {
		s.db.tell(s.account)
	}
	return err
}

// writeUnseen is write for what no page shows.
func (s Scoped) writeUnseen(ctx context.Context, do func(tx *sql.Tx) error, topics ...Topic) error {
	return s.db.write(ctx, func(tx *sql.Tx) error {
		if err := s.holdAccount(tx.QueryRowContext(ctx, s.db.dialect.holdAccount(), s.account, s.key)); err != nil {
			return err
		}
		return do(tx)
	}, topics...)
}

// exec is write for one statement.
func (s Scoped) exec(ctx context.Context, query string, args ...any) error {
	return s.write(ctx, func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, query, args...)
		return err
	})
}

// holdAccount reads the result of the dialect's statement of the same name. ErrNoAccount: the
// account was removed. ErrKeyRevoked: the account exists, but the key is no longer valid. While its
// customer is being removed, the error says so.
func (s Scoped) holdAccount(row scanner) error {
	good, removing := false, ""
	err := row.Scan(&good, &removing)
	switch {
	case errors.Is(err, sql.ErrNoRows), errors.Is(err, pgx.ErrNoRows):
		return ErrNoAccount
	case err != nil:
		return fmt.Errorf("hold account %s: %w", s.account, err)
	case removing != "":
		return beingRemoved(removing)
	case !good:
		return ErrKeyRevoked
	}
	return nil
}

// holdAccount is the statement that locks an account's row until the transaction ends, as a foreign
// key to it would. It returns whether the key is valid, and the customer's name if the customer is
// being removed. SQLite needs no lock: it has one writer at a time.
func (d dialect) holdAccount() string {
	query := `
		SELECT CAST($2 AS TEXT) = '' OR EXISTS (
			SELECT 1
			FROM credential
			WHERE account = $1 AND id = $2 AND revoked_at = 0),
			CASE WHEN removing = 0 THEN '' ELSE (SELECT c.name FROM customer c WHERE c.id = account.customer) END
		FROM account
		WHERE id = $1`
	if d == postgres {
		query += ` FOR KEY SHARE`
	}
	return query
}

// forUpdate locks a row that is about to be deleted, once everybody who holds it has let go.
func (d dialect) forUpdate() string {
	if d == postgres {
		return ` FOR UPDATE`
	}
	return ""
}
