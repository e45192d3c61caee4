package store

import (
	"context"
	"fmt"
	"time"

	"gangway"
)

// ready is how long a good answer of Ready holds, for it costs a write. A bad
// one holds for askAgain, so that nobody is kept out of a database that is well.
const ready = 3 * time.Second

// Ready reports whether the database answers and can be written to. Its own
// write is made at most every few seconds.
func (db *DB) Ready(ctx context.Context) error {
	db.checking.Lock()
	defer db.checking.Unlock()
	holds := ready
	if db.unready != nil {
		holds = askAgain
	} else if db.guard.outage.isFull() {
		holds = 0 // the disk has become full since
	}
	if time.Since(db.checked) < holds {
		return db.unready
	}
	return db.checkNow(ctx)
}

// recheck is Ready without believing the last answer.
func (db *DB) recheck(ctx context.Context) error {
	db.checking.Lock()
	defer db.checking.Unlock()
	return db.checkNow(ctx)
}

func (db *DB) checkNow(ctx context.Context) error {
	db.unready = db.check(context.WithValue(ctx, checkKey{}, true))
	db.checked = time.Now()
	return db.unready
}

func (db *DB) check(ctx context.Context) error {
	if db.guard.outage.unwritten() {
		return fmt.Errorf("%w: a write was refused just now", ErrAway)
	}
	if err := db.room(ctx); err != nil {
		return err
	}
	_, err := db.writer.ExecContext(ctx, `
		UPDATE schema_oldest
		SET oldest = oldest
		WHERE version = $1`,
		firstSaying)
	if ctx.Err() != nil && db.dialect == sqlite && time.Since(db.guard.written()) < patience {
		return nil // others are writing so much that it was nobody's turn
	}
	if err == nil {
		err = admitNewer(ctx, db.reader)
	}
	if err != nil && gangway.KindOf(err) != gangway.Conflict {
		return fmt.Errorf("%w: %w", ErrAway, err)
	}
	return err
}
