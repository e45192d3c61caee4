package store

import (
	"context"
	"database/sql"
	"errors"
	"slices"
	"strings"

	"gangway/internal/gangway"
)

// references returns what others call b: the airlines' locators and the customer's
// identifier of the crew change.
func references(b gangway.Booking) (list []string) {
	for _, r := range append(slices.Clone(b.PNRs), b.Purpose.TravelRequestID) {
		if r = capitals(r); r != "" && !slices.Contains(list, r) {
			list = append(list, r)
		}
	}
	return list
}

// capitals returns text with a to z in upper case and the rest unchanged, as upper()
// does on both databases.
func capitals(text string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' {
			return r - 'a' + 'A'
		}
		return r
	}, text)
}

// saveReferences writes what b is found by besides its own locator; before are
// its earlier references.
func (s Scoped) saveReferences(ctx context.Context, tx *sql.Tx, b gangway.Booking, before []string) error {
	return s.saveNamed(ctx, tx, "booking_reference", "reference", b.ID, references(b), before)
}

// saveTickets writes the numbers by which the tickets of b are found; before are
// its earlier tickets.
func (s Scoped) saveTickets(ctx context.Context, tx *sql.Tx, b gangway.Booking, before []string) error {
	return s.saveNamed(ctx, tx, "booking_ticket", "number", b.ID, b.Tickets, before)
}

// saveVessel writes the name of b's vessel, so that it can be found by any of its words.
func (s Scoped) saveVessel(ctx context.Context, tx *sql.Tx, b gangway.Booking) error {
	vessel := gangway.Fold(b.Purpose.Vessel)
	if vessel == "" {
		return nil
	}
	_, err := tx.ExecContext(ctx, `
		INSERT INTO booking_vessel (account, vessel)
		VALUES ($1, $2)
		ON CONFLICT DO NOTHING`,
		s.account, vessel)
	return wrapf(err, "save the vessel of booking %s", b.ID)
}

// saveNamed updates the rows by which a table finds a booking: now replaces
// before.
func (s Scoped) saveNamed(ctx context.Context, tx *sql.Tx, table, column, booking string, now, before []string) error {
	columns, rows := []string{"account", column, "booking"}, func(values, but []string) (list [][]any) {
		for _, value := range values {
			if !slices.Contains(but, value) {
				list = append(list, []any{s.account, value, booking})
			}
		}
		return list
	}
	err := errors.Join(deleteMany(ctx, tx, table, columns, rows(before, now)),
		insertMany(ctx, tx, table, columns, rows(now, before)))
	return wrapf(err, "save each %s of booking %s", column, booking)
}
