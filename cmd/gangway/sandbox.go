package main

import (
	"fmt"
	"log/slog"
	"slices"
	"strings"

	"gangway/internal/book"
	"gangway/internal/book/flight/sim"
	"gangway/internal/book/sandbox"
	"gangway/internal/gangway"
	"gangway/internal/store"
)

type sandboxCommand struct {
	Send    sandboxSend    `cmd:"" help:"Book an invented journey and bring it to a state."`
	Advance sandboxAdvance `cmd:"" help:"Move the account's clock forward."`
	Disrupt sandboxDisrupt `cmd:"" help:"Have an airline cancel, delay or retime a flight of a booking."`
}

// sandboxFlags name the account to play with. Production can be named, too, to be told that it is refused.
type sandboxFlags struct {
	customerFlags
	Environment string `enum:"production,development" default:"development" help:"Only ${default} is played with."`
}

// play opens the account; the caller closes the database.
func (f sandboxFlags) play(t *terminal) (*sandbox.Sandbox, *store.DB, store.Scoped, error) {
	db, account, err := accountFlags{f.customerFlags, f.Environment}.account(t)
	if err != nil {
		return nil, nil, store.Scoped{}, err
	}
	if err := account.AdmitsSandbox(); err != nil {
		db.Close()
		return nil, nil, store.Scoped{}, err
	}
	log := slog.New(slog.NewTextHandler(t.err, &slog.HandlerOptions{Level: slog.LevelError}))
	sellers, err := newSuppliers(sim.Config{Now: t.now}, "", log)
	if err != nil {
		db.Close()
		return nil, nil, store.Scoped{}, err
	}
	desk := book.New(book.Config{DB: db, Suppliers: sellers.of, Now: t.now, Log: log})
	return sandbox.New(desk, t.now, log), db, db.In(account.Scope()), nil
}

type sandboxSend struct {
	sandboxFlags
	State gangway.SandboxState `required:"" help:"One of the seven states, changed or refunded."`
}

func (c *sandboxSend) check() error {
	if all := gangway.SandboxStates(); !slices.Contains(all, c.State) {
		return wrongUsage("--state is one of %s", listed(all))
	}
	return nil
}

// listed writes values with commas.
func listed[T ~string](all []T) string {
	words := make([]string, len(all))
	for i, v := range all {
		words[i] = string(v)
	}
	return strings.Join(words, ", ")
}

// Run makes the booking. A server beside it pushes what happens.
func (c *sandboxSend) Run(t *terminal) error {
	s, db, in, err := c.play(t)
	if err != nil {
		return err
	}
	defer db.Close()
	sent, err := s.Send(t.ctx, in, t.actor(), nil, c.State)
	if err != nil {
		return err
	}
	return c.print(t, sent, fmt.Sprintf("Booking %s: %s.\n", sent.Locator, listed(sent.Actions)))
}

type sandboxAdvance struct {
	sandboxFlags
	By string `arg:"" placeholder:"TIME" help:"By how much, as in 26h, 90m or 3d."`
}

func (c *sandboxAdvance) check() error {
	if _, err := gangway.ParseForward(c.By); err != nil {
		return wrongUsage("%v", err)
	}
	return nil
}

// Run moves the clock, and does what is due on the way.
func (c *sandboxAdvance) Run(t *terminal) error {
	by, err := gangway.ParseForward(c.By)
	if err != nil {
		return err
	}
	s, db, in, err := c.play(t)
	if err != nil {
		return err
	}
	defer db.Close()
	done, err := s.Advance(t.ctx, in, t.actor(), by)
	if err != nil {
		return err
	}
	text := fmt.Sprintf("The account's clock says %s.\n", done.Clock.Format("Mon 2 Jan 2006 15:04 UTC"))
	for _, b := range done.Bookings {
		text += fmt.Sprintf("Booking %s: %s.\n", b.Locator, listed(b.Actions))
	}
	return c.print(t, done, text)
}

type sandboxDisrupt struct {
	sandboxFlags
	Booking    string             `required:"" placeholder:"LOCATOR" help:"The booking."`
	Disruption gangway.Disruption `arg:"" help:"What the airline does to a flight: cancel, delay or retime."`
}

func (c *sandboxDisrupt) check() error {
	if !slices.Contains(gangway.Disruptions, c.Disruption) {
		return wrongUsage("an airline can do one of these to a flight: %s", listed(gangway.Disruptions))
	}
	return nil
}

// Run tells the airline, and has the desk follow.
func (c *sandboxDisrupt) Run(t *terminal) error {
	s, db, in, err := c.play(t)
	if err != nil {
		return err
	}
	defer db.Close()
	done, err := s.Disrupt(t.ctx, in, t.actor(), c.Booking, c.Disruption)
	if err != nil {
		return err
	}
	text := fmt.Sprintf("Booking %s: %s.\n", done.Locator, listed(done.Actions))
	if len(done.Actions) == 0 {
		text = fmt.Sprintf("Booking %s: the airline was told; nothing has come of it yet.\n", done.Locator)
	}
	return c.print(t, done, text)
}
