package store

import (
	"context"
	"database/sql"
	"errors"
)

// room reports whether the disk has room for more than the few bytes that fit
// anywhere. On SQLite it tries each time. On PostgreSQL trying is too expensive
// while all is well, so it tries only after a write was refused for lack of room.
//
// Decided: docs/choices.md, "Whether a full disk has room again".
func (db *DB) room(ctx context.Context) error {
	switch {
	case db.dialect == sqlite:
		if err := db.served.Room(); err != nil {
			return db.guard.Outage.Note(ctx, err)
		}
	case db.guard.Outage.IsFull():
		if err := db.extend(ctx); err != nil {
			return away(err)
		}
	}
	db.guard.Outage.HasRoom()
	return nil
}

// errUndo rolls back a transaction that is not meant to be kept.
var errUndo = errors.New("undone")

// extend has PostgreSQL take a megabyte of its disk and give it back: rolled back,
// the transaction leaves nothing behind, and the table's file is deleted at once.
// The table is unlogged because PostgreSQL stops when its write-ahead log has no room.
func (db *DB) extend(ctx context.Context) error {
	err := db.write(ctx, func(tx *sql.Tx) error {
		for _, statement := range []string{
			`CREATE UNLOGGED TABLE room_tried (doc TEXT)`,
			// one row fills a page: not compressed, not moved elsewhere
			`ALTER TABLE room_tried ALTER COLUMN doc SET STORAGE PLAIN`,
			`INSERT INTO room_tried SELECT repeat('x', 6000) FROM generate_series(1, 128)`,
		} {
			if _, err := tx.ExecContext(ctx, statement); err != nil {
				return err
			}
		}
		return errUndo
	})
	if errors.Is(err, ErrAway) {
		return err
	}
	return nil // either it was written, or it cannot be tried because another role owns the schema
}
