package main

import (
	"context"
	"log/slog"
	"time"

	"gangway/internal/store"
)

// A replica takes what another has under way for left when that has not said for
// 15 seconds that it is at it, each by its own clock. Nothing is done twice for
// that, but people are told that what they asked for was interrupted: so whose
// clock is apart says so.
const (
	clocksApart = 5 * time.Second
	clocksLook  = time.Minute
	clocksTold  = time.Hour // how often it is said while it lasts
)

// watchClock says in the log when the clock of this server is not the database's.
func watchClock(ctx context.Context, db *store.DB, now func() time.Time, log *slog.Logger) {
	tick := time.NewTicker(clocksLook)
	defer tick.Stop()
	var said time.Time
	for {
		said = compareClocks(ctx, db, now, log, said)
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}

// compareClocks does it once. It returns when it was last said that the clocks
// are apart; the zero time when they are not.
func compareClocks(ctx context.Context, db *store.DB, now func() time.Time, log *slog.Logger,
	said time.Time) time.Time {
	apart, err := db.ClockApart(ctx, now)
	switch {
	case err != nil: // of a database that is away, the store tells
		return said
	case apart.Abs() < clocksApart:
		return time.Time{}
	case !said.IsZero() && time.Since(said) < clocksTold:
		return said
	}
	log.Warn("this server's clock is not the database's: set both by a time service, or what is under way at one "+
		"replica is taken for left by another", "ahead", apart.Round(time.Second))
	return time.Now()
}
