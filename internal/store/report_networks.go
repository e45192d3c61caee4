package store

import (
	"context"
	"database/sql"
	"fmt"
	"time"
)

// A network is remembered for a report login for 30 days; each login has at most the newest 20.
const (
	reportNetworkLife = 30 * 24 * time.Hour
	reportNetworkMost = 20
)

// ReportLoginSeen returns when a report login was last noted to be right from a network, which is a hash; the zero time
// if that was never, or is too long ago to count.
func (s Scoped) ReportLoginSeen(ctx context.Context, login, network string, now time.Time) (time.Time, error) {
	seen, err := column[int64](s.db.reader.QueryRowContext(ctx, `
		SELECT coalesce(max(seen_at), 0)
		FROM report_network
		WHERE account = $1 AND login = $2 AND network = $3 AND seen_at > $4`,
		s.account, login, network, millis(now.Add(-reportNetworkLife))))
	return instant(seen), wrapf(err, "read where report login %s was right", login)
}

// MarkReportLoginSeen notes that a report login was right from a network, and forgets networks that no longer count.
func (s Scoped) MarkReportLoginSeen(ctx context.Context, login, network string, at time.Time) error {
	return s.writeUnseen(harmless(ctx), func(tx *sql.Tx) error {
		if _, err := tx.ExecContext(ctx, `
			INSERT INTO report_network (account, login, network, seen_at)
			VALUES ($1, $2, $3, $4)
			ON CONFLICT (account, login, network) DO UPDATE
			SET seen_at = excluded.seen_at`,
			s.account, login, network, millis(at)); err != nil {
			return fmt.Errorf("note where report login %s was right: %w", login, err)
		}
		_, err := tx.ExecContext(ctx, `
			DELETE FROM report_network
			WHERE account = $1 AND login = $2 AND (seen_at <= $3 OR network NOT IN (
				SELECT network
				FROM report_network
				WHERE account = $1 AND login = $2
				ORDER BY seen_at DESC, network
				LIMIT $4))`,
			s.account, login, millis(at.Add(-reportNetworkLife)), reportNetworkMost)
		return wrapf(err, "forget where report login %s was right", login)
	})
}
