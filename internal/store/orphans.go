package store

import (
	"context"
	"fmt"
)

// RemoveOrphans removes rows of accounts that no longer exist, which versions
// that did not yet lock the account wrote while it was being removed. It reports
// whether there were any.
func (db *DB) RemoveOrphans(ctx context.Context) (some bool, err error) {
	ctx = withLongWork(ctx)
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

// orphansIn returns the missing accounts that rows of a table name. It goes from
// one account to the next by index, however many rows each has.
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
		return nil, fmt.Errorf("look for removed accounts in %s: %w", table, err)
	}
	return list, nil
}
