// Package sandbox makes things happen in a development account, for integrators who have no booker: it brings
// bookings to a state, moves the account's clock forward, and has airlines disrupt flights.
//
// It has no moves of its own: the desk makes them (package book), the simulated network sells, and what happens
// is pushed and waits to be pulled like everything else. It refuses accounts whose bookings are real.
package sandbox

import (
	"context"
	"log/slog"
	"time"

	"gangway/internal/book"
	"gangway/internal/gangway"
	"gangway/internal/store"
)

// A Sandbox plays with development accounts. Any number of them, and servers beside them, can share a database.
type Sandbox struct {
	desk *book.Desk
	now  func() time.Time
	log  *slog.Logger
}

// New returns a sandbox in which a desk makes the moves; now is the real time.
func New(desk *book.Desk, now func() time.Time, log *slog.Logger) *Sandbox {
	return &Sandbox{desk, now, log}
}

// A Played is a booking to which something happened.
type Played struct {
	Booking string          `json:"booking"`
	Locator string          `json:"locator"`
	Actions []gangway.State `json:"actions"` // that were made of it, in their order, as they are sent
}

// open reads the account of in, with its clock as it is now, and refuses those that have no sandbox.
func (s *Sandbox) open(ctx context.Context, in store.Scoped) (store.Scoped, error) {
	account, err := in.Account(ctx)
	if err == nil {
		err = account.AdmitsSandbox()
	}
	if err != nil {
		return in, err
	}
	return in.At(account.Ahead), nil
}

// since returns a booking with its actions after the first n.
func since(ctx context.Context, in store.Scoped, b gangway.Booking, n int) (Played, error) {
	history, err := in.History(ctx, b.ID)
	p := Played{b.ID, b.Locator, []gangway.State{}}
	for _, a := range history {
		if a.Seq > n {
			p.Actions = append(p.Actions, a.Name)
		}
	}
	return p, err
}
