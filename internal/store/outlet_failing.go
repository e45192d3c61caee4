package store

import (
	"context"
	"database/sql"
	"fmt"
	"time"

	"gangway"
)

// triesJudged is of how many tries, the latest, it is judged whether nothing leaves an outlet any more.
const triesJudged = 100

// NoteUnmade notes that an outlet is failing, if nothing leaves it any more because nothing can be made of the records.
func (s Scoped) NoteUnmade(ctx context.Context, outlet string, now time.Time) error {
	tries, err := selectAll(ctx, s.db.reader, func(row scanner) (t gangway.OutletTry, err error) {
		var a Attempt
		var at int64
		var again bool
		err = row.Scan(&t.Booking, &at, &a.Status, &a.Answer, &again)
		t.At, t.Accepted, t.Unmade = instant(at), a.Accepted(), a.Unsent() && !again
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
			WHERE account = $1 AND outlet = $2
			ORDER BY at DESC
			LIMIT $3) t
		ORDER BY t.at DESC`,
		s.account, outlet, triesJudged)
	if err != nil {
		return fmt.Errorf("read what was tried at outlet %s: %w", outlet, err)
	}
	since := gangway.UnmadeSince(tries, now)
	if since.IsZero() {
		return nil
	}
	return s.write(ctx, func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, `
			UPDATE outlet
			SET failing_since = $3
			WHERE account = $1 AND id = $2 AND failing_since = 0 AND NOT EXISTS (
				SELECT 1
				FROM attempt
				WHERE account = $1 AND outlet = $2 AND at >= $3 AND status BETWEEN 200 AND 299)`,
			s.account, outlet, millis(since))
		if err != nil {
			return fmt.Errorf("write failure of outlet %s: %w", outlet, err)
		}
		return nil
	})
}

// Accepted reports whether what was sent was accepted.
func (a Attempt) Accepted() bool { return a.Status >= 200 && a.Status <= 299 }
