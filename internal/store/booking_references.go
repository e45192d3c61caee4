package store

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strings"

	"gangway"
)

// references returns what others call b: the airlines' locators, and the
// customer's identifier of the crew change.
func references(b gangway.Booking) (list []string) {
	for _, r := range append(slices.Clone(b.PNRs), b.Purpose.TravelRequestID) {
		if r = capitals(r); r != "" && !slices.Contains(list, r) {
			list = append(list, r)
		}
	}
	return list
}

// capitals returns text with a to z in capitals and all else as it is, as both
// databases make them.
func capitals(text string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' {
			return r - 'a' + 'A'
		}
		return r
	}, text)
}

// saveReferences keeps what b is found by beside its own locator; before are
// those that it had.
func (s Scoped) saveReferences(ctx context.Context, tx *sql.Tx, b gangway.Booking, before []string) error {
	return s.saveNamed(ctx, tx, "booking_reference", "reference", b.ID, references(b), before)
}

// saveTickets keeps the numbers by which the tickets of b are found; before are
// those that it had.
func (s Scoped) saveTickets(ctx context.Context, tx *sql.Tx, b gangway.Booking, before []string) error {
	return s.saveNamed(ctx, tx, "booking_ticket", "number", b.ID, b.Tickets, before)
}

// saveVessel keeps the name of b's vessel for those who look for a word of it.
func (s Scoped) saveVessel(ctx context.Context, tx *sql.Tx, b gangway.Booking) error {
	vessel := gangway.Fold(b.Purpose.Vessel)
	if vessel == "" {
		return nil
	}
	if _, err := tx.ExecContext(ctx, `
		INSERT INTO booking_vessel (account, vessel)
		VALUES ($1, $2)
		ON CONFLICT DO NOTHING`,
		s.account, vessel); err != nil {
		return fmt.Errorf("keep the vessel of booking %s: %w", b.ID, err)
	}
	return nil
}

// saveNamed writes what differs between what a booking is found by in a table
// now and what it was found by before.
func (s Scoped) saveNamed(ctx context.Context, tx *sql.Tx, table, column, booking string, now, before []string) error {
	for _, value := range before {
		if slices.Contains(now, value) {
			continue
		}
		if _, err := tx.ExecContext(ctx, `
			DELETE FROM `+table+`
			WHERE account = $1 AND `+column+` = $2 AND booking = $3`,
			s.account, value, booking); err != nil {
			return fmt.Errorf("forget a %s of booking %s: %w", column, booking, err)
		}
	}
	for _, value := range now {
		if slices.Contains(before, value) {
			continue
		}
		if _, err := tx.ExecContext(ctx, `
			INSERT INTO `+table+` (account, `+column+`, booking)
			VALUES ($1, $2, $3)
			ON CONFLICT DO NOTHING`,
			s.account, value, booking); err != nil {
			return fmt.Errorf("keep a %s of booking %s: %w", column, booking, err)
		}
	}
	return nil
}
