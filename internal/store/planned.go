package store

import (
	"context"
	"fmt"
	"strings"

	"gangway"
)

// CrewChangesOf returns those of the crew changes with the given keys that the
// account has, by key.
func (s Scoped) CrewChangesOf(ctx context.Context, keys []string) (map[string]gangway.CrewChange, error) {
	found := map[string]gangway.CrewChange{}
	err := s.among(ctx, `key, doc, dropped, moved FROM crew_change`, `key`, keys, func(row scanner) error {
		var key string
		c, err := scanCrewChange(keyed{row, &key})
		found[key] = c
		return err
	})
	return found, err
}

// SearchesOf returns those of the searches with the given identifiers that the
// account has, by identifier.
func (s Scoped) SearchesOf(ctx context.Context, ids []string) (map[string]gangway.Search, error) {
	found := map[string]gangway.Search{}
	err := s.among(ctx, `doc FROM search`, `id`, ids, func(row scanner) error {
		var doc string
		if err := row.Scan(&doc); err != nil {
			return err
		}
		search, err := readSearch(doc)
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
	for len(keys) > 0 {
		n := min(len(keys), amongAtMost)
		if err := s.amongFew(ctx, from, column, keys[:n], read); err != nil {
			return fmt.Errorf("look up %s: %w", column, err)
		}
		keys = keys[n:]
	}
	return nil
}

func (s Scoped) amongFew(ctx context.Context, from, column string, keys []string, read func(scanner) error) error {
	args, places := []any{s.account}, make([]string, len(keys))
	for i, key := range keys {
		args, places[i] = append(args, key), fmt.Sprintf("$%d", i+2)
	}
	rows, err := s.db.reader.QueryContext(ctx, `
		SELECT `+from+`
		WHERE account = $1 AND `+column+` IN (`+strings.Join(places, ", ")+`)`,
		args...)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		if err := read(rows); err != nil {
			return err
		}
	}
	return rows.Err()
}

// keyed is a row with its key in front of what a record is read from.
type keyed struct {
	scanner
	key *string
}

func (k keyed) Scan(into ...any) error { return k.scanner.Scan(append([]any{k.key}, into...)...) }
