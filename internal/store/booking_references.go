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
	now := references(b)
	for _, r := range before {
		if slices.Contains(now, r) {
			continue
		}
		if _, err := tx.ExecContext(ctx, `
			DELETE FROM booking_reference
			WHERE account = $1 AND reference = $2 AND booking = $3`,
			s.account, r, b.ID); err != nil {
			return fmt.Errorf("forget a locator of booking %s: %w", b.ID, err)
		}
	}
	for _, r := range now {
		if slices.Contains(before, r) {
			continue
		}
		if _, err := tx.ExecContext(ctx, `
			INSERT INTO booking_reference (account, reference, booking)
			VALUES ($1, $2, $3)
			ON CONFLICT DO NOTHING`,
			s.account, r, b.ID); err != nil {
			return fmt.Errorf("keep a locator of booking %s: %w", b.ID, err)
		}
	}
	return nil
}
