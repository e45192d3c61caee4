package gate

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"time"

	"gangway/internal/gangway"

	"github.com/jackc/pgx/v5/pgconn"
	sqlite3 "modernc.org/sqlite/lib"
)

// Options say how a database is opened.
type Options struct {
	Serve bool   // for a server, not for a command that runs beside one
	Name  string // how PostgreSQL's operator sees the connections; empty: "gangway"
	Look  bool   // only to read: nothing is created or changed
}

// AskAgain is how often a server that waits for its database tries.
const AskAgain = time.Second

// NewGuard returns the guard of a database, which logs nothing yet.
func NewGuard(d Dialect, file string) *Guard {
	return &Guard{Dialect: d, Outage: &Outage{log: slog.New(slog.DiscardHandler), file: realFile(file)}}
}

// An unreachableError tells the operator why the database cannot be used.
type unreachableError struct {
	error       // the sentence for the operator
	cause error // what the driver said
}

// Unwrap returns both the sentence and its cause.
func (e *unreachableError) Unwrap() []error { return []error{e.error, e.cause} }

// Connect makes the first connection to the database called name. Its error tells the operator what is wrong.
func (d Dialect) Connect(ctx context.Context, name string, db *Pool) error {
	if err := d.connect(ctx, db); err != nil {
		return &unreachableError{d.unreachable(name, err), err}
	}
	if file, ok := strings.CutPrefix(name, "sqlite:"); ok && notOurs(file) != "" {
		return unopened(file, notOurs(file))
	}
	return nil
}

// connect makes the first connection. Of several that begin one SQLite file at the same moment all but one are told at
// once that it is locked, without the wait that statements have: they try again for as long.
func (d Dialect) connect(ctx context.Context, db *Pool) error {
	for began := time.Now(); ; {
		err := db.PingContext(ctx)
		if d != SQLite || sqliteCode(err) != sqlite3.SQLITE_BUSY || time.Since(began) > Patience {
			return err
		}
		select {
		case <-ctx.Done():
			return err
		case <-time.After(connectAgain):
		}
	}
}

// connectAgain is how long it takes until a file that is locked is opened again.
const connectAgain = 20 * time.Millisecond

// Unmigrated explains to the operator why the schema was not brought up to date
// if the cause is a full disk, or that nothing can be written beside the SQLite
// file.
func (d Dialect) Unmigrated(url string, err error) error {
	file := strings.TrimPrefix(url, "sqlite:")
	switch {
	case d == SQLite && diskFull(err):
		return &unreachableError{gangway.Errorf(gangway.Unavailable, "the schema cannot be brought up to date, as the "+
			"disk with the database file %s is full: make room, and the next start goes on", file), err}
	case d == SQLite && unwritable(err) && whyUnopenable(file) != "", d == Postgres && diskFull(err):
		return &unreachableError{d.unreachable(url, err), err}
	}
	return err
}

// WorthWaiting reports whether a database that failed with err may become
// available by itself: it is starting, restarting, or cannot be reached yet. A
// wrong password, a wrong name or a missing folder stays wrong.
func (d Dialect) WorthWaiting(err error) bool {
	if d == SQLite {
		return false
	}
	if pg := (*pgconn.PgError)(nil); errors.As(err, &pg) {
		broken := pg.Code == "XX000" && pg.Severity == "FATAL" // as when its disk is too full for a connection
		return broken || strings.HasPrefix(pg.Code, "57P") || strings.HasPrefix(pg.Code, "53") ||
			strings.HasPrefix(pg.Code, "58") || strings.HasPrefix(pg.Code, "08")
	}
	return d.Away(err)
}
