// Package gate opens the SQL database, gives each call a deadline, and tells when the database is away.
// It knows no noun: what is stored, and how, belongs to package store.
package gate

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"net/url"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"time"

	"gangway/internal/gangway"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/stdlib"
	_ "modernc.org/sqlite" // the driver "sqlite"
)

// A Dialect is one of the two databases.
type Dialect int

// The databases.
const (
	SQLite Dialect = iota
	Postgres
)

// DialectOf returns the database that a name names.
func DialectOf(name string) (Dialect, error) {
	switch file, ok := strings.CutPrefix(name, "sqlite:"); {
	case ok && (strings.TrimSpace(file) == "" || file == ":memory:"):
		// SQLite would make such a name a database in memory, one for each connection.
		return 0, fmt.Errorf("%q names no file: %w", name, ErrNoDatabase)
	case ok:
		return SQLite, nil
	case strings.HasPrefix(name, "postgres://"), strings.HasPrefix(name, "postgresql://"):
		return Postgres, nil
	}
	return 0, ErrNoDatabase
}

// ErrNoDatabase says that a name does not name a database.
var ErrNoDatabase = gangway.Errorf(gangway.Invalid, "a database is named sqlite:PATH or postgres://…")

// statementTimeout is after how many milliseconds PostgreSQL cancels a statement.
const statementTimeout = "60000"

// idleTimeout is after how many milliseconds PostgreSQL ends a connection that does nothing within a
// transaction. Nothing of ours waits there for anything but the database.
const idleTimeout = "10000"

// lockWait is how many milliseconds SQLite waits while another process writes:
// as long as a server waits for its database.
var lockWait = strconv.FormatInt(Patience.Milliseconds(), 10)

// An Aside says how connections for long reading differ from the others.
type Aside struct {
	SQLite   string // more settings, as in "&_pragma=…"
	Postgres func(*pgx.ConnConfig)
}

// OpenPools opens the pools of connections to the database called name, and those for long reading.
func (d Dialect) OpenPools(name string, o Options, aside Aside, g *Guard) (
	writer, reader *Pool, long *sql.DB, err error) {
	if d == Postgres {
		config, err := PostgresConfig(name, o.Name)
		if err != nil {
			return nil, nil, nil, err
		}
		// A replica that is cut off must release its locks, and no statement of ours
		// takes long except a migration of a large database.
		config.RuntimeParams["statement_timeout"] = statementTimeout
		// One that is paused within a transaction must release them too.
		config.RuntimeParams["idle_in_transaction_session_timeout"] = idleTimeout
		config.RuntimeParams["timezone"] = "UTC"
		// A list is read from the beginning of an index. A bitmap scan reads the whole
		// range before it returns a row, and the planner can only guess how large it is.
		config.RuntimeParams["enable_bitmapscan"] = "off"
		if o.Look {
			config.RuntimeParams["default_transaction_read_only"] = "on"
		}
		KeepAlive(config)
		g.asks = func(ctx context.Context) bool { return answers(ctx, config) }
		db := &Pool{sql.OpenDB(GuardedConnector{stdlib.GetConnector(*config), g}), g}
		db.SetMaxOpenConns(16)
		db.SetMaxIdleConns(16)
		config = config.Copy()
		aside.Postgres(config)
		return db, db, sql.OpenDB(GuardedConnector{stdlib.GetConnector(*config), g}), nil
	}
	file := strings.TrimPrefix(name, "sqlite:")
	// There is one writer, which takes its lock at once and waits for no reader; the
	// readers see the last commit. FULL: an acknowledged write survives a power cut.
	// Each connection has a cache of its own, and most of the file is mapped into
	// memory anyway, so the caches are small and reading everything takes little
	// memory. secure_delete overwrites deleted data with zeros. Commands map less: they end soon, and one that
	// fills the file would seem to take as much memory as it writes.
	mapped := 1 << 30
	if !o.Serve {
		mapped = 32 << 20
	}
	pragmas := "_pragma=journal_mode(WAL)&_pragma=busy_timeout(" + lockWait + ")&_pragma=synchronous(FULL)" +
		"&_pragma=foreign_keys(1)&_pragma=mmap_size(" + strconv.Itoa(mapped) + ")&_pragma=temp_store(memory)"
	if o.Look {
		pragmas = "mode=ro&" + strings.Replace(pragmas, "_pragma=journal_mode(WAL)&", "", 1)
	}
	dsn := "file:" + (&url.URL{Path: file}).EscapedPath() + "?" + pragmas
	// No answer may only mean that others are writing that much.
	g.asks = func(context.Context) bool { return time.Since(g.Written()) < Patience }
	open := func(more string, turn *writeTurn) *Pool {
		return &Pool{sql.OpenDB(GuardedConnector{sqliteFile{dsn + more, turn}, g}), g}
	}
	writer = open("&_pragma=cache_size(-8192)&_pragma=secure_delete(1)&_txlock=immediate", newWriteTurn(file, !o.Serve))
	writer.SetMaxOpenConns(1)
	reader = open("&_pragma=cache_size(-2048)&_pragma=query_only(1)", nil)
	reader.SetMaxOpenConns(max(4, 2*runtime.GOMAXPROCS(0)))
	reader.SetMaxIdleConns(max(4, 2*runtime.GOMAXPROCS(0)))
	return writer, reader, open(aside.SQLite, nil).DB, nil
}

// A sqliteFile opens connections to a file.
type sqliteFile struct {
	dsn  string
	turn *writeTurn // nil: they only read
}

// Connect opens a connection.
func (f sqliteFile) Connect(context.Context) (driver.Conn, error) {
	conn, err := f.Driver().Open(f.dsn)
	if err != nil {
		return nil, err
	}
	keeping := &sqliteConn{fullConn: conn.(fullConn)}
	if f.turn == nil {
		return keeping, nil
	}
	return &writingConn{sqliteConn: keeping, turn: f.turn}, nil
}

// Driver returns SQLite's driver.
func (sqliteFile) Driver() driver.Driver { return sqliteDriver() }

// sqliteDriver is the driver that modernc.org/sqlite has registered.
var sqliteDriver = sync.OnceValue(func() driver.Driver {
	db, err := sql.Open("sqlite", "")
	if err != nil {
		panic(err)
	}
	defer db.Close()
	return db.Driver()
})

// Retryable reports whether the transaction lost to another one, or to a
// migration, and can simply be run again.
func (d Dialect) Retryable(err error) bool {
	var pg *pgconn.PgError
	return errors.As(err, &pg) && (pg.Code == "40001" || pg.Code == "40P01") || d.migrated(err)
}

// migrated reports whether a statement fails because the columns have changed
// since it was prepared. PostgreSQL has no error code of its own for that.
// Source: RevalidateCachedQuery in its src/backend/utils/cache/plancache.c.
func (d Dialect) migrated(err error) bool {
	var pg *pgconn.PgError
	return errors.As(err, &pg) && pg.Code == "0A000" && pg.Routine == "RevalidateCachedQuery"
}

// Duplicate reports whether err says that a unique key already exists.
func (d Dialect) Duplicate(err error) bool {
	if pg, is := errors.AsType[*pgconn.PgError](err); is {
		return pg.Code == "23505"
	}
	return err != nil && strings.Contains(err.Error(), "UNIQUE constraint failed")
}
