package shell

import (
	"context"
	"net/http"
	"sync"
	"time"

	"gangway/internal/store"
	"gangway/internal/web"
)

// An answer that stays open for as long as somebody reads it keeps part of what it
// sends in memory. These limits bound how many are open at a time, for one person
// and for everybody.
//
// Decided: docs/choices.md, "What anybody may fill".
var (
	streamLimit = web.Concurrency{
		Each: 24, All: 512, After: 10 * time.Second,
		OfClient: "more pages are open in your browser than can be kept up to date at once; close some, or load this " +
			"one again",
		OfAll: "more pages are open than can be kept up to date at once; load this one again in a moment",
	}
	fileLimit = web.Concurrency{ // files of any length, which are written while they are read
		Each: 2, All: 16, After: 10 * time.Second,
		OfClient: "more files are on their way to you than are written at once; wait for one of them",
		OfAll:    "more files are being written than can be at once; ask for this one again in a moment",
	}
	pageLimit = web.Concurrency{ // large pages, until the browser has all of them
		Each: 24, All: 256, After: 10 * time.Second,
		OfClient: "more pages are on their way to you than are sent at once; load this one again in a moment",
		OfAll:    "more pages are on their way than are sent at once; load this one again in a moment",
	}
)

const (
	// pagesMade is how many large pages are made at a time. Each keeps all that it
	// shows in memory, many times its own size, until its first byte is sent.
	pagesMade = 3

	// turnPatience is how long a page waits for its turn: as long as for a database
	// that hangs, since that may be what holds up the pages ahead.
	turnPatience = 5 * time.Second
)

// Streaming lets h send a stream unless too many are open.
func (sh *Shell) Streaming(h web.Handler) web.Handler { return boundedByPerson(sh.streams, h) }

// Filing lets h write a file unless too many are being written.
func (sh *Shell) Filing(h web.Handler) web.Handler { return boundedByPerson(sh.files, h) }

// InTurn is Turn for a page that stays true while it is open: live.go.
func (sh *Shell) InTurn(h web.Handler) web.Handler {
	return boundedByPerson(sh.large, func(w http.ResponseWriter, r *http.Request, in store.Scoped) error {
		if IsLive(r) {
			return sh.share(w, r, in, sh.waitTurn(h))
		}
		return sh.waitTurn(h)(w, r.WithContext(context.WithValue(r.Context(), inTurnKey{}, true)), in)
	})
}

// inTurnKey marks the request for a page that stays true.
type inTurnKey struct{}

// Turn makes h, whose page is large, wait for its turn. The turn ends when the
// page begins to be sent. It is for pages that wait for nothing but the database.
func (sh *Shell) Turn(h web.Handler) web.Handler { return boundedByPerson(sh.large, sh.waitTurn(h)) }

func (sh *Shell) waitTurn(h web.Handler) web.Handler {
	return func(w http.ResponseWriter, r *http.Request, in store.Scoped) error {
		ctx, cancel := context.WithTimeout(r.Context(), turnPatience)
		defer cancel()
		if err := sh.making.Acquire(ctx, 1); err != nil {
			return web.Overloaded(5*time.Second, "more pages are asked for than can be made at once; load this one "+
				"again in a moment")
		}
		over := sync.OnceFunc(func() { sh.making.Release(1) })
		defer over()
		return h(&turn{w, over}, r, in)
	}
}

// boundedByPerson lets h answer a person only within limit.
func boundedByPerson(limit *web.ConcurrencyLimit, h web.Handler) web.Handler {
	return limit.Bound(func(r *http.Request, _ store.Scoped) string {
		v, _ := VisitorOf(r.Context())
		return v.User.ID
	}, h)
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
