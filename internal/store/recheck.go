package store

import (
	"context"
	"database/sql"
	"fmt"
)

// A plan says by what the bookings are known that were made for it.
type plan struct{ change, request, search string }

// recheck has the automated user look soon at the bookings whose plan may
// have changed, of those that are to be issued automatically: nothing that the
// plan has no use for buys itself, and a person is told at once. Bookings
// whose seats are held are found by their state and are few at any time, so it
// costs the same however much was sent. Should it fail, each is held against the plan when its
// time comes.
func (s Scoped) recheck(ctx context.Context, of func(plan) bool) error {
	ctx = withLongWork(ctx)
	var ids []string
	err := eachRow(ctx, s.db.reader, `
		SELECT id, change_key, request, search
		FROM booking
		WHERE account = $1 AND state IN ('approval_required', 'confirmed')`,
		[]any{s.account}, func(row scanner) error {
			var id string
			var p plan
			err := row.Scan(&id, &p.change, &p.request, &p.search)
			if err == nil && of(p) {
				ids = append(ids, id)
			}
			return err
		})
	if err != nil {
		return fmt.Errorf("look for bookings of a plan: %w", err)
	}
	if len(ids) == 0 {
		return nil
	}
	return s.write(ctx, func(tx *sql.Tx) error {
		for _, id := range ids {
			// A document has quotes within its texts escaped: only the field itself is found.
			_, err := tx.ExecContext(ctx, `
				UPDATE booking
				SET check_at = 1
				WHERE account = $1 AND id = $2 AND state IN ('approval_required', 'confirmed') AND doc LIKE '%"auto_issue":true%'`,
				s.account, id)
			if err != nil {
				return fmt.Errorf("have booking %s looked at: %w", id, err)
			}
		}
		return nil
	}, Work)
}

// recheckChanges is recheck for crew changes by their keys.
func (s Scoped) recheckChanges(ctx context.Context, has func(key string) bool) error {
	return s.recheck(ctx, func(p plan) bool { return p.change != "" && has(p.change) })
}

// recheckRequests is recheck for travel requests by their request_ids.
func (s Scoped) recheckRequests(ctx context.Context, has func(id string) bool) error {
	return s.recheck(ctx, func(p plan) bool { return p.request != "" && has(p.request) })
}
