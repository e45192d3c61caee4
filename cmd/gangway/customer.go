package main

import (
	"cmp"
	"fmt"
	"strings"

	"gangway/internal/gangway"
	"gangway/internal/store"
)

type customerCommand struct {
	Remove customerRemove `cmd:"" help:"Remove a customer with all it has, in both environments."`
}

type customerRemove struct {
	customerFlags
	erasureFlags
	Yes bool `help:"Remove without asking. There is no way back but a backup."`
}

// Run removes the customer; without --yes it shows what would be removed, and asks for
// confirmation at a terminal.
func (c *customerRemove) Run(t *terminal) error {
	db, err := c.open(t)
	if err != nil {
		return err
	}
	if noted, _ := c.logTo(c.storeFlags, db); !noted { // erasing says that the log cannot be written
		c.warnUnlogged(t)
	}
	had, err := c.remove(t, db)
	if err != nil && gangway.KindOf(err) != gangway.NotFound {
		return err
	}
	// The customer is gone already if an earlier run was interrupted right here.
	if err := cmp.Or(err, db.Wipe(t.ctx)); err != nil {
		return err
	}
	return c.print(t, had, "Removed:\n"+belongingsWords(had))
}

func (c *customerRemove) remove(t *terminal, db *store.DB) (store.Belongings, error) {
	if !c.Yes {
		had, err := db.Belongings(t.ctx, c.Customer)
		if err != nil {
			return had, err
		}
		fmt.Fprint(t.err, "This would remove for good:\n", belongingsWords(had))
		typed, there := askQuestion(t, "Type the customer's name to remove it: ")
		switch {
		case !there:
			return had, gangway.Errorf(gangway.Conflict, "nothing was removed: --yes removes it")
		case t.ctx.Err() != nil:
			return had, gangway.Errorf(gangway.Conflict, "nothing was removed: the question was interrupted")
		case typed != had.Name:
			return had, gangway.Errorf(gangway.Conflict,
				"nothing was removed: what was typed is not the customer's name, %s", had.Name)
		}
	}
	return db.RemoveCustomer(t.ctx, t.actor(), c.Customer, t.now())
}

func belongingsWords(b store.Belongings) string {
	var text strings.Builder
	fmt.Fprintf(&text, "  %s: %s, production and development\n", b.Customer, b.Name)
	if !b.Removing.IsZero() {
		fmt.Fprintf(&text, "  is being removed since %s; this is what was left:\n", agoWords(b.Removing))
	}
	for _, row := range []struct {
		n    int
		what string
	}{
		{b.Bookings, "bookings, with all that happened to them"}, {b.Travellers, "travellers"},
		{b.Requests, "travel requests"}, {b.CrewChanges, "crew changes"},
		{b.People, "people who sign in"}, {b.Keys, "API keys in use"}, {b.Outlets, "outlets"},
	} {
		fmt.Fprintf(&text, "  %8d  %s\n", row.n, row.what)
	}
	if b.Standing > 0 {
		fmt.Fprintf(&text, "  %d of the bookings were neither cancelled nor declined: airlines and suppliers are "+
			"told nothing.\n", b.Standing)
	}
	return text.String()
}
