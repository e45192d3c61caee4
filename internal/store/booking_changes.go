package store

import (
	"context"
	"fmt"
	"strings"

	"gangway/internal/gangway"
)

// BookingsOfChanges returns the live bookings of crew changes by the keys of the crew changes,
// newest first, up to limit for each. Only what a plan is compared with is read: ID, State,
// Passenger, Itinerary and Purpose.
func (s Scoped) BookingsOfChanges(ctx context.Context, keys []string, limit int) (map[string][]gangway.Booking, error) {
	found := map[string][]gangway.Booking{}
	if len(keys) == 0 {
		return found, nil
	}
	args, parts := []any{s.account}, make([]string, len(keys))
	for i, k := range keys {
		args = append(args, k)
		parts[i] = fmt.Sprintf(`
			SELECT doc
			FROM (
				SELECT b.doc
				FROM booking b
				WHERE b.account = $1 AND b.change_key = $%d AND b.%s
				ORDER BY b.created_at DESC, b.id DESC
				LIMIT %d) AS newest`, len(args), live, limit)
	}
	bookings, err := selectAll(ctx, s.db.reader, scanJourney, strings.Join(parts, `
			UNION ALL`), args...)
	if err != nil {
		return nil, fmt.Errorf("list bookings of crew changes: %w", err)
	}
	for _, b := range bookings {
		found[b.Purpose.Change] = append(found[b.Purpose.Change], b)
	}
	return found, nil
}
