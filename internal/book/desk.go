// Package book is the desk: it suggests travellers, searches, books, issues, changes, cancels, asks
// for approval, and does what falls due without anybody asking.
//
// It has no rules about a booking's states (lifecycle.go has them) and sells nothing itself:
// suppliers do, behind package flight. What it adds is safety: it writes an intent before it asks a
// supplier for something, and after a crash it asks what became of the request instead of repeating
// it.
package book

import (
	"context"
	"crypto/rand"
	"encoding/base32"
	"encoding/binary"
	"errors"
	"log/slog"
	"strings"
	"time"

	"gangway/internal/book/flight"
	"gangway/internal/gangway"
	"gangway/internal/store"
)

// Config is what a Desk needs.
type Config struct {
	DB        *store.DB
	Suppliers Suppliers
	Now       func() time.Time
	Log       *slog.Logger
	Forget    store.Forget // takes travellers from suppliers' documents; nil: nobody is in them
	Asker     Asker        // asks customers' systems; nil: none is asked
}

// Suppliers returns the supplier with a name, set up for an account. Without a name it is the
// supplier that the account books with. Unavailable: it cannot be used now, for instance because
// its token is missing; the error says what to do.
type Suppliers func(ctx context.Context, in store.Scoped, name string) (flight.Supplier, error)

// A Desk books for all accounts. It is safe for use by many goroutines, and any number of desks can
// share a database.
type Desk struct {
	db        *store.DB
	suppliers Suppliers
	clock     func() time.Time // real time; see now
	log       *slog.Logger
	forget    store.Forget
	asker     Asker
	progress  progressCache
}

// New returns a desk.
func New(c Config) *Desk {
	return &Desk{db: c.DB, suppliers: c.Suppliers, clock: c.Now, log: c.Log, forget: c.Forget,
		asker: c.Asker}
}

// now returns the time by the clock of an account: all that happens to its bookings happens by that one. What
// processes agree on, such as leases, is by d.clock.
func (d *Desk) now(in store.Scoped) time.Time { return in.Now(d.clock()) }

// Simulated reports whether an account books with simulated airlines only. It is false if the
// account's supplier cannot be used now: then nothing can be booked anyway.
func (d *Desk) Simulated(ctx context.Context, in store.Scoped) (simulated bool, err error) {
	supplier, err := d.suppliers(ctx, in, "")
	if gangway.KindOf(err) == gangway.Unavailable && !errors.Is(err, store.ErrAway) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	return supplier.Simulated(), nil
}

// inOrder writes bytes with the letters and digits that identifiers have always had, so that texts sort as the bytes.
var inOrder = base32.NewEncoding("234567abcdefghijklmnopqrstuvwxyz")

// NewID returns an opaque identifier of 26 letters and digits: nine for the time in milliseconds, and 85 random bits,
// so that it cannot be guessed. Those that are made one after another lie beside each other in every index, so that
// writing them costs the same however many there are.
func NewID() string {
	const spare, letters = 19, 9 // milliseconds have 45 bits, of 64: nine letters of 5
	at := binary.BigEndian.AppendUint64(nil, uint64(time.Now().UnixMilli())<<spare)
	return inOrder.EncodeToString(at)[:letters] + strings.ToLower(rand.Text())[letters:]
}

// newLocator returns six letters and digits, of a billion possible ones.
func newLocator() string {
	b := make([]byte, gangway.LocatorLength)
	rand.Read(b)
	for i := range b {
		b[i] = gangway.LocatorLetters[int(b[i])%len(gangway.LocatorLetters)]
	}
	return string(b)
}
