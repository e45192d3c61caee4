package store

import (
	"context"
	"database/sql"
	"slices"
	"time"

	"gangway/internal/gangway"
)

const (
	// triesJudged is of how many tries, the latest that are known, it is judged whether nothing leaves an outlet any
	// more. Where nothing of them left, more are read to know since when: up to mostTriesJudged.
	triesJudged     = 100
	mostTriesJudged = 10_000
)

// NoteUnmade notes that an outlet is failing, if nothing leaves it any more because nothing can be made of the
// records. What was tried before somebody changed the outlet says nothing of it as it is now. NoteUnmade returns since
// when the outlet fails; zero: it noted nothing.
func (s Scoped) NoteUnmade(ctx context.Context, o gangway.Outlet, now time.Time) (since time.Time, err error) {
	for n := triesJudged; n <= mostTriesJudged; n *= 10 {
		tries, err := s.latestTries(ctx, o, now.Add(-gangway.TriesKnown), n)
		if err != nil {
			return time.Time{}, err
		}
		since = gangway.UnmadeSince(tries)
		left := slices.ContainsFunc(tries, func(t gangway.OutletTry) bool { return t.Accepted })
		if left || len(tries) < n {
			break
		}
	}
	if since.IsZero() {
		return since, nil
	}
	noted := false
	err = s.write(ctx, func(tx *sql.Tx) error {
		n, err := changed(tx.ExecContext(ctx, `
			UPDATE outlet
			SET failing_since = $3
			WHERE account = $1 AND id = $2 AND failing_since = 0 AND set_at < $3 AND NOT EXISTS (
				SELECT 1
				FROM attempt
				WHERE account = $1 AND outlet = $2 AND at >= $3 AND status BETWEEN 200 AND 299)`,
			s.account, o.ID, millis(since)))
		noted = n > 0
		return wrapf(err, "write failure of outlet %s", o.ID)
	})
	if err != nil || !noted {
		return time.Time{}, err
	}
	return since, nil
}

// latestTries returns the latest n tries at an outlet, as it is set now, that were made up to a time, newest first.
func (s Scoped) latestTries(ctx context.Context, o gangway.Outlet, to time.Time, n int) ([]gangway.OutletTry, error) {
	list, err := selectAll(ctx, s.db.reader, func(row scanner) (t gangway.OutletTry, err error) {
		var a Attempt
		err = row.Scan(&t.Booking, when(&t.At), &a.Status, &a.Answer, &t.Again)
		t.Status, t.Accepted, t.Unmade = a.Status, a.Accepted(), a.Unsent()
		return t, err
	}, `
		SELECT t.booking, t.at, t.status, t.answer, CASE WHEN EXISTS (
			SELECT 1
			FROM attempt e
			WHERE e.account = $1 AND e.outlet = $2 AND e.booking = t.booking AND e.seq = t.seq AND e.at < t.at)
			THEN 1 ELSE 0 END
		FROM (
			SELECT booking, seq, at, status, answer
			FROM attempt
			WHERE account = $1 AND outlet = $2 AND at <= $3 AND at > $5
			ORDER BY at DESC
			LIMIT $4) t
		ORDER BY t.at DESC`,
		s.account, o.ID, millis(to), n, millis(o.SetAt))
	return list, wrapf(err, "read what was tried at outlet %s", o.ID)
}
