package main

import (
	"errors"
	"fmt"
	"log/slog"
	"strings"

	"gangway/internal/gangway"
	"gangway/internal/store"
)

type verifyCommand struct{ dataFlags }

// A verification is the answer of verify.
type verification struct {
	Breaches int             `json:"breaches"`
	Checks   []store.Checked `json:"checks"`
}

// Run looks whether the database is as it must be.
func (c *verifyCommand) Run(t *terminal) error {
	db, err := c.open(t)
	if err != nil {
		return err
	}
	var v verification
	if v.Checks, err = db.Verify(t.ctx); err != nil {
		return err
	}
	var text strings.Builder
	for _, k := range v.Checks {
		said := "ok"
		if v.Breaches += k.Breaches; k.Breaches > 0 {
			said = fmt.Sprintf("BROKEN (%d): %s", k.Breaches, k.Do)
		}
		fmt.Fprintf(&text, "%-16s %9d  %s\n", k.Check, k.Rows, said)
		for _, line := range k.First {
			fmt.Fprintf(&text, "        %s\n", line)
		}
	}
	if err := c.print(t, v, text.String()); err != nil || v.Breaches == 0 {
		return err
	}
	return gangway.Errorf(gangway.Conflict, "%d rows of the database are not as they must be", v.Breaches)
}

type migrateCommand struct {
	dataFlags
	DryRun bool `help:"Only say what would be done."`
}

// A migration is the answer of migrate.
type migration struct {
	From int64 `json:"from"` // 0: the database is empty
	To   int64 `json:"to"`
}

var errDryRun = errors.New("nothing is migrated")

// Run brings the schema up to date, as the start of a server does too.
func (c *migrateCommand) Run(t *terminal) error {
	var m migration
	db, err := c.openWith(t, store.Options{Log: slog.New(slog.NewTextHandler(t.err, nil)), MustExist: c.DryRun,
		Pending: func(schema int64) error {
			if m.From, m.To = schema, max(schema, store.Schema()); c.DryRun {
				return errDryRun
			}
			return nil
		}})
	if err == nil {
		err = db.Close()
	}
	if err != nil && !errors.Is(err, errDryRun) {
		return err
	}
	text := fmt.Sprintf("The schema was brought from %d to %d.\n", m.From, m.To)
	if c.DryRun {
		text = fmt.Sprintf("The schema would be brought from %d to %d.\n", m.From, m.To)
	}
	return c.print(t, m, text)
}
