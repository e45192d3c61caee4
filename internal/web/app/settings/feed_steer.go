package settings

import (
	"context"
	"io"
	"net/http"
	"reflect"
	"time"

	"gangway/internal/store"
)

// FetchFeed has a feed fetched at once. Its page then shows the run.
func (room *Room) FetchFeed(w http.ResponseWriter, r *http.Request, in store.Scoped) error {
	name := r.PathValue("name")
	if err := room.poller.FetchSoon(r.Context(), in, room.Actor(r), name, false); err != nil {
		return err
	}
	return room.Redirect(w, r, feedPath(name))
}

// SwitchFeed switches a feed off, or on again.
func (room *Room) SwitchFeed(w http.ResponseWriter, r *http.Request, in store.Scoped) error {
	name, off := r.PathValue("name"), r.PostFormValue("to") == "off"
	if err := room.poller.Switch(r.Context(), in, room.Actor(r), name, off); err != nil {
		return err
	}
	said := "Feed " + name + " is switched on."
	if off {
		said = "Feed " + name + " is switched off: it is neither fetched nor asked. What it has brought stays."
	}
	room.Sessions.SetFlash(r.Context(), said)
	return room.Redirect(w, r, feedPath(name))
}

// FeedStream sends how a feed is doing until its run has ended.
func (room *Room) FeedStream(w http.ResponseWriter, r *http.Request, in store.Scoped) error {
	ctx, name := r.Context(), r.PathValue("name")
	changed := room.watchFeed(ctx, name)
	sent, err := room.feedPage(ctx, in, name, 0)
	if err != nil {
		return err
	}
	out := room.NewStream(w, r)
	for p, first := sent, true; ; first = false {
		over, err := out.SendPart(!p.Now.Live(), func(part io.Writer) error {
			if !first && p.Now.Live() && reflect.DeepEqual(p, sent) {
				return nil
			}
			if err := room.Part(part, "feed", "head", p.page()); err != nil {
				return err
			}
			if err := room.Part(part, "feed", "feed-now", p.Now); err != nil {
				return err
			}
			return room.Part(part, "feed", "feed-runs", p)
		})
		if err != nil || over || !room.Pause(ctx, changed) {
			return err
		}
		sent = p
		if p, err = room.feedPage(ctx, in, name, 0); err != nil {
			return err
		}
	}
}

// progressEvery is how often a page looks how far a run is, of which nobody tells it.
const progressEvery = time.Second

// watchFeed returns a channel that holds a value whenever there may be news of a feed.
func (room *Room) watchFeed(ctx context.Context, name string) <-chan struct{} {
	wake, stop := room.db.Await(store.FeedTopic(name))
	changed := make(chan struct{}, 1)
	go func() {
		defer stop()
		tick := time.NewTicker(progressEvery)
		defer tick.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-wake:
			case <-tick.C:
			}
			select {
			case changed <- struct{}{}:
			default:
			}
		}
	}()
	return changed
}
