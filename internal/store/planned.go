package store

import (
	"context"
	"database/sql"
	"fmt"
	"slices"

	"gangway/internal/gangway"
)

// SearchesOf returns the account's searches among those with the given
// identifiers, by identifier.
func (s Scoped) SearchesOf(ctx context.Context, ids []string) (map[string]gangway.Search, error) {
	found := map[string]gangway.Search{}
	err := s.among(ctx, `doc FROM search`, `id`, ids, func(row scanner) error {
		search, err := scanSearch(row)
		found[search.ID] = search
		return err
	})
	return found, err
}

// TravelRequestsOf returns the travel requests with the given request_ids,
// whatever their sub-requests.
func (s Scoped) TravelRequestsOf(ctx context.Context, ids []string) ([]gangway.TravelRequest, error) {
	var found []gangway.TravelRequest
	err := s.among(ctx, travelRequestColumns+` FROM travel_request`, `request_id`, ids, func(row scanner) error {
		r, err := scanTravelRequest(row)
		found = append(found, r.TravelRequest)
		return err
	})
	return found, err
}

// amongAtMost bounds how many keys one statement names.
const amongAtMost = 500

// among reads the rows of the account whose column is one of keys.
func (s Scoped) among(ctx context.Context, from, column string, keys []string, read func(scanner) error) error {
	return s.amongIn(ctx, s.db.reader, from, column, keys, read)
}

func (s Scoped) amongIn(ctx context.Context, q querier, from, column string, keys []string,
	read func(scanner) error) error {
	for some := range slices.Chunk(keys, amongAtMost) {
		args := append([]any{s.account}, anys(some)...)
		query := `
			SELECT ` + from + `
			WHERE account = $1 AND ` + column + ` IN (` + placeholders(2, len(some)) + `)`
		if err := eachRow(ctx, q, query, args, read); err != nil {
			return fmt.Errorf("look up %s: %w", column, err)
		}
	}
	return nil
}

// A plan says by which keys the bookings made for it are found.
type plan struct{ change, request, search string }

// recheck has the automated user look soon at the bookings whose plan may have
// changed and that would be issued automatically, so that none is bought that the
// plan no longer needs, and a person is told at once. Bookings on hold are found
// by their state and are few at any time, so the cost does not depend on how much
// was sent. If it fails, each is still compared with its plan when its time comes.
// Those with tickets are only compared.
func (s Scoped) recheck(ctx context.Context, of func(plan) bool) error {
	ctx = withLongWork(ctx)
	if err := s.compareAgain(ctx, of); err != nil {
		return err
	}
	ids, err := s.ofPlans(ctx, of, `state IN ('approval_required', 'confirmed')`)
	if err != nil || len(ids) == 0 {
		return err
	}
	return s.write(ctx, func(tx *sql.Tx) error {
		for _, id := range ids {
			// Documents escape quotes within texts, so this finds only the field itself.
			_, err := tx.ExecContext(ctx, `
				UPDATE booking
				SET check_at = 1
				WHERE account = $1 AND id = $2 AND state IN ('approval_required', 'confirmed') AND doc LIKE '%"auto_issue":true%'`,
				s.account, id)
			if err != nil {
				return fmt.Errorf("mark booking %s to be looked at: %w", id, err)
			}
		}
		return nil
	}, Work)
}

// ofPlans returns the bookings that which selects and for whose plan of is true.
func (s Scoped) ofPlans(ctx context.Context, of func(plan) bool, which string,
	args ...any) (ids []string, err error) {
	err = eachRow(ctx, s.db.reader, `
		SELECT id, change_key, request, search
		FROM booking
		WHERE account = $1 AND `+which, slices.Concat([]any{s.account}, args), func(row scanner) error {
		var id string
		var p plan
		err := row.Scan(&id, &p.change, &p.request, &p.search)
		if err == nil && of(p) {
			ids = append(ids, id)
		}
		return err
	})
	return ids, wrapf(err, "look for bookings of a plan")
}

// recheckChanges is recheck for crew changes by their keys.
func (s Scoped) recheckChanges(ctx context.Context, has func(key string) bool) error {
	return s.recheck(ctx, func(p plan) bool { return p.change != "" && has(p.change) })
}

// recheckRequests is recheck for travel requests by their request_ids.
func (s Scoped) recheckRequests(ctx context.Context, has func(id string) bool) error {
	return s.recheck(ctx, func(p plan) bool { return p.request != "" && has(p.request) })
}
