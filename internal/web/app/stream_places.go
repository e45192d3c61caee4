package app

import (
	"net/http"
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

	pagesEach = 24 // large pages, until they have been taken
	pagesAll  = 256
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
