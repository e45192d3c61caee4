package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"syscall"
	"time"

	"gangway/internal/gangway"
	"gangway/internal/store/internal/gate"
)

// ready is how long Ready repeats a good answer, because each check costs a write.
// A bad answer is repeated only for askAgain, so that a database that has
// recovered is soon used again.
const ready = 3 * time.Second

// Ready reports whether the database answers and can be written to. It tries a
// write of its own at most once every few seconds.
func (db *DB) Ready(ctx context.Context) error {
	db.checking.Lock()
	defer db.checking.Unlock()
	holds := ready
	if db.unready != nil {
		holds = askAgain
	} else if db.guard.Outage.IsFull() {
		holds = 0 // the disk has filled up since
	}
	if time.Since(db.checked) < holds {
		return db.unready
	}
	return db.checkNow(ctx)
}

// recheck is Ready without repeating the last answer.
func (db *DB) recheck(ctx context.Context) error {
	db.checking.Lock()
	defer db.checking.Unlock()
	return db.checkNow(ctx)
}

func (db *DB) checkNow(ctx context.Context) error {
	db.unready = db.check(gate.Checking(ctx))
	db.checked = time.Now()
	return db.unready
}

func (db *DB) check(ctx context.Context) error {
	switch o := db.guard.Outage; {
	case o.Unwritten() && o.IsFull():
		return away(gate.Full(syscall.ENOSPC))
	case o.Unwritten():
		return away(errors.New("a write was refused just now"))
	}
	if err := db.room(ctx); err != nil {
		return err
	}
	_, err := db.writer.ExecContext(ctx, `
		UPDATE schema_oldest
		SET oldest = oldest
		WHERE version = $1`,
		FirstSchema)
	if ctx.Err() != nil && db.dialect == sqlite && time.Since(db.guard.Written()) < patience {
		return nil // the check never got its turn because others are writing so much
	}
	if err == nil {
		err = admitNewer(ctx, db.reader, db.knows)
	}
	if err != nil && gangway.KindOf(err) != gangway.Conflict {
		return away(err)
	}
	return err
}

// ClockApart returns by how much the caller's clock, now, is ahead of the
// database's, which all replicas share; negative if it is behind. It is only
// known to within half the time that the answer took. SQLite uses the machine's
// own clock, so the answer is 0.
func (db *DB) ClockApart(ctx context.Context, now func() time.Time) (time.Duration, error) {
	if db.dialect != postgres {
		return 0, nil
	}
	asked := now()
	theirs, err := column[int64](db.reader.QueryRowContext(ctx, `
		SELECT CAST(extract(epoch FROM clock_timestamp()) * 1000 AS BIGINT)`))
	if err != nil {
		return 0, fmt.Errorf("ask the database for the time: %w", err)
	}
	took := now().Sub(asked)
	return asked.Add(took / 2).Sub(time.UnixMilli(theirs)), nil
}

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
