package app

import (
	"net/http"
	"sync"
	"time"

	"gangway/internal/store"
	"gangway/internal/web"
)

// Streams are open for as long as somebody looks, and each has what it sends
// in memory: so many at a time, of one person and of all.
//
// Decided: docs/choices.md, "What anybody may fill".
const (
	streamsEach = 24
	streamsAll  = 256

	filesEach = 2 // files of any length, which are written as they are read
	filesAll  = 16

	// pagesMade is how many large pages are made at a time: each has all that it
	// shows in memory, many times its size, until its first byte is sent.
	pagesMade = 4
)

// streaming has h send a stream only while there is a place for it.
func (a *App) streaming(h web.Handler) web.Handler {
	return inPlace(a.streams, h, "more pages are open in your browser than can be kept up to date at once; close some, or load this one again",
		"more pages are open than can be kept up to date at once; load this one again in a moment")
}

// filing has h write a file only while there is a place for it.
func (a *App) filing(h web.Handler) web.Handler {
	return inPlace(a.files, h, "more files are on their way to you than are written at once; wait for one of them",
		"more files are being written than can be at once; ask for this one again in a moment")
}

// inPlace has h answer a person only in one of places, and says otherwise which bound was reached.
func inPlace(places *web.Places, h web.Handler, ofPerson, ofAll string) web.Handler {
	return func(w http.ResponseWriter, r *http.Request, in store.Scoped) error {
		v, _ := visitorOf(r.Context())
		switch ok, all := places.Take(v.User.ID); {
		case all:
			return web.Overloaded(10*time.Second, ofAll)
		case !ok:
			return web.TooManyRequests(10*time.Second, ofPerson)
		}
		defer places.Leave(v.User.ID)
		return h(w, r, in)
	}
}

// inTurn has h make a page that shows much when it is its turn, which ends when
// the page begins to be sent. It is for pages that wait for nobody but the database.
func (a *App) inTurn(h web.Handler) web.Handler {
	return func(w http.ResponseWriter, r *http.Request, in store.Scoped) error {
		select {
		case a.turns <- struct{}{}:
		case <-r.Context().Done():
			return r.Context().Err()
		}
		t := &turn{ResponseWriter: w, over: sync.OnceFunc(func() { <-a.turns })}
		defer t.over()
		return h(t, r, in)
	}
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
