package store

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

	"gangway"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/stdlib"
	_ "modernc.org/sqlite" // the driver "sqlite"
)

// A dialect is one of the two databases. What really differs between them is
// in this file, in wakes.go and in what has the name of one of them.
type dialect int

const (
	sqlite dialect = iota
	postgres
)

func dialectOf(name string) (dialect, error) {
	switch file, ok := strings.CutPrefix(name, "sqlite:"); {
	case ok && (strings.TrimSpace(file) == "" || file == ":memory:"):
		// Of such a name SQLite makes a database in memory, one for each connection.
		return 0, fmt.Errorf("%q names no file: %w", name, ErrNoDatabase)
	case ok:
		return sqlite, nil
	case strings.HasPrefix(name, "postgres://"), strings.HasPrefix(name, "postgresql://"):
		return postgres, nil
	}
	return 0, ErrNoDatabase
}

// ErrNoDatabase says that a name is no database's.
var ErrNoDatabase = gangway.Errorf(gangway.Invalid, "a database is named sqlite:PATH or postgres://…")

// statementTimeout is how many milliseconds PostgreSQL works on one statement.
const statementTimeout = "60000"

// lockWait is how long SQLite waits, in milliseconds, for what another process is
// writing: as long as a server waits for its database.
var lockWait = strconv.FormatInt(patience.Milliseconds(), 10)

// open makes the pools of connections to the database named; as is who says
// so to PostgreSQL.
func (d dialect) open(name, as string, g *guard) (writer, reader *pool, err error) {
	if d == postgres {
		config, err := postgresConfig(name, as)
		if err != nil {
			return nil, nil, err
		}
		// A replica that is cut off must let go of its locks, and no statement of
		// ours takes long; only migrations may, on a large database.
		config.RuntimeParams["statement_timeout"] = statementTimeout
		config.RuntimeParams["timezone"] = "UTC"
		// Lists are the beginning of an index's order. A bitmap reads all of a range
		// before its first row, and how large a range is, the planner only guesses.
		config.RuntimeParams["enable_bitmapscan"] = "off"
		keepAlive(config)
		g.asks = func(ctx context.Context) bool { return answers(ctx, config) }
		db := &pool{sql.OpenDB(guardedConnector{stdlib.GetConnector(*config), g}), g}
		db.SetMaxOpenConns(16)
		db.SetMaxIdleConns(16)
		return db, db, nil
	}
	file := strings.TrimPrefix(name, "sqlite:")
	// One writer takes its lock at once and waits for no reader; the pool of
	// readers sees the last commit. FULL: what was acknowledged survives a power
	// cut. Each connection has a cache of its own, and most of the file is mapped
	// into memory anyway: caches are small, so that reading it all needs little.
	// What is deleted is overwritten with zeros.
	pragmas := "_pragma=journal_mode(WAL)&_pragma=busy_timeout(" + lockWait +
		")&_pragma=synchronous(FULL)&_pragma=foreign_keys(1)&_pragma=mmap_size(1073741824)&_pragma=temp_store(memory)"
	dsn := "file:" + (&url.URL{Path: file}).EscapedPath() + "?" + pragmas
	g.asks = func(context.Context) bool { return time.Since(g.written()) < patience } // others may write so much
	open := func(more string) *pool { return &pool{sql.OpenDB(guardedConnector{sqliteFile(dsn + more), g}), g} }
	writer = open("&_pragma=cache_size(-8192)&_pragma=secure_delete(1)&_txlock=immediate")
	writer.SetMaxOpenConns(1)
	reader = open("&_pragma=cache_size(-2048)&_pragma=query_only(1)")
	reader.SetMaxOpenConns(max(4, 2*runtime.GOMAXPROCS(0)))
	reader.SetMaxIdleConns(max(4, 2*runtime.GOMAXPROCS(0)))
	return writer, reader, nil
}

// A sqliteFile is how connections to a file are opened.
type sqliteFile string

// Connect opens a connection.
func (f sqliteFile) Connect(context.Context) (driver.Conn, error) {
	conn, err := f.Driver().Open(string(f))
	if err != nil {
		return nil, err
	}
	return &sqliteConn{fullConn: conn.(fullConn)}, nil
}

// Driver is that of SQLite.
func (sqliteFile) Driver() driver.Driver { return sqliteDriver() }

// sqliteDriver is the driver that the package of that name has registered.
var sqliteDriver = sync.OnceValue(func() driver.Driver {
	db, err := sql.Open("sqlite", "")
	if err != nil {
		panic(err)
	}
	defer db.Close()
	return db.Driver()
})

// bytewise makes of a column what is ordered by its bytes on both databases.
func (d dialect) bytewise(column string) string {
	if d == postgres {
		return column + ` COLLATE "C"`
	}
	return column
}

// retryable reports whether the transaction lost to another one, or to a
// migration, and may simply be run again.
func (d dialect) retryable(err error) bool {
	var pg *pgconn.PgError
	return errors.As(err, &pg) && (pg.Code == "40001" || pg.Code == "40P01") || d.migrated(err)
}

// migrated reports whether a statement fails because the columns are no longer
// those that it was prepared for. PostgreSQL has no code of its own for that.
// Source: RevalidateCachedQuery in its src/backend/utils/cache/plancache.c.
func (d dialect) migrated(err error) bool {
	var pg *pgconn.PgError
	return errors.As(err, &pg) && pg.Code == "0A000" && pg.Routine == "RevalidateCachedQuery"
}

// duplicate reports whether err says that a unique key exists already.
func (d dialect) duplicate(err error) bool {
	var pg *pgconn.PgError
	if errors.As(err, &pg) {
		return pg.Code == "23505"
	}
	return err != nil && strings.Contains(err.Error(), "UNIQUE constraint failed")
}

// picked is the condition that a row is one of those that query names by their
// row names, and that nobody else has at hand. PostgreSQL would read the whole
// table for a list, however short, unless it is an array.
func (d dialect) picked(query string) string {
	if d == postgres {
		return `ctid = ANY (ARRAY(` + query + `
			FOR NO KEY UPDATE SKIP LOCKED))`
	}
	return `rowid IN (` + query + `)`
}

// forChange holds the rows of a table that a query reads, in its order, until
// the transaction ends, against all who would change them.
func (d dialect) forChange(table string) string {
	if d == postgres {
		return ` FOR NO KEY UPDATE OF ` + table
	}
	return ""
}

// rowName is what every row has that tells it from the others of its table.
func (d dialect) rowName() string {
	if d == postgres {
		return "ctid"
	}
	return "rowid"
}
