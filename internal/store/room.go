package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
)

// room reports whether there is room for more than the few bytes that fit
// anywhere. SQLite's disk is ours to try; at PostgreSQL it costs too much to be
// tried while all is well, so it is once a write was refused for want of room.
//
// Decided: docs/choices.md, "Whether a full disk has room again".
func (db *DB) room(ctx context.Context) error {
	switch {
	case db.dialect == sqlite:
		if err := db.served.room(); err != nil {
			return db.guard.outage.note(ctx, err)
		}
	case db.guard.outage.isFull():
		if err := db.extend(ctx); err != nil {
			return fmt.Errorf("%w: %w", ErrAway, err)
		}
	}
	db.guard.outage.hasRoom()
	return nil
}

// errUndo ends a transaction that is not to be kept.
var errUndo = errors.New("undone")

// extend has PostgreSQL take a megabyte of its disk and give it back. What is
// undone leaves nothing behind but the table's file, which goes at once; unlogged,
// for where the log of what is written has no room, PostgreSQL ends.
func (db *DB) extend(ctx context.Context) error {
	err := db.write(ctx, func(tx *sql.Tx) error {
		for _, statement := range []string{
			`CREATE UNLOGGED TABLE room_tried (doc TEXT)`,
			// a page each: not compressed, not put elsewhere
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
	return nil // it was written; or may not be tried, as where another role makes the tables
}
