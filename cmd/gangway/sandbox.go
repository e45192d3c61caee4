package main

import (
	"fmt"
	"log/slog"
	"slices"

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

// play does something with the account, and prints what came of it.
func (f sandboxFlags) play(t *terminal,
	do func(*sandbox.Sandbox, store.Scoped) (answer any, text string, err error)) error {
	db, account, err := accountFlags(f).account(t)
	if err != nil {
		return err
	}
	if err := account.AdmitsSandbox(); err != nil {
		return err
	}
	log := slog.New(slog.NewTextHandler(t.err, &slog.HandlerOptions{Level: slog.LevelError}))
	sellers, err := newSuppliers(sim.Config{Now: t.now}, "", nil, log)
	if err != nil {
		return err
	}
	desk := book.New(book.Config{DB: db, Suppliers: sellers.of, Now: t.now, Log: log})
	answer, text, err := do(sandbox.New(desk, t.now, log), db.In(account.Scope()))
	if err != nil {
		return err
	}
	return f.print(t, answer, text)
}

// doneTo says what was done to a booking.
func doneTo(b sandbox.Played) string {
	return fmt.Sprintf("Booking %s: %s.\n", b.Locator, listWords(b.Actions))
}

type sandboxSend struct {
	sandboxFlags
	State gangway.SandboxState `required:"" help:"One of the seven states, changed or refunded."`
}

func (c *sandboxSend) check() error {
	if all := gangway.SandboxStates(); !slices.Contains(all, c.State) {
		return wrongUsage("--state is one of %s", listWords(all))
	}
	return nil
}

// Run makes the booking. A server beside it pushes what happens.
func (c *sandboxSend) Run(t *terminal) error {
	return c.play(t, func(s *sandbox.Sandbox, in store.Scoped) (any, string, error) {
		sent, err := s.Send(t.ctx, in, t.actor(), nil, c.State)
		return sent, doneTo(sent), err
	})
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
	return c.play(t, func(s *sandbox.Sandbox, in store.Scoped) (any, string, error) {
		done, err := s.Advance(t.ctx, in, t.actor(), by)
		text := fmt.Sprintf("The account's clock says %s.\n", done.Clock.Format("Mon 2 Jan 2006 15:04 UTC"))
		for _, b := range done.Bookings {
			text += doneTo(b)
		}
		return done, text, err
	})
}

type sandboxDisrupt struct {
	sandboxFlags
	Booking    string             `required:"" placeholder:"LOCATOR" help:"The booking."`
	Disruption gangway.Disruption `arg:"" help:"What the airline does to a flight: cancel, delay or retime."`
}

func (c *sandboxDisrupt) check() error {
	if !slices.Contains(gangway.Disruptions, c.Disruption) {
		return wrongUsage("an airline can do one of these to a flight: %s", listWords(gangway.Disruptions))
	}
	return nil
}

// Run tells the airline, and has the desk follow.
func (c *sandboxDisrupt) Run(t *terminal) error {
	return c.play(t, func(s *sandbox.Sandbox, in store.Scoped) (any, string, error) {
		done, err := s.Disrupt(t.ctx, in, t.actor(), c.Booking, c.Disruption)
		if len(done.Actions) == 0 {
			const told = "Booking %s: the airline was told; nothing has come of it yet.\n"
			return done, fmt.Sprintf(told, done.Locator), err
		}
		return done, doneTo(done), err
	})
}
