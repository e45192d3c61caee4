package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"gangway/internal/gangway"

	"github.com/go-json-experiment/json"
)

// foldedAtOnce is how many keys are folded in one transaction.
const foldedAtOnce = 100

// foldChangeKeys folds the vessel's name in the keys of crew changes, and of the
// bookings and batches that name them. Crew changes that differed only in how it
// was written become one. The documents of searches and bookings also name crew
// changes; their keys are folded when the documents are read (readSearch).
func foldChangeKeys(ctx context.Context, d dialect, db *sql.DB) error {
	for _, f := range []struct {
		table, column string
		fold          func(ctx context.Context, tx *sql.Tx, d dialect, account, old, key string) error
	}{
		{"crew_change", "key", foldCrewChange},
		{"booking", "change_key", foldReferences}, // to crew changes that are gone, or were never sent
		{"batch", "change_key", foldReferences},
	} {
		if err := eachUnfolded(ctx, d, db, f.table, f.column, f.fold); err != nil {
			return fmt.Errorf("fold the keys of %s: %w", f.table, err)
		}
	}
	return nil
}

// A changeKey is a key of an account.
type changeKey struct{ account, key string }

func scanChangeKey(row scanner) (k changeKey, err error) {
	err = row.Scan(&k.account, &k.key)
	return k, err
}

// eachUnfolded folds each key of a table that is not folded yet.
func eachUnfolded(ctx context.Context, d dialect, db *sql.DB, table, column string,
	fold func(ctx context.Context, tx *sql.Tx, d dialect, account, old, key string) error) error {
	var last changeKey
	for more := true; more; {
		list, err := keysAfter(ctx, db, table, column, last)
		if err != nil {
			return err
		}
		more = len(list) == foldedAtOnce
		err = inTx(ctx, db, func(tx *sql.Tx) error {
			if d == postgres { // replicas that start together take turns
				if _, err := tx.ExecContext(ctx,
					`SELECT pg_advisory_xact_lock(hashtextextended('fold change keys', 0))`); err != nil {
					return err
				}
			}
			for _, k := range list {
				if key := gangway.ChangeKey(k.key); key != k.key {
					if err := fold(ctx, tx, d, k.account, k.key, key); err != nil {
						return err
					}
				}
				last = k
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// keysAfter returns the next distinct keys with a vessel in them. It goes from one
// to the next by the index, because each may have many bookings.
func keysAfter(ctx context.Context, db *sql.DB, table, column string, last changeKey) ([]changeKey, error) {
	query := fmt.Sprintf(`
		SELECT account, %[1]s
		FROM %[2]s
		WHERE (account, %[1]s) > ($1, $2) AND %[1]s >= 'on:' AND %[1]s < 'on;'
		ORDER BY account, %[1]s
		LIMIT 1`, column, table)
	var list []changeKey
	for len(list) < foldedAtOnce {
		next, err := selectAll(ctx, db, scanChangeKey, query, last.account, last.key)
		if err != nil || len(next) == 0 {
			return list, err
		}
		last = next[0]
		list = append(list, last)
	}
	return list, nil
}

// foldReferences replaces the old key of a crew change in what refers to it.
func foldReferences(ctx context.Context, tx *sql.Tx, _ dialect, account, old, key string) error {
	for _, table := range []string{"booking", "batch"} {
		_, err := tx.ExecContext(ctx, `
			UPDATE `+table+`
			SET change_key = $3
			WHERE account = $1 AND change_key = $2`,
			account, old, key)
		if err != nil {
			return err
		}
	}
	return nil
}

// foldCrewChange gives a crew change its new key, or merges it into the one that has that key.
func foldCrewChange(ctx context.Context, tx *sql.Tx, d dialect, account, old, key string) error {
	if err := foldReferences(ctx, tx, d, account, old, key); err != nil {
		return err
	}
	from, fromVersion, err := lockCrewChange(ctx, tx, account, old)
	if errors.Is(err, sql.ErrNoRows) {
		return nil
	}
	if err != nil {
		return err
	}
	into, version, err := lockCrewChange(ctx, tx, account, key)
	switch {
	case errors.Is(err, sql.ErrNoRows): // traced = 0: the traces name it by the old key and are made again
		if _, err := tx.ExecContext(ctx, `DELETE FROM crew_change_trace WHERE account = $1 AND key = $2`, account,
			old); err != nil {
			return err
		}
		_, err := tx.ExecContext(ctx, `
			UPDATE crew_change
			SET key = $3, traced = 0
			WHERE account = $1 AND key = $2`,
			account, old, key)
		return err
	case err != nil:
		return err
	}
	// Which of them was sent last is not known. The one sent more often decides how the vessel's name is written.
	joined := into.Join(from)
	if fromVersion > version {
		joined = from.Join(into)
	}
	if err := saveJoined(ctx, tx, account, key, joined, max(version, fromVersion)+1); err != nil {
		return err
	}
	_, err = tx.ExecContext(ctx, `DELETE FROM crew_change WHERE account = $1 AND key = $2`, account, old)
	return err
}

func lockCrewChange(ctx context.Context, tx *sql.Tx, account,
	key string) (c gangway.CrewChange, version int, err error) {
	var doc, dropped, moved string
	err = tx.QueryRowContext(ctx, `
		UPDATE crew_change
		SET version = version
		WHERE account = $1 AND key = $2
		RETURNING doc, dropped, moved, version`,
		account, key).Scan(&doc, &dropped, &moved, &version)
	if err != nil {
		return c, 0, err
	}
	c, err = readCrewChange(doc, dropped, moved)
	return c, version, err
}

func saveJoined(ctx context.Context, tx *sql.Tx, account, key string, c gangway.CrewChange, version int) error {
	rows, err := CrewChangeRows([]gangway.CrewChange{c})
	if err != nil {
		return err
	}
	dropped, err := writeDropped(c.Dropped)
	if err != nil {
		return err
	}
	moved := ""
	if c.Moved != nil {
		doc, err := json.Marshal(c.Moved)
		if err != nil {
			return err
		}
		moved = string(doc)
	}
	_, err = tx.ExecContext(ctx, `
		UPDATE crew_change
		SET doc = $3, dropped = $4, moved = $5, version = $6
		WHERE account = $1 AND key = $2`,
		account, key, rows[0].doc(), dropped, moved, version)
	return err
}

// inTx runs do in a transaction.
func inTx(ctx context.Context, db *sql.DB, do func(tx *sql.Tx) error) error {
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	if err := do(tx); err != nil {
		return errors.Join(err, tx.Rollback())
	}
	return tx.Commit()
}
