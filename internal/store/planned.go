package store

import (
	"context"
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
	for some := range slices.Chunk(keys, amongAtMost) {
		args := append([]any{s.account}, anys(some)...)
		query := `
			SELECT ` + from + `
			WHERE account = $1 AND ` + column + ` IN (` + placeholders(2, len(some)) + `)`
		if err := eachRow(ctx, s.db.reader, query, args, read); err != nil {
			return fmt.Errorf("look up %s: %w", column, err)
		}
	}
	return nil
}
