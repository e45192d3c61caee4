package main

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"gangway/internal/background"
	"gangway/internal/store"
)

// Words of names, and the traces by which a person's records are found, are
// written so many at a time as the store takes. Between them is a rest as long
// as that took, and at least so long, so that whoever uploads or types meanwhile
// notices nothing; and new ones are looked for so often.
const (
	wordRest = 20 * time.Millisecond
	wordLook = 2 * time.Second
)

// wordTravellers writes the words by which travellers are found, until ctx ends.
func wordTravellers(ctx context.Context, db *store.DB, log *slog.Logger) {
	writeAfter(ctx, log, "write the words of travellers' names", db.WordTravellers)
}

// traceRecords writes the traces of records, until ctx ends.
func traceRecords(ctx context.Context, db *store.DB, log *slog.Logger) {
	writeAfter(ctx, log, "write the traces of records", db.Trace)
}

// removeOrphans removes what is left of customers that were removed, once.
func removeOrphans(ctx context.Context, db *store.DB, log *slog.Logger) {
	once, done := context.WithCancel(ctx)
	defer done()
	writeAfter(once, log, "remove what is left of customers that were removed", func(ctx context.Context) (bool, error) {
		some, err := db.RemoveOrphans(ctx)
		if err == nil {
			done()
		}
		return some, err
	})
}

// writeAfter does what is not done with an upload but after it, until ctx
// ends. write does some of it, and reports whether there was any.
func writeAfter(ctx context.Context, log *slog.Logger, what string, write func(context.Context) (bool, error)) {
	for {
		rest, some, began := wordLook, false, time.Now()
		err := background.Guard(log, what, func() (err error) {
			some, err = write(ctx)
			return err
		})
		switch {
		case ctx.Err() != nil:
			return
		case errors.Is(err, store.ErrAway): // of that the store tells
		case err != nil:
			log.Warn("could not "+what+"; it is tried again", "error", err)
		case some:
			rest = max(wordRest, time.Since(began))
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(rest):
		}
	}
}
