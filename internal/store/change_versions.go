package store

import (
	"context"
	"slices"
	"strings"
)

// A ChangeVersion differs after every change of a crew change or of its bookings.
type ChangeVersion struct {
	Version  int64
	Moves    string
	Bookings int64
	Actions  int64 // on all of them
}

// ChangeVersions returns the versions of the account's crew changes among those with the given keys.
func (s Scoped) ChangeVersions(ctx context.Context, keys []string) (map[string]ChangeVersion, error) {
	found := map[string]ChangeVersion{}
	for some := range slices.Chunk(keys, amongAtMost) {
		err := eachRow(ctx, s.db.reader, strings.Replace(changeVersions, "KEYS", placeholders(2, len(some)), 1),
			append([]any{s.account}, anys(some)...), func(row scanner) error {
				var key string
				var v ChangeVersion
				err := row.Scan(&key, &v.Version, &v.Moves, &v.Bookings, &v.Actions)
				found[key] = v
				return err
			})
		if err != nil {
			return nil, wrapf(err, "look whether crew changes have changed")
		}
	}
	return found, nil
}

const changeVersions = `
		SELECT c.key, c.version, c.moves,
			(SELECT count(*) FROM booking b WHERE b.account = c.account AND b.change_key = c.key),
			(SELECT coalesce(sum(b.version), 0) FROM booking b WHERE b.account = c.account AND b.change_key = c.key)
		FROM crew_change c
		WHERE c.account = $1 AND c.gone = 0 AND c.key IN (KEYS)`
