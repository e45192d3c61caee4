// Package lease has work that one process owns at a time. The owner renews its lease while it works, and gives it back
// at the end. If it dies or hangs, the lease expires and another process takes the work.
//
// A lease is two columns of the work's own table: lease is until when the owner has it, in milliseconds, and holder
// names the owner. Nothing is written for a lease that somebody else has taken.
package lease

import (
	"context"
	"crypto/rand"
	"database/sql"
	"fmt"
	"strings"
	"sync/atomic"
	"time"
)

// NewHolder returns a new name for an owner.
func NewHolder() string { return rand.Text() }

// A Table has rows of work, each of an account.
type Table struct {
	Name    string
	Key     string // the column that identifies a row within its account
	Open    string // the condition of a row with work left
	Unnamed bool   // it has no holder: whoever knows the key may renew the lease
}

// Take takes a row that nobody owns at now.
func (t Table) Take(ctx context.Context, tx *sql.Tx, account, key, holder string, now, until int64) (bool, error) {
	set, args := "lease = $4", []any{account, key, now, until}
	if !t.Unnamed {
		set, args = set+", holder = $5", append(args, holder)
	}
	return t.update(ctx, tx, set, "lease <= $3 AND "+t.Open, args)
}

// Renew extends the holder's lease of a row to until.
func (t Table) Renew(ctx context.Context, tx *sql.Tx, account, key, holder string, until int64) (bool, error) {
	if t.Unnamed {
		return t.update(ctx, tx, "lease = $3", t.Open, []any{account, key, until})
	}
	return t.update(ctx, tx, "lease = $4", "holder = $3", []any{account, key, holder, until})
}

func (t Table) update(ctx context.Context, tx *sql.Tx, set, which string, args []any) (bool, error) {
	res, err := tx.ExecContext(ctx, `
		UPDATE `+t.Name+`
		SET `+set+`
		WHERE account = $1 AND `+t.Key+` = $2 AND `+which, args...)
	if err != nil {
		return false, fmt.Errorf("lease %s %v: %w", strings.ReplaceAll(t.Name, "_", " "), args[1], err)
	}
	n, err := res.RowsAffected()
	return n == 1, err
}

// Expire ends the leases of all rows. It is for a process that has the database to itself: their owners are dead.
func (t Table) Expire(ctx context.Context, tx *sql.Tx) error {
	if _, err := tx.ExecContext(ctx, `UPDATE `+t.Name+` SET lease = 0 WHERE lease > 0 AND `+t.Open); err != nil {
		return fmt.Errorf("end the leases of %s: %w", t.Name, err)
	}
	return nil
}

// A Lease is what its owner knows of it without asking the database.
type Lease struct {
	Holder string
	until  atomic.Pointer[time.Time]
}

// New returns a lease that ends at a time.
func New(holder string, until time.Time) *Lease {
	l := &Lease{Holder: holder}
	l.Extend(until)
	return l
}

// Extend notes that the lease ends at a later time.
func (l *Lease) Extend(until time.Time) { l.until.Store(&until) }

// Lasts reports whether nobody else can have taken the work for another while. It asks both clocks, since the monotonic
// one stands still while a virtual machine is stopped.
func (l *Lease) Lasts(another time.Duration) bool {
	now, until := time.Now().Add(another), *l.until.Load()
	return now.Before(until) && now.Round(0).Before(until.Round(0))
}
