package gate

import (
	"context"
	"database/sql/driver"
	"errors"
	"io"
	"log/slog"
	"net"
	"strings"
	"sync"
	"syscall"
	"time"

	"gangway/internal/gangway"

	"github.com/jackc/pgx/v5/pgconn"
	sqlitedriver "modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// ErrAway says that the database is stopped, hangs, is full or cannot be written
// to. Nothing is wrong with the request, which may be repeated. The store logs
// it; nobody else needs to.
var ErrAway = gangway.Errorf(gangway.Unavailable, "Gangway cannot reach its database just now, or cannot write to "+
	"it: please try again in a moment")

// An awayError is ErrAway with the reason.
type awayError struct{ why error }

// Away returns ErrAway with the reason why, which may have ErrAway already.
func Away(why error) error {
	if errors.Is(why, ErrAway) {
		return why
	}
	return &awayError{why}
}

// Error has both.
func (e *awayError) Error() string { return ErrAway.Error() + ": " + e.why.Error() }

// Unwrap returns both.
func (e *awayError) Unwrap() []error { return []error{ErrAway, e.why} }

// Told returns what an operator is told of err: where the database is away, not what was being done, but why, or only
// what to do where that is known. Any other error is returned as it is.
func Told(err error) error {
	if known := (*unreachableError)(nil); errors.As(err, &known) {
		return known
	}
	if away := (*awayError)(nil); errors.As(err, &away) {
		return away
	}
	return err
}

// Shown returns what anybody may read of err: of a database that is away, no address and no user.
func Shown(err error) error {
	if told := Told(err); !errors.As(told, new(*awayError)) {
		return told
	}
	return ErrAway
}

// logEvery is how often an outage is logged while it lasts.
const logEvery = 10 * time.Second

// An Outage records what is known about the database being away.
type Outage struct {
	mu      sync.Mutex
	log     *slog.Logger
	file    string    // SQLite's
	Refused time.Time // when a write was last refused
	full    bool      // a write was refused for lack of room, and nothing of some size has been written since

	began    time.Time // zero while the database is available
	last     time.Time // when somebody was last refused
	logged   time.Time
	unlogged int // refused since it was last logged
	answers  int // refused since it began

	check func(ctx context.Context) error // whether it is available again; nil for a command, which does not wait
	stop  context.CancelFunc
	ctx   context.Context
	waits sync.WaitGroup
}

// Log returns where outages are logged.
func (o *Outage) Log() *slog.Logger {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.log
}

// Note wraps a driver's error in ErrAway, and logs the outage when it begins and
// at intervals while it lasts. That this process was paused is no outage.
func (o *Outage) Note(ctx context.Context, err error) error {
	if paused(err) { // and nothing is wrong with the database
		o.log.Warn("the database ended a transaction, since this process was paused in it", "error", err)
		return Away(err)
	}
	if diskFull(err) || o.isRead() {
		err = explained(err, o.file)
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	now := time.Now()
	if unwritable(err) {
		o.Refused = now
		o.full = o.full || diskFull(err)
	}
	if ctx.Value(checkKey{}) == nil { // a check refuses nobody
		o.last = now
		o.unlogged++
		o.answers++
	}
	switch {
	case o.began.IsZero():
		o.log.Error("the database is away", "error", err)
		o.began, o.logged, o.unlogged = now, now, 0
		if o.check != nil && o.ctx.Err() == nil {
			o.waits.Go(o.await)
		}
	case now.Sub(o.logged) >= logEvery:
		o.log.Error("the database is still away", "error", err, "since", o.began.UTC().Format(time.RFC3339), "answers",
			o.unlogged)
		o.logged, o.unlogged = now, 0
	}
	return Away(err)
}

// isRead reports whether anybody will read the next error: in the log, or as the
// answer to a command. Only then is its cause worth finding.
func (o *Outage) isRead() bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.check == nil || o.began.IsZero() || time.Since(o.logged) >= logEvery
}

// Wrote notes that a transaction was committed: the database can be written to
// again, whatever it refused before.
func (o *Outage) Wrote() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.Refused = time.Time{}
}

// Unwritten reports whether the database has just refused a write. That holds
// only for a moment, because a load balancer waits for the answer.
func (o *Outage) Unwritten() bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	return !o.Refused.IsZero() && time.Since(o.Refused) < AskAgain
}

// IsFull reports whether a write was refused for lack of room. A small write may
// succeed on a full disk, so only one of some size shows that there is room again.
func (o *Outage) IsFull() bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.full
}

// HasRoom notes that something of some size was written.
func (o *Outage) HasRoom() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.full = false
}

// Away reports whether a driver's error says that the database is away, rather
// than that something is wrong with the statement.
func (d Dialect) Away(err error) bool {
	if d == SQLite {
		switch sqliteCode(err) {
		case sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN,
			sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_PROTOCOL:
			return true
		}
		return false // SQLITE_CORRUPT and SQLITE_NOTADB do not go away by themselves
	}
	if pg := (*pgconn.PgError)(nil); errors.As(err, &pg) && !errors.As(err, new(*pgconn.ConnectError)) {
		return postgresAway(pg.Code)
	}
	// Any error that the server did not send comes from the connection to it.
	return errors.As(err, new(*pgconn.ConnectError)) || errors.As(err, new(net.Error)) || pgconn.Timeout(err) ||
		pgconn.SafeToRetry(err) ||
		errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, net.ErrClosed) ||
		errors.As(err, new(syscall.Errno)) ||
		errors.Is(err, driver.ErrBadConn) || strings.Contains(err.Error(), "conn closed")
}

// postgresAway reports the same for an error code of PostgreSQL.
func postgresAway(code string) bool {
	switch code {
	case "25006", // read-only transaction: a standby, or default_transaction_read_only
		idleInTransaction,
		"55P03", // lock_not_available
		"57014": // query_canceled, by statement_timeout
		return true
	}
	switch code[:min(2, len(code))] {
	case "08", // connection
		"53", // insufficient resources: disk full, out of memory, too many connections
		"58": // system error, for example of the disk
		return true
	}
	return strings.HasPrefix(code, "57P") // shut down, crashed, starting up
}

// idleInTransaction is how PostgreSQL ends a transaction in which nothing has happened for longer than
// idle_in_transaction_session_timeout: this process was paused.
const idleInTransaction = "25P03"

// paused reports whether err says that it was this process that the database waited for.
func paused(err error) bool {
	pg := (*pgconn.PgError)(nil)
	return errors.As(err, &pg) && pg.Code == idleInTransaction
}

// unwritable reports whether err says that the database cannot be written to; it
// may still be readable.
func unwritable(err error) bool {
	if pg := (*pgconn.PgError)(nil); errors.As(err, &pg) {
		return pg.Code == "25006" || diskFull(err)
	}
	code := sqliteCode(err)
	return code == sqlite3.SQLITE_READONLY || code == sqlite3.SQLITE_IOERR || diskFull(err)
}

// diskFull reports whether err says that the disk is full. PostgreSQL says it by another code, and in English
// whatever its language, where it finds no room to begin a connection.
func diskFull(err error) bool {
	if pg := (*pgconn.PgError)(nil); errors.As(err, &pg) {
		return pg.Code == "53100" || pg.Code == "XX000" && pg.Message == "could not write init file"
	}
	return sqliteCode(err) == sqlite3.SQLITE_FULL || errors.Is(err, syscall.ENOSPC)
}

// sqliteCode returns the primary result code of an error of SQLite, and 0 of any other.
func sqliteCode(err error) int {
	if e := (*sqlitedriver.Error)(nil); errors.As(err, &e) {
		return e.Code() & 0xff
	}
	return 0
}

// settled is how long no request may be refused before an outage is over. Each
// request that began to wait during the outage is answered within that time. An
// outage in which some requests succeed stays one outage.
const settled = Patience

// checkTime is how long a check may take: as long as /readyz may.
const checkTime = 2 * time.Second

// checkKey marks the context of a check whether the database is available.
type checkKey struct{}

// Checking returns the context of such a check, which refuses nobody.
func Checking(ctx context.Context) context.Context { return context.WithValue(ctx, checkKey{}, true) }

// Attend makes a server log outages from now on, and their end, which check
// detects.
func (o *Outage) Attend(log *slog.Logger, check func(ctx context.Context) error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.ctx, o.stop = context.WithCancel(context.Background())
	o.log, o.check, o.began, o.answers = log, check, time.Time{}, 0
}

// Close stops waiting for the end of an outage.
func (o *Outage) Close() {
	o.mu.Lock() // from here on nobody starts to wait
	if o.stop != nil {
		o.stop()
	}
	o.mu.Unlock()
	o.waits.Wait()
}

// await checks once a second whether the outage is over, until it is.
func (o *Outage) await() {
	tick := time.NewTicker(AskAgain)
	defer tick.Stop()
	for back := (time.Time{}); ; {
		select {
		case <-o.ctx.Done():
			return
		case <-tick.C:
		}
		ctx, cancel := context.WithTimeout(o.ctx, checkTime)
		err := o.check(ctx)
		cancel()
		if back = o.backSince(back, err == nil); !back.IsZero() && o.over(back) {
			return
		}
	}
}

// backSince returns since when the database has been available, as far as is known.
func (o *Outage) backSince(since time.Time, there bool) time.Time {
	o.mu.Lock()
	defer o.mu.Unlock()
	switch {
	case !there:
		return time.Time{}
	case since.IsZero(), since.Before(o.last):
		return time.Now()
	}
	return since
}

// over reports whether the outage is over, and logs it if it is.
func (o *Outage) over(back time.Time) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	if time.Since(o.last) < settled {
		return false
	}
	o.log.Info("the database is back", "away", back.Sub(o.began).Round(time.Millisecond), "answers", o.answers)
	o.began, o.answers, o.unlogged = time.Time{}, 0, 0
	return true
}
