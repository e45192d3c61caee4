package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"

	"gangway/internal/gangway"

	"github.com/pressly/goose/v3"
)

// Schema returns the number of the newest migration that this program knows.
func Schema() int64 {
	names, _ := fs.Glob(migrations, "migrations/*.sql") // fails only for a malformed pattern
	newest, _ := goose.NumericComponent(names[len(names)-1])
	return newest
}

// admitNewer refuses a database that a newer version of the program has brought
// up to date, because this version would lose what it does not know. It is
// admitted if each of the newer migrations says that this version may work with it.
func admitNewer(ctx context.Context, db querier) error {
	var has int64
	err := db.QueryRowContext(ctx, `
		SELECT v.version_id
		FROM goose_db_version v
		LEFT JOIN schema_oldest o ON o.version = v.version_id
		WHERE v.version_id > $1 AND (o.oldest IS NULL OR o.oldest > $1)
		ORDER BY v.version_id DESC
		LIMIT 1`,
		Schema()).Scan(&has)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return nil
	case err != nil:
		return fmt.Errorf("read which programs the schema is for: %w", err)
	}
	return gangway.Errorf(gangway.Conflict, "the database was brought up to date by a newer Gangway (its schema "+
		"is %d, this program knows %d): start that version, or restore a backup from before", has, Schema())
}
