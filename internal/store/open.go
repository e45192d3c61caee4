package store

import (
	"cmp"
	"context"
	"database/sql"
	"io/fs"
	"log/slog"
	"strings"
	"time"

	"gangway/internal/store/internal/gate"
)

// Options say how a database is opened.
type Options struct {
	Log       *slog.Logger  // where it logs what takes time; nil: nowhere
	Serve     bool          // for a server, not for a command that runs beside one
	MustExist bool          // the database must exist: no new file is created
	Slow      time.Duration // statements that take as long are logged; 0: none
	Name      string        // how PostgreSQL's operator sees the connections; empty: "gangway"

	// Pending is told the database's schema, 0 without one, before it is brought up to date. Its error prevents that.
	Pending func(schema int64) error

	migrations fs.FS    // of a test, in place of the program's own
	from       CopyFrom // what an empty database is filled from; nil: it is as it is
	until      int64    // the schema of that copy
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
	askAgain  = gate.AskAgain
	patience  = gate.Patience
	sayAgain  = 15 * time.Second
	listening = 5 * time.Second // how long it may take to begin to listen
)

// What callers of the store know of its database's being away.
var (
	ErrAway       = gate.ErrAway
	ErrNoDatabase = gate.ErrNoDatabase
	Told          = gate.Told
	Shown         = gate.Shown
	MakePrivate   = gate.MakePrivate
	withLongWork  = gate.WithLongWork
	connectApart  = gate.ConnectApart
	away          = gate.Away
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
	o.Log = cmp.Or(o.Log, slog.New(slog.DiscardHandler))
	d, err := gate.DialectOf(url)
	if err != nil {
		return nil, err
	}
	if file, ok := strings.CutPrefix(url, "sqlite:"); ok {
		if err := gate.CheckFile(file, o.MustExist); err != nil {
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
		case !o.Serve || ctx.Err() != nil || !d.WorthWaiting(err):
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

func open(ctx context.Context, d gate.Dialect, url string, o Options) (_ *DB, err error) {
	registerOnce()
	file, ok := strings.CutPrefix(url, "sqlite:")
	db := &DB{dialect: dialect(d), wakes: newWakes(), told: newTold(), wereOpen: d.MakePrivateFiles(url),
		bulky: make(bulkyTurn, 1), keep: UsualKeep, knows: newest(o.known()), guard: gate.NewGuard(d, file)}
	var long *sql.DB
	db.writer, db.reader, long, err = d.OpenPools(url, gate.Options{Serve: o.Serve, Name: o.Name},
		gate.Aside{SQLite: reportsOnSQLite, Postgres: reportsOnPostgres}, db.guard)
	if err != nil {
		return nil, err
	}
	db.reports = openReports(long)
	defer func() {
		if err != nil {
			db.Close()
		}
	}()
	if err := d.Connect(ctx, url, db.writer); err != nil {
		return nil, err
	}
	if ok && o.Serve {
		if db.served, err = gate.ServeFile(file, o.Log); err != nil {
			return nil, err
		}
	}
	if err := db.checkUnfinished(ctx, o.from != nil); err != nil {
		return nil, err
	}
	if err := migrate(ctx, db.dialect, url, db.writer.DB, o); err != nil {
		return nil, d.Unmigrated(url, err)
	}
	if o.from != nil {
		if err := db.load(ctx, url, o); err != nil {
			return nil, err
		}
	}
	if db.dialect == postgres {
		db.Hear(newsSubject, db.heardNews)
		if err := db.wakes.listen(ctx, url, o.Name); err != nil {
			return nil, err
		}
	}
	if db.dialect == sqlite && o.Serve {
		db.wakes.watch(ctx, db.writer)
	}
	db.guard.TellSlow(o.Slow, o.Log)
	if o.Serve {
		db.guard.Outage.Attend(o.Log, db.recheck)
		db.guard.SetPatience(patience)
	}
	if db.dialect == sqlite && o.Serve {
		if err := db.expireLeases(ctx); err != nil && o.Log != nil {
			o.Log.Warn("the leases of work could not be ended; they expire by themselves", "error", err)
		}
	}
	return db, nil
}

// WereOpen returns the files of the database that others on the machine could
// read until it was opened just now.
func (db *DB) WereOpen() []string { return db.wereOpen }
