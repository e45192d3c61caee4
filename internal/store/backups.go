package store

import (
	"context"
	"database/sql"
	"errors"
	"time"
)

// A Backup is a copy of the database that gangway backup made.
type Backup struct {
	At    time.Time // when the copy shows the database; zero: there was none yet
	Bytes int64
}

// LastBackup returns the latest copy.
func (db *DB) LastBackup(ctx context.Context) (b Backup, err error) {
	var at int64
	err = db.reader.QueryRowContext(ctx, `SELECT at, bytes FROM last_backup`).Scan(&at, &b.Bytes)
	if errors.Is(err, sql.ErrNoRows) {
		return b, nil
	}
	b.At = instant(at)
	return b, wrapf(err, "read when the last backup was made")
}

// NoteBackup records the latest copy.
func (db *DB) NoteBackup(ctx context.Context, b Backup) error {
	err := db.write(ctx, func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, `
			INSERT INTO last_backup (id, at, bytes)
			VALUES (1, $1, $2)
			ON CONFLICT (id) DO UPDATE
			SET at = excluded.at, bytes = excluded.bytes`,
			millis(b.At), b.Bytes)
		return err
	})
	return wrapf(err, "record the backup")
}
