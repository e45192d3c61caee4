package gate

import (
	"context"
	"database/sql/driver"
	"os"
	"time"

	"github.com/gofrs/flock"
)

// A writeTurn has the processes that write to one SQLite file take turns. SQLite lets in whoever asks just when
// nobody writes, and who waits asks now and then: a process that begins its next transaction as soon as it has
// committed one would keep all others out for as long as it works.
//
// Whoever is next to write holds a lock on a file beside the database until SQLite has let it in, so that nobody
// overtakes it. The lock is a courtesy and guards nothing: who cannot have it goes on without.
type writeTurn struct {
	next   *flock.Flock
	yields bool // rests while others write: a command, beside the server that people wait for
}

func newWriteTurn(file string, yields bool) *writeTurn {
	return &writeTurn{flock.New(realFile(file)+".next", flock.SetFlag(os.O_CREATE|os.O_RDWR),
		flock.SetPermissions(0o600)), yields}
}

const (
	// turnLook is how often whoever waits to be next looks.
	turnLook = 2 * time.Millisecond

	// turnAtMost is for how long the lock is waited for. Who holds it is let in by SQLite long before, unless its
	// process was stopped, or so much is written that nothing helps.
	turnAtMost = time.Second

	// fewLooks is how many times in a row nobody else is next until a command ends its rest: an upload or a booking
	// is several transactions, one soon after the other.
	fewLooks = 3
)

// take waits until this process is the next one to write, whose last transaction took as long as lasted, and returns
// what says that it has been let in.
func (t *writeTurn) take(ctx context.Context, lasted time.Duration) (taken func()) {
	release := func() { _ = t.next.Unlock() }
	mine, err := t.next.TryLock()
	if mine || err != nil {
		return release
	}
	if t.yields {
		t.rest(ctx, lasted)
	}
	ctx, cancel := context.WithTimeout(ctx, turnAtMost)
	defer cancel()
	_, _ = t.next.TryLockContext(ctx, turnLook)
	return release
}

// rest lets others write, as long as this process has worked at most: where they write all the time, its work takes
// twice as long.
func (t *writeTurn) rest(ctx context.Context, atMost time.Duration) {
	enough := time.NewTimer(min(atMost, turnAtMost))
	defer enough.Stop()
	look := time.NewTicker(turnLook)
	defer look.Stop()
	for free := 0; free < fewLooks; {
		select {
		case <-look.C:
		case <-enough.C:
			return
		case <-ctx.Done():
			return
		}
		mine, err := t.next.TryLock()
		if err != nil {
			return
		}
		if free++; !mine {
			free = 0
		}
		_ = t.next.Unlock()
	}
}

// A writingConn is the connection that a SQLite file is written by.
type writingConn struct {
	*sqliteConn
	turn   *writeTurn
	within bool          // a transaction
	lasted time.Duration // the last one
}

// BeginTx begins a transaction when it is this process's turn.
func (c *writingConn) BeginTx(ctx context.Context, options driver.TxOptions) (driver.Tx, error) {
	defer c.turn.take(ctx, c.lasted)()
	tx, err := c.sqliteConn.BeginTx(ctx, options)
	if err != nil {
		return nil, err
	}
	c.within = true
	return &writingTx{tx, c, time.Now()}, nil
}

// ExecContext executes a statement; one that is no part of a transaction waits for its turn.
func (c *writingConn) ExecContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Result, error) {
	if !c.within {
		defer c.turn.take(ctx, 0)()
	}
	return c.sqliteConn.ExecContext(ctx, query, args)
}

type writingTx struct {
	driver.Tx
	conn  *writingConn
	began time.Time
}

// Commit ends the transaction.
func (t *writingTx) Commit() error {
	defer t.over()
	return t.Tx.Commit()
}

// Rollback undoes the transaction.
func (t *writingTx) Rollback() error {
	defer t.over()
	return t.Tx.Rollback()
}

func (t *writingTx) over() { t.conn.within, t.conn.lasted = false, time.Since(t.began) }
