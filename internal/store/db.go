// Package store keeps everything in one SQL database, SQLite or PostgreSQL.
// It decides nothing: rules belong to the nouns, and which work is done when
// belongs to book and deliver.
//
// The only way to a customer's data is DB.In, which ties every statement to one account. Methods of
// DB itself are for what belongs to no single account (customers, keys, sessions) and for the
// workers, which take due work of all accounts and then do it through In.
package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"gangway/internal/gangway"
	"gangway/internal/seal"
	"gangway/internal/store/internal/gate"
)

// DB is an open database. It is safe for use by many goroutines.
type DB struct {
	dialect    dialect
	writer     *gate.Pool
	reader     *gate.Pool // the same as writer on PostgreSQL
	reports    *reportPool
	wakes      *wakes
	told       *told
	guard      *gate.Guard
	checking   sync.Mutex // held while Ready checks
	checked    time.Time
	unready    error
	served     *gate.ServerLock // what a server locks for itself; nil for commands
	sealer     *seal.Sealer     // nil if there is no key
	bulky      bulkyTurn
	precedence precedence
	keep       Keep
	actions    actionsSeen

	customers sync.Map // identifiers of accounts, and of the customers whose they are

	uses sync.Map // accounts, and when people have last asked for a page of them, until KeepUses writes it down

	generation atomic.Int64 // the one given out last

	erasures string      // the file that erasures are logged to; empty: none
	onlyRead atomic.Bool // a restored database waits for its operator

	knows    int64    // the newest schema that the program knows
	wereOpen []string // files that others could read until now
}

// Close closes the database once running statements are done.
func (db *DB) Close() error {
	db.guard.Outage.Close()
	db.told.close()
	db.wakes.close()
	err := db.writer.Close()
	if db.reader != db.writer {
		err = errors.Join(err, db.reader.Close())
	}
	err = errors.Join(err, db.reports.Close())
	db.served.Release()
	return err
}

// querier is what reading needs: a pool or a transaction.
type querier interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}

// retries is how often a transaction is run again after it lost to another one.
const retries = 4

// write runs do in one transaction, commits it if do returns nil, and then wakes everybody who
// waits for one of the topics. do must not wait for anything outside the database. A transaction
// that PostgreSQL aborts to resolve a deadlock is run again.
func (db *DB) write(ctx context.Context, do func(tx *sql.Tx) error, topics ...Topic) error {
	for try := 0; ; try++ {
		err := db.writeOnce(ctx, do, topics)
		if err == nil {
			db.guard.Outage.Wrote()
		}
		if err == nil || !db.dialect.retryable(err) {
			return err
		}
		if try == retries {
			return away(err)
		}
	}
}

func (db *DB) writeOnce(ctx context.Context, do func(tx *sql.Tx) error, topics []Topic) error {
	if err := db.mayWrite(ctx); err != nil {
		return err
	}
	defer db.precedence.write()()
	tx, err := db.writer.BeginTx(ctx, nil)
	if err != nil {
		return fmt.Errorf("begin: %w", err)
	}
	defer tx.Rollback()
	if err := do(tx); err != nil {
		return err
	}
	for _, topic := range topics {
		if err := db.notify(ctx, tx, topic); err != nil {
			return err
		}
	}
	if err := tx.Commit(); err != nil {
		return fmt.Errorf("commit: %w", err)
	}
	for _, topic := range topics {
		db.wakes.wake(topic)
	}
	return nil
}

// millis and instant convert between times and epoch milliseconds; the zero time is 0.
func millis(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixMilli()
}

func instant(ms int64) time.Time {
	if ms == 0 {
		return time.Time{}
	}
	return time.UnixMilli(ms).UTC()
}

// notFoundOr turns "no row" into NotFound with a message for the caller.
func notFoundOr(err error, format string, args ...any) error {
	if errors.Is(err, sql.ErrNoRows) {
		return gangway.Errorf(gangway.NotFound, format, args...)
	}
	return err
}

// orNone takes it for no error that there is no row: what was to be read of it stays zero.
func orNone(err error) error {
	return noRowIs(nil, err)
}

// noRowIs returns what it means instead if err says that there is no row.
func noRowIs(instead, err error) error {
	if errors.Is(err, sql.ErrNoRows) {
		return instead
	}
	return err
}

// wrapf says what was being done when err happened. Nil stays nil.
func wrapf(err error, format string, args ...any) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf(format+": %w", append(args, err)...)
}

// changed returns how many rows a statement has changed.
func changed(res sql.Result, err error) (int, error) {
	if err != nil {
		return 0, err
	}
	n, err := res.RowsAffected()
	return int(n), err
}

// truthValue is a boolean as both databases store it.
func truthValue(b bool) int {
	if b {
		return 1
	}
	return 0
}
