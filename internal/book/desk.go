// Package book is the desk: it suggests travellers, searches, books, issues,
// changes, cancels, asks for approval, and does by itself what the clock asks
// for.
//
// It holds no rule of a booking's life (lifecycle.go does) and sells nothing
// itself: suppliers do, behind package flight. What it adds is safety: an
// intent is written before a supplier is asked, and followed up by asking what
// became of it, never by asking for the same thing twice.
package book

import (
	"context"
	"crypto/rand"
	"errors"
	"log/slog"
	"strings"
	"time"

	"gangway"
	"gangway/internal/book/flight"
	"gangway/internal/store"
)

// Config is what a Desk needs.
type Config struct {
	DB        *store.DB
	Suppliers Suppliers
	Now       func() time.Time
	Log       *slog.Logger
	Forget    store.Forget // takes travellers from suppliers' documents; nil: nobody is in them
}

// Suppliers returns the supplier of a name as an account sees it. Without a name
// it is the one that the account books with. Unavailable: it cannot be used now,
// as when its token is missing; the error says what to do.
type Suppliers func(ctx context.Context, in store.Scoped, name string) (flight.Supplier, error)

// A Desk books for all accounts. It is safe for use by many goroutines and
// beside any number of desks on the same database.
type Desk struct {
	db        *store.DB
	suppliers Suppliers
	now       func() time.Time
	log       *slog.Logger
	forget    store.Forget
}

// New returns a desk.
func New(c Config) *Desk {
	return &Desk{db: c.DB, suppliers: c.Suppliers, now: c.Now, log: c.Log, forget: c.Forget}
}

// Simulated reports whether nothing that an account books with is real. An
// account whose supplier cannot be used now books nothing.
func (d *Desk) Simulated(ctx context.Context, in store.Scoped) (bool, error) {
	supplier, err := d.suppliers(ctx, in, "")
	if gangway.KindOf(err) == gangway.Unavailable && !errors.Is(err, store.ErrAway) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	return supplier.Simulated(), nil
}

// NewID returns an identifier that is opaque and cannot be guessed, with 130 bits of chance.
func NewID() string { return strings.ToLower(rand.Text()) }

// newLocator returns six letters and digits, of a billion possible ones.
func newLocator() string {
	b := make([]byte, gangway.LocatorLength)
	rand.Read(b)
	for i := range b {
		b[i] = gangway.LocatorLetters[int(b[i])%len(gangway.LocatorLetters)]
	}
	return string(b)
}
