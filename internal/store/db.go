// Package store keeps everything in one SQL database, SQLite or PostgreSQL.
// It decides nothing: rules belong to the nouns, and which work is done when
// belongs to book and deliver.
//
// The only way to a customer's data is DB.In, which ties every statement to
// one account. Methods on DB itself serve what stands above accounts
// (customers, keys, sessions) and the workers that take due work of all
// accounts and go on with it through In.
package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"gangway"
	"gangway/internal/seal"
)

// DB is an open database. It is safe for use by many goroutines.
type DB struct {
	dialect dialect
	writer  *sql.DB
	reader  *sql.DB // the same as writer on PostgreSQL
	wakes   *wakes
	kept    sync.Map     // prepared statements of the reader, by their text
	sealer  *seal.Sealer // nil where there is no key

	wereOpen []string // files that others could read until now
}

// Options say how a database is opened.
type Options struct {
	Log   *slog.Logger // where it is told what takes time; nowhere when it is nil
	Serve bool         // for a server, not for a command that works beside one
}

// Open opens the database named by url as a command does, telling nobody.
func Open(ctx context.Context, url string) (*DB, error) { return OpenWith(ctx, url, Options{}) }

// OpenWith opens the database named by url, "sqlite:PATH" or "postgres://…", and
// brings its schema up to date under a lock, so that any number of replicas may
// start at once.
func OpenWith(ctx context.Context, url string, o Options) (*DB, error) {
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	d, err := dialectOf(url)
	if err != nil {
		return nil, err
	}
	db := &DB{dialect: d, wakes: newWakes(), wereOpen: d.makePrivate(url)}
	if db.writer, db.reader, err = d.open(url); err != nil {
		return nil, err
	}
	if err := db.writer.PingContext(ctx); err != nil {
		db.Close()
		return nil, d.unreachable(url, err)
	}
	if err := migrate(ctx, d, url, db.writer, o); err != nil {
		db.Close()
		return nil, err
	}
	if d == postgres {
		if err := db.wakes.listen(ctx, url); err != nil {
			db.Close()
			return nil, err
		}
	}
	return db, nil
}

// Close closes the database once running statements are done.
func (db *DB) Close() error {
	db.wakes.close()
	db.kept.Range(func(_, stmt any) bool { stmt.(*sql.Stmt).Close(); return true })
	err := db.writer.Close()
	if db.reader != db.writer {
		err = errors.Join(err, db.reader.Close())
	}
	return err
}

// keep returns query prepared, once for all: for what is asked with every
// letter that somebody types, preparing takes longer than the answer. The text
// must be one of a few.
func (db *DB) keep(ctx context.Context, query string) (*sql.Stmt, error) {
	if stmt, ok := db.kept.Load(query); ok {
		return stmt.(*sql.Stmt), nil
	}
	stmt, err := db.reader.PrepareContext(ctx, query)
	if err != nil {
		return nil, err
	}
	if other, ok := db.kept.LoadOrStore(query, stmt); ok {
		stmt.Close()
		return other.(*sql.Stmt), nil
	}
	return stmt, nil
}

// Ready reports whether the database answers.
func (db *DB) Ready(ctx context.Context) error {
	if err := db.reader.PingContext(ctx); err != nil {
		return gangway.Errorf(gangway.Unavailable, "the database does not answer")
	}
	return nil
}

// Scoped is the database as one account sees it.
type Scoped struct {
	db      *DB
	account string
}

// In returns the database as the account of scope sees it.
func (db *DB) In(scope gangway.Scope) Scoped { return Scoped{db: db, account: scope.Account} }

// Scope returns the scope that s was made with.
func (s Scoped) Scope() gangway.Scope { return gangway.Scope{Account: s.account} }

// querier is what reading needs: a pool or a transaction.
type querier interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}

// write runs do in one transaction and commits it when do returns nil. It then
// wakes those who wait on topics. do must not wait for anyone outside the
// database. A transaction that PostgreSQL aborts to resolve a deadlock is run again.
func (db *DB) write(ctx context.Context, do func(tx *sql.Tx) error, topics ...Topic) error {
	for try := 0; ; try++ {
		err := db.writeOnce(ctx, do, topics)
		if err == nil || try == 4 || !db.dialect.retryable(err) {
			return err
		}
	}
}

func (db *DB) writeOnce(ctx context.Context, do func(tx *sql.Tx) error, topics []Topic) error {
	tx, err := db.writer.BeginTx(ctx, nil)
	if err != nil {
		return fmt.Errorf("begin: %w", err)
	}
	defer tx.Rollback()
	if err := do(tx); err != nil {
		return err
	}
	if db.dialect == postgres {
		for _, topic := range topics {
			if _, err := tx.ExecContext(ctx, `SELECT pg_notify($1, $2)`, channel, string(topic)); err != nil {
				return fmt.Errorf("notify %s: %w", topic, err)
			}
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

// millis and instant turn instants into epoch milliseconds and back; the zero time is 0.
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

// one turns "no row" into NotFound with a message for the caller.
func one(err error, format string, args ...any) error {
	if errors.Is(err, sql.ErrNoRows) {
		return gangway.Errorf(gangway.NotFound, format, args...)
	}
	return err
}

// yes is how both databases keep a truth value.
func yes(b bool) int {
	if b {
		return 1
	}
	return 0
}
