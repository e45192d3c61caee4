package app

import (
	"context"
	"net/http"
	"sync"
	"time"

	"gangway/internal/store"
	"gangway/internal/web"
)

const (
	// pagesMade is how many large pages are made at a time: each has all that it
	// shows in memory, many times its size, until its first byte is sent.
	pagesMade = 3

	// turnPatience is how long a page waits for its turn: as long as for a database
	// that hangs, which may be why it is nobody's turn.
	turnPatience = 5 * time.Second
)

// turns are what large pages wait for before they are made.
type turns struct {
	free     chan struct{} // holds a value for each page that is being made
	patience time.Duration
}

func newTurns(pages int, patience time.Duration) *turns {
	return &turns{make(chan struct{}, pages), patience}
}

// wait waits for a turn, which lasts until over is called.
func (t *turns) wait(ctx context.Context) (over func(), err error) {
	patience := time.NewTimer(t.patience)
	defer patience.Stop()
	select {
	case t.free <- struct{}{}:
		return sync.OnceFunc(func() { <-t.free }), nil
	case <-patience.C:
		return nil, web.Overloaded(5*time.Second, "more pages are asked for than can be made at once; load this one again in a moment")
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// inTurn has h make a page that shows much when it is its turn, which ends when
// the page begins to be sent. It is for pages that wait for nobody but the database.
//
// Decided: docs/choices.md, "What anybody may fill".
func (a *App) inTurn(h web.Handler) web.Handler {
	return inPlace(a.shown, func(w http.ResponseWriter, r *http.Request, in store.Scoped) error {
		over, err := a.turns.wait(r.Context())
		if err != nil {
			return err
		}
		defer over()
		return h(&turn{w, over}, r, in)
	}, "more pages are on their way to you than are sent at once; load this one again in a moment",
		"more pages are on their way than are sent at once; load this one again in a moment")
}

// A turn is over when its page begins to be sent.
type turn struct {
	http.ResponseWriter
	over func()
}

// Write is part of http.ResponseWriter.
func (t *turn) Write(p []byte) (int, error) {
	t.over()
	return t.ResponseWriter.Write(p)
}

// Unwrap lets streams flush.
func (t *turn) Unwrap() http.ResponseWriter { return t.ResponseWriter }
