package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"gangway"

	"github.com/jackc/pgx/v5"
)

// Scoped is the database as one account sees it.
type Scoped struct {
	db      *DB
	account string
	key     string // the API key by which somebody came in; empty: not by a key
}

// In returns the database as the account of scope sees it.
func (db *DB) In(scope gangway.Scope) Scoped {
	return Scoped{db: db, account: scope.Account, key: scope.Key}
}

// Scope returns the scope that s was made with.
func (s Scoped) Scope() gangway.Scope { return gangway.Scope{Account: s.account, Key: s.key} }

// ErrNoAccount says that an account was removed. Nothing is written for it any more.
var ErrNoAccount = gangway.Errorf(gangway.NotFound, "there is no such account")

// ErrKeyRevoked says that the API key by which somebody came in was revoked
// meanwhile. Nothing was written.
var ErrKeyRevoked = gangway.Errorf(gangway.Denied, "the API key was revoked")

// write is DB.write for the account, which is still there when it commits: who
// asked may have been let in long ago, and have sent the rest of a body just
// now. Removing an account waits for whoever writes for it.
func (s Scoped) write(ctx context.Context, do func(tx *sql.Tx) error, topics ...Topic) error {
	return s.db.write(ctx, func(tx *sql.Tx) error {
		if err := s.holdAccount(tx.QueryRowContext(ctx, s.db.dialect.holdAccount(), s.account, s.key)); err != nil {
			return err
		}
		return do(tx)
	}, topics...)
}

// holdAccount reads the answer to the dialect's statement of the same name.
// ErrNoAccount: the account was removed, or its customer is being removed. ErrKeyRevoked: it is
// there, and the key is not good any more.
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

// holdAccount holds an account's row until the transaction ends, as a reference to it
// would, and says whether a key is good and which customer, if any, is being
// removed with it. SQLite has one writer at a time anyway.
func (d dialect) holdAccount() string {
	query := `
		SELECT CAST($2 AS TEXT) = '' OR EXISTS (
			SELECT 1
			FROM api_key
			WHERE account = $1 AND id = $2 AND revoked_at = 0),
			CASE WHEN removing = 0 THEN '' ELSE (SELECT c.name FROM customer c WHERE c.id = account.customer) END
		FROM account
		WHERE id = $1`
	if d == postgres {
		query += ` FOR KEY SHARE`
	}
	return query
}

// forUpdate waits for all who hold a row that is to be deleted.
func (d dialect) forUpdate() string {
	if d == postgres {
		return ` FOR UPDATE`
	}
	return ""
}
