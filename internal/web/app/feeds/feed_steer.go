package feeds

import (
	"context"
	"io"
	"net/http"
	"time"

	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/web/app/shell"
	"gangway/internal/wire"
)

// FetchFeed has a feed fetched at once. Its page then shows the run.
func (room *Room) FetchFeed(w http.ResponseWriter, r *http.Request, in store.Scoped) error {
	name := r.PathValue("name")
	if err := room.poller.FetchSoon(r.Context(), in, room.Actor(r), name, false); err != nil {
		return err
	}
	return room.Redirect(w, r, FeedPath(name))
}

// SwitchFeed switches a feed off, or on again.
func (room *Room) SwitchFeed(w http.ResponseWriter, r *http.Request, in store.Scoped) error {
	name, off := r.PathValue("name"), r.PostFormValue("to") == "off"
	if err := room.poller.Switch(r.Context(), in, room.Actor(r), name, off); err != nil {
		return err
	}
	said := "Feed " + name + " is switched on."
	if off {
		said = "Feed " + name + " is switched off: it is neither fetched nor asked, and its run is stopped. What it " +
			"has brought stays."
	}
	room.Sessions.SetFlash(r.Context(), said)
	return room.Redirect(w, r, FeedPath(name))
}

// ConfirmEncoding takes the encoding in which a feed's documents were read for the one that they have.
func (room *Room) ConfirmEncoding(w http.ResponseWriter, r *http.Request, in store.Scoped) error {
	f, err := in.Feed(r.Context(), r.PathValue("name"))
	if err == nil && f.Format.Encoding != "" {
		err = gangway.Errorf(gangway.Conflict, "somebody has named the encoding of this feed already")
	}
	if f.Format.Encoding = r.PostFormValue("encoding"); err == nil {
		_, err = wire.ReadDocumentFormat(wire.DocumentFormat(f.Format))
	}
	if err == nil {
		_, err = room.poller.SetOver(r.Context(), in, room.Actor(r), f.Feed, f.Version)
	}
	if err != nil {
		return err
	}
	room.Sessions.SetFlash(r.Context(), "Feed "+f.Name+" reads its documents in "+f.Format.Encoding+" from now on.")
	return room.Redirect(w, r, FeedPath(f.Name))
}

// FeedStream sends how a feed is doing until its run has ended.
func (room *Room) FeedStream(w http.ResponseWriter, r *http.Request, in store.Scoped) error {
	name := r.PathValue("name")
	return shell.Follow(room.Shell, w, r, shell.Followed[feedPage]{
		Changed: room.watchFeed(r.Context(), name),
		Now:     func(ctx context.Context) (feedPage, error) { return room.feedPage(ctx, in, name, 0) },
		Live:    func(p feedPage) bool { return p.Now.Live() },
		Render: func(part io.Writer, p feedPage) error {
			if err := room.Part(part, "feed", "head", p.page()); err != nil {
				return err
			}
			if err := room.Part(part, "feed", "feed-now", p.Now); err != nil {
				return err
			}
			return room.Part(part, "feed", "feed-runs", p)
		},
	})
}

// progressEvery is how often a page looks how far a run is, of which nobody tells it.
const progressEvery = time.Second

// watchFeed returns a channel that holds a value whenever there may be news of a feed.
func (room *Room) watchFeed(ctx context.Context, name string) <-chan struct{} {
	return room.db.Watch(ctx, store.FeedTopic(name), progressEvery)
}
