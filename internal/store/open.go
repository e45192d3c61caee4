package store

import (
	"context"
	"errors"
	"io/fs"
	"log/slog"
	"strings"
	"time"

	"gangway/internal/gangway"

	"github.com/jackc/pgx/v5/pgconn"
	sqlite3 "modernc.org/sqlite/lib"
)

// Options say how a database is opened.
type Options struct {
	Log       *slog.Logger // where it logs what takes time; nil: nowhere
	Serve     bool         // for a server, not for a command that runs beside one
	MustExist bool         // the database must exist: no new file is created
	Name      string       // how PostgreSQL's operator sees the connections; empty: "gangway"

	migrations fs.FS // of a test, in place of the program's own
}

// known are the migrations that the program knows.
func (o Options) known() fs.FS {
	if o.migrations != nil {
		return o.migrations
	}
	return released
}

// Open opens the database named by url as a command does, without logging.
func Open(ctx context.Context, url string) (*DB, error) { return OpenWith(ctx, url, Options{}) }

// A server that waits for its database tries once a second, and logs that it
// waits now and then.
const (
	askAgain  = time.Second
	sayAgain  = 15 * time.Second
	listening = 5 * time.Second // how long it may take to begin to listen
)

// OpenWith opens the database named by url, "sqlite:PATH" or "postgres://…", and
// brings its schema up to date under a lock, so that any number of replicas may
// start at once.
//
// A server waits until ctx ends for a database that does not answer yet, keeps
// other servers out of its SQLite file, and gives up any statement that takes
// longer than five seconds. A command reports at once what is wrong, and its
// statements may take as long as they need.
func OpenWith(ctx context.Context, url string, o Options) (*DB, error) {
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	d, err := dialectOf(url)
	if err != nil {
		return nil, err
	}
	if file, ok := strings.CutPrefix(url, "sqlite:"); ok {
		if err := checkFile(file, o.MustExist); err != nil {
			return nil, err
		}
	}
	began, said := time.Now(), time.Time{}
	for {
		db, err := open(ctx, d, url, o)
		switch {
		case err == nil && !said.IsZero():
			o.Log.Info("the database is available", "waited", time.Since(began).Round(time.Millisecond))
			return db, nil
		case err == nil:
			return db, nil
		case !o.Serve || ctx.Err() != nil || !d.worthWaiting(err):
			return nil, err
		}
		if time.Since(said) >= sayAgain {
			said = time.Now()
			o.Log.Warn("waiting for the database", "because", Told(err), "since", time.Since(began).Round(time.Second))
		}
		select {
		case <-ctx.Done():
			return nil, err
		case <-time.After(askAgain):
		}
	}
}

// An unreachableError tells the operator why the database cannot be used.
type unreachableError struct {
	error       // the sentence for the operator
	cause error // what the driver said
}

// Unwrap returns both the sentence and its cause.
func (e *unreachableError) Unwrap() []error { return []error{e.error, e.cause} }

func open(ctx context.Context, d dialect, url string, o Options) (_ *DB, err error) {
	db := &DB{dialect: d, wakes: newWakes(), wereOpen: d.makePrivate(url), bulky: make(bulkyTurn, 1),
		knows: newest(o.known())}
	file, ok := strings.CutPrefix(url, "sqlite:")
	db.guard = &guard{dialect: d, outage: &outage{log: slog.New(slog.DiscardHandler), file: realFile(file)}}
	if db.writer, db.reader, db.reports, err = d.open(url, o, db.guard); err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			db.Close()
		}
	}()
	if err := db.connect(ctx); err != nil {
		return nil, &unreachableError{d.unreachable(url, err), err}
	}
	if ok && notOurs(file) != "" {
		return nil, unopened(file, notOurs(file))
	}
	if ok && o.Serve {
		if db.served, err = serveFile(file, o.Log); err != nil {
			return nil, err
		}
	}
	if err := migrate(ctx, d, url, db.writer.DB, o); err != nil {
		return nil, d.unmigrated(url, err)
	}
	if d == postgres {
		if err := db.wakes.listen(ctx, url, o.Name); err != nil {
			return nil, err
		}
	}
	if d == sqlite && o.Serve {
		db.wakes.watch(ctx, db.writer)
	}
	if o.Serve {
		db.guard.outage.attend(o.Log, db.recheck)
		db.guard.limit.Store(int64(patience))
	}
	if d == sqlite && o.Serve {
		if err := db.expireLeases(ctx); err != nil && o.Log != nil {
			o.Log.Warn("the leases of work could not be ended; they expire by themselves", "error", err)
		}
	}
	return db, nil
}

// connect makes the first connection. Of several that begin one SQLite file at the same moment all but one are told at
// once that it is locked, without the wait that statements have: they try again for as long.
func (db *DB) connect(ctx context.Context) error {
	for began := time.Now(); ; {
		err := db.writer.PingContext(ctx)
		if db.dialect != sqlite || sqliteCode(err) != sqlite3.SQLITE_BUSY || time.Since(began) > patience {
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

// unmigrated explains to the operator why the schema was not brought up to date
// if the cause is a full disk, or that nothing can be written beside the SQLite
// file.
func (d dialect) unmigrated(url string, err error) error {
	file := strings.TrimPrefix(url, "sqlite:")
	switch {
	case d == sqlite && diskFull(err):
		return &unreachableError{gangway.Errorf(gangway.Unavailable, "the schema cannot be brought up to date, as the "+
			"disk with the database file %s is full: make room, and the next start goes on", file), err}
	case d == sqlite && unwritable(err) && whyUnopenable(file) != "", d == postgres && diskFull(err):
		return &unreachableError{d.unreachable(url, err), err}
	}
	return err
}

// worthWaiting reports whether a database that failed with err may become
// available by itself: it is starting, restarting, or cannot be reached yet. A
// wrong password, a wrong name or a missing folder stays wrong.
func (d dialect) worthWaiting(err error) bool {
	if d == sqlite {
		return false
	}
	if pg := (*pgconn.PgError)(nil); errors.As(err, &pg) {
		broken := pg.Code == "XX000" && pg.Severity == "FATAL" // as when its disk is too full for a connection
		return broken || strings.HasPrefix(pg.Code, "57P") || strings.HasPrefix(pg.Code, "53") ||
			strings.HasPrefix(pg.Code, "58") || strings.HasPrefix(pg.Code, "08")
	}
	return d.away(err)
}
