package store

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"strings"
	"sync"
	"syscall"
	"time"

	"gangway"

	"github.com/jackc/pgx/v5/pgconn"
	sqlitedriver "modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// ErrAway says that the database is stopped, hangs, is full or may not be
// written to: nothing is wrong with what was asked for, and it may be asked for
// again. The store tells the log of it; nobody else needs to.
var ErrAway = gangway.Errorf(gangway.Unavailable, "Gangway cannot reach its database just now, or cannot write to "+
	"it: please try again in a moment")

// tellEvery is how often an outage is told of while it lasts.
const tellEvery = 10 * time.Second

// An outage is what is known of the database being away.
type outage struct {
	mu      sync.Mutex
	log     *slog.Logger
	file    string    // of SQLite's
	refused time.Time // when last a write was refused
	full    bool      // one was refused for want of room, and nothing of a size has been written since

	began   time.Time // zero while the database is there
	last    time.Time // when last somebody was refused
	told    time.Time
	untold  int // refused since
	answers int // refused since it began

	check func(ctx context.Context) error // whether it is there again; nil for a command, which does not wait for it
	stop  context.CancelFunc
	ctx   context.Context
	waits sync.WaitGroup
}

// note makes an error of the driver one that says that the database is away,
// and tells the log: when that begins, and once in a while.
func (o *outage) note(ctx context.Context, err error) error {
	if o.tells() {
		err = explained(err, o.file)
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	now := time.Now()
	if unwritable(err) {
		o.refused = now
		o.full = o.full || roomless(err)
	}
	if ctx.Value(checkKey{}) == nil { // nobody waits for the answer of a check
		o.last = now
		o.untold++
		o.answers++
	}
	switch {
	case o.began.IsZero():
		o.log.Error("the database is away", "error", err)
		o.began, o.told, o.untold = now, now, 0
		if o.check != nil && o.ctx.Err() == nil {
			o.waits.Go(o.await)
		}
	case now.Sub(o.told) >= tellEvery:
		o.log.Error("the database is still away", "error", err, "since", o.began.UTC().Format(time.RFC3339), "answers",
			o.untold)
		o.told, o.untold = now, 0
	}
	return fmt.Errorf("%w: %w", ErrAway, err)
}

// tells reports whether somebody reads what is noted next: the log, or whoever
// has run a command.
func (o *outage) tells() bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.check == nil || o.began.IsZero() || time.Since(o.told) >= tellEvery
}

// wrote notes that a transaction was written: whatever was refused before, the
// database can be written to again.
func (o *outage) wrote() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.refused = time.Time{}
}

// unwritten reports whether the database refused to be written to just now. It
// is asked again soon: a balancer waits for the answer.
func (o *outage) unwritten() bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	return !o.refused.IsZero() && time.Since(o.refused) < askAgain
}

// isFull reports whether there was no room for something that was to be written.
// A small write may succeed on a full disk, so only a write of some size shows that there is room
// again.
func (o *outage) isFull() bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.full
}

// hasRoom notes that something of a size was written.
func (o *outage) hasRoom() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.full = false
}

// away reports whether an error of the driver says that the database is away,
// rather than that something is wrong with what it was asked.
func (d dialect) away(err error) bool {
	if d == sqlite {
		switch sqliteCode(err) {
		case sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN,
			sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_PROTOCOL:
			return true
		}
		return false // SQLITE_CORRUPT and SQLITE_NOTADB are errors: they do not pass by themselves
	}
	if pg := (*pgconn.PgError)(nil); errors.As(err, &pg) && !errors.As(err, new(*pgconn.ConnectError)) {
		return postgresAway(pg.Code)
	}
	// All that is no word of the server's comes from the connection to it.
	return errors.As(err, new(*pgconn.ConnectError)) || errors.As(err, new(net.Error)) || pgconn.Timeout(err) ||
		pgconn.SafeToRetry(err) ||
		errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, net.ErrClosed) ||
		errors.As(err, new(syscall.Errno)) ||
		errors.Is(err, driver.ErrBadConn) || strings.Contains(err.Error(), "conn closed")
}

// postgresAway says it of a word of PostgreSQL's own.
func postgresAway(code string) bool {
	switch code {
	case "25006", // read-only transaction: a standby, or default_transaction_read_only
		"55P03", // lock_not_available
		"57014": // query_canceled, by statement_timeout
		return true
	}
	switch code[:min(2, len(code))] {
	case "08", // connection
		"53", // insufficient resources: disk full, out of memory, too many connections
		"58": // system error, as of the disk
		return true
	}
	return strings.HasPrefix(code, "57P") // shut down, crashed, starting up
}

// unwritable reports whether err says that the database cannot be written to,
// while it may well be read.
func unwritable(err error) bool {
	if pg := (*pgconn.PgError)(nil); errors.As(err, &pg) {
		return pg.Code == "53100" || pg.Code == "25006"
	}
	code := sqliteCode(err)
	return errors.Is(err, syscall.ENOSPC) || code == sqlite3.SQLITE_FULL || code == sqlite3.SQLITE_READONLY ||
		code == sqlite3.SQLITE_IOERR
}

// roomless reports whether err says that the disk is full.
func roomless(err error) bool {
	if pg := (*pgconn.PgError)(nil); errors.As(err, &pg) {
		return pg.Code == "53100"
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
