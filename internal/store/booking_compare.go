package store

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"time"

	"gangway/internal/gangway"
)

// toCompare is what marks b, which is written now, to be compared with its plan; 0 if it is no longer live.
func (s Scoped) toCompare(b gangway.Booking) int64 {
	if !b.Live() || b.Sample() {
		return 0
	}
	return s.db.Generation()
}

// A ToCompare is a booking that is to be compared with its plan.
type ToCompare struct {
	Scope gangway.Scope
	ID    string
	mark  int64
}

// ToCompare returns up to limit bookings of all accounts that are to be compared with their plans.
func (db *DB) ToCompare(ctx context.Context, limit int) ([]ToCompare, error) {
	list, err := selectAll(ctx, db.reader, func(row scanner) (c ToCompare, err error) {
		err = row.Scan(&c.Scope.Account, &c.ID, &c.mark, howLong(&c.Scope.Ahead))
		return c, err
	}, `
		SELECT b.account, b.id, b.compare, a.ahead
		FROM booking b
		JOIN account a ON a.id = b.account
		WHERE b.compare > 0
		ORDER BY b.compare, b.account, b.id
		LIMIT $1`, limit)
	return list, wrapf(err, "look for bookings to compare with their plans")
}

// Among returns the account's bookings with the given identifiers.
func (s Scoped) Among(ctx context.Context, ids []string) (list []gangway.Booking, err error) {
	return list, s.among(ctx, `doc, check_at FROM booking`, `id`, ids, func(row scanner) error {
		b, err := scanBooking(row)
		list = append(list, b)
		return err
	})
}

// Compared notes which bookings, of those that were to be compared, do not fit their plan. It changes nothing of a
// booking or plan that has changed since: that is compared again.
func (s Scoped) Compared(ctx context.Context, list []ToCompare, misfit func(id string) bool,
	at time.Time) error {
	return s.write(ctx, func(tx *sql.Tx) error {
		for _, c := range list {
			since := int64(0)
			if misfit(c.ID) {
				since = millis(at)
			}
			_, err := tx.ExecContext(ctx, `
				UPDATE booking
				SET compare = 0, misfit = CASE WHEN misfit > 0 AND CAST($4 AS BIGINT) > 0 THEN misfit ELSE CAST($4 AS BIGINT) END
				WHERE account = $1 AND id = $2 AND compare = $3`,
				s.account, c.ID, c.mark, since)
			if err != nil {
				return fmt.Errorf("note whether booking %s fits its plan: %w", c.ID, err)
			}
		}
		return nil
	})
}

// compareAgain marks bookings to be compared with their plans: live ones that have not left and for whose plan of is
// true.
func (s Scoped) compareAgain(ctx context.Context, of func(plan) bool) error {
	ids, err := s.ofPlans(ctx, of, `departs >= $2 AND `+live+`
		ORDER BY departs, id`, string(gangway.TodayAt(s.Now(time.Now())).Earliest))
	if err != nil {
		return err
	}
	for some := range slices.Chunk(ids, amongAtMost) {
		err := s.write(ctx, func(tx *sql.Tx) error {
			_, err := tx.ExecContext(ctx, `
				UPDATE booking
				SET compare = $2
				WHERE account = $1 AND id IN (`+placeholders(3, len(some))+`)`,
				slices.Concat([]any{s.account, s.db.Generation()}, anys(some))...)
			return wrapf(err, "mark bookings to be compared with their plans")
		}, Work)
		if err != nil {
			return err
		}
	}
	return nil
}
