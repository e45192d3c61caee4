package gate

import (
	"context"
	"database/sql/driver"
	"os"
	"time"

	"github.com/gofrs/flock"
)

// A writeTurn makes the processes that write to one SQLite file take turns. SQLite lets in the process that asks while
// nobody writes, and a waiting process asks every 100 ms: a process that begins a transaction right after its last
// commit would keep all others out.
//
// The next process to write holds a lock on a file beside the database until SQLite lets it in, so that nobody
// overtakes it. The lock guards nothing: a process that cannot get it writes without it.
type writeTurn struct {
	next   *flock.Flock
	yields bool // a command: it rests while the server writes, because people wait for the server
}

func newWriteTurn(file string, yields bool) *writeTurn {
	return &writeTurn{flock.New(realFile(file)+".next", flock.SetFlag(os.O_CREATE|os.O_RDWR),
		flock.SetPermissions(0o600)), yields}
}

const (
	// turnLook is how often a waiting process tries to become the next.
	turnLook = 2 * time.Millisecond

	// turnAtMost is how long a process waits for the lock. SQLite lets in its holder long before, unless the holder
	// was stopped, or so much is written that nothing helps.
	turnAtMost = time.Second

	// fewLooks is how many tries in a row find the lock free before a command ends its rest: an upload or a booking
	// is several transactions, one soon after the other.
	fewLooks = 3
)

// take waits until this process is the next to write. The caller calls taken once SQLite has let it in. lasted is how
// long the process's last transaction took.
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

// rest lets others write, for atMost at most. A command beside a server that writes all the time takes twice as long.
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
