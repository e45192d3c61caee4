package store

import (
	"context"
	"fmt"
	"time"
)

// ClockApart returns by how much the caller's clock, now, is ahead of the
// database's, which all replicas share; negative if it is behind. It is only
// known to within half the time that the answer took. SQLite uses the machine's
// own clock, so the answer is 0.
func (db *DB) ClockApart(ctx context.Context, now func() time.Time) (time.Duration, error) {
	if db.dialect != postgres {
		return 0, nil
	}
	asked := now()
	var theirs int64
	err := db.reader.QueryRowContext(ctx, `SELECT CAST(extract(epoch FROM clock_timestamp()) * 1000 AS BIGINT)`).
		Scan(&theirs)
	if err != nil {
		return 0, fmt.Errorf("ask the database for the time: %w", err)
	}
	took := now().Sub(asked)
	return asked.Add(took / 2).Sub(time.UnixMilli(theirs)), nil
}
