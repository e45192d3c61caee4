package store

import (
	"context"
	"database/sql"
	"fmt"
	"slices"

	"gangway"
)

// saveTickets keeps the numbers by which the tickets of b are found; before are
// those that it had.
func (s Scoped) saveTickets(ctx context.Context, tx *sql.Tx, b gangway.Booking, before []string) error {
	for _, number := range before {
		if slices.Contains(b.Tickets, number) {
			continue
		}
		if _, err := tx.ExecContext(ctx, `
			DELETE FROM booking_ticket
			WHERE account = $1 AND number = $2 AND booking = $3`,
			s.account, number, b.ID); err != nil {
			return fmt.Errorf("forget a ticket of booking %s: %w", b.ID, err)
		}
	}
	for _, number := range b.Tickets {
		if slices.Contains(before, number) {
			continue
		}
		if _, err := tx.ExecContext(ctx, `
			INSERT INTO booking_ticket (account, number, booking)
			VALUES ($1, $2, $3)
			ON CONFLICT DO NOTHING`,
			s.account, number, b.ID); err != nil {
			return fmt.Errorf("keep a ticket of booking %s: %w", b.ID, err)
		}
	}
	return nil
}
