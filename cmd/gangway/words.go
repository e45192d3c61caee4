package main

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"gangway/internal/background"
	"gangway/internal/store"
)

// Words of names are written so many travellers at a time as the store takes,
// with so long a rest between, so that whoever uploads or types meanwhile
// notices nothing; and new ones are looked for so often.
const (
	wordRest = 100 * time.Millisecond
	wordLook = 2 * time.Second
)

// wordTravellers writes the words by which travellers are found, until ctx ends.
func wordTravellers(ctx context.Context, db *store.DB, log *slog.Logger) {
	for {
		rest, some := wordLook, false
		err := background.Guard(log, "write the words of names", func() (err error) {
			some, err = db.WordTravellers(ctx)
			return err
		})
		switch {
		case ctx.Err() != nil:
			return
		case errors.Is(err, store.ErrAway): // of that the store tells
		case err != nil:
			log.Warn("the words of travellers' names could not be written; it is tried again", "error", err)
		case some:
			rest = wordRest
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(rest):
		}
	}
}
