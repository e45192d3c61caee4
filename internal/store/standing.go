package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"gangway"

	"github.com/jackc/pgx/v5"
)

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
		if err := s.stand(tx.QueryRowContext(ctx, s.db.dialect.stand(), s.account, s.key)); err != nil {
			return err
		}
		return do(tx)
	}, topics...)
}

// stand reads the answer to the dialect's statement of the same name.
// ErrNoAccount: the account was removed. ErrKeyRevoked: it is there, and the key is not good any more.
func (s Scoped) stand(row scanner) error {
	good := false
	err := row.Scan(&good)
	switch {
	case errors.Is(err, sql.ErrNoRows), errors.Is(err, pgx.ErrNoRows):
		return ErrNoAccount
	case err != nil:
		return fmt.Errorf("hold account %s: %w", s.account, err)
	case !good:
		return ErrKeyRevoked
	}
	return nil
}

// stand holds an account's row until the transaction ends, as a reference to it
// would, and says whether a key is good. SQLite has one writer at a time anyway.
func (d dialect) stand() string {
	query := `
		SELECT CAST($2 AS TEXT) = '' OR EXISTS (
			SELECT 1
			FROM api_key
			WHERE account = $1 AND id = $2 AND revoked_at = 0)
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

// RemoveOrphans removes what is there of accounts that are not: what versions
// that did not yet hold the account wrote while it was being removed. It
// reports whether there was any.
func (db *DB) RemoveOrphans(ctx context.Context) (some bool, err error) {
	ctx = long(ctx)
	for _, table := range tablesOf(ofAccount) {
		orphans, err := db.orphansIn(ctx, table)
		if err != nil {
			return some, err
		}
		for _, account := range orphans {
			some = true
			if err := db.removeAll(ctx, table, account); err != nil {
				return some, err
			}
		}
	}
	return some, nil
}

// orphansIn returns the accounts that rows of a table name and that are not
// there. It goes from one account to the next by index, whatever each has.
func (db *DB) orphansIn(ctx context.Context, table string) (list []string, err error) {
	list, err = selectAll(ctx, db.reader, column[string], fmt.Sprintf(`
		WITH RECURSIVE named (id) AS (
			SELECT min(account) FROM %[1]s
			UNION ALL
			SELECT (SELECT min(account) FROM %[1]s WHERE account > named.id) FROM named WHERE named.id IS NOT NULL)
		SELECT id
		FROM named
		WHERE id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM account a WHERE a.id = named.id)`, table))
	if err != nil {
		return nil, fmt.Errorf("look for accounts that are gone in %s: %w", table, err)
	}
	return list, nil
}
