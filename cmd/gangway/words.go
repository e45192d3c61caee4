package main

import (
	"context"
	"log/slog"
	"time"

	"gangway/internal/background"
	"gangway/internal/store"
)

// Travellers from before words of their names were kept get them so many at a
// time, with so long a rest between: a million of them within ten minutes or
// so, and whoever uploads or types meanwhile notices nothing.
const (
	wordedAtOnce = 500
	wordRest     = 200 * time.Millisecond
	wordRetry    = time.Minute
)

// wordTravellers gives travellers the words by which they are found, until all
// have them or ctx ends.
func wordTravellers(ctx context.Context, db *store.DB, log *slog.Logger) {
	for rest := wordRest; ; rest = wordRest {
		n := 0
		err := background.Guard(log, "keep the words of names", func() (err error) {
			n, err = db.WordTravellers(ctx, wordedAtOnce)
			return err
		})
		switch {
		case ctx.Err() != nil, err == nil && n == 0:
			return
		case err != nil:
			log.Warn("the words of travellers' names could not be kept; it is tried again", "error", err)
			rest = wordRetry
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(rest):
		}
	}
}
