package main

import (
	"context"
	"log/slog"
	"time"

	"gangway/internal/store"
)

// A replica takes over another's work if that one has not renewed its lease for 15
// seconds, each measured by its own clock. Nothing is done twice because of that, but
// people are told that their request was interrupted. So a server whose clock differs
// says so.
const (
	clocksApart = 5 * time.Second
	clocksLook  = time.Minute
	clocksTold  = time.Hour // how often it is logged while it lasts
)

// watchClock logs when this server's clock differs from the database's.
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

// compareClocks compares once. It returns when the difference was last logged; the zero
// time if the clocks agree.
func compareClocks(ctx context.Context, db *store.DB, now func() time.Time, log *slog.Logger,
	said time.Time) time.Time {
	apart, err := db.ClockApart(ctx, now)
	switch {
	case err != nil: // the store logs that the database is away
		return said
	case apart.Abs() < clocksApart:
		return time.Time{}
	case !said.IsZero() && time.Since(said) < clocksTold:
		return said
	}
	log.Warn("this server's clock differs from the database's: set both by a time service, or work in progress at one "+
		"replica is taken over by another", "ahead", apart.Round(time.Second))
	return time.Now()
}
