package store

import (
	"context"
	"fmt"
	"time"
)

// ClockApart returns by how much the clock of whoever asks, which now is, is ahead
// of the database's, which all replicas share; below zero where it is behind.
// Half of the time that the answer takes is not known to either. With SQLite
// there is one clock.
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
