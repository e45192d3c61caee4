package feeds

import (
	"context"
	"net/http"
	"time"

	"gangway/internal/background"
	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/web/app/shell"
)

// A feedDeletePage asks whether to delete a feed, and says what goes with it.
type feedDeletePage struct {
	Name string
	Goes []string // records that only it has brought
	Busy bool     // it is being fetched, which deleting stops
}

// countedAtMost is up to how many records of a kind are counted for a page.
const countedAtMost = 100_000

// AskDeleteFeed asks before a feed is deleted.
func (room *Room) AskDeleteFeed(w http.ResponseWriter, r *http.Request, in store.Scoped) error {
	f, err := in.Feed(r.Context(), r.PathValue("name"))
	if err != nil {
		return err
	}
	brought, err := in.BroughtOnlyBy(r.Context(), f.Name, countedAtMost+1)
	if err != nil {
		return err
	}
	return room.Show(w, r, shell.Page{Template: "feed_delete", Section: "settings", Title: "Delete feed " + f.Name,
		Answer: namesOf[f.Flow].Words + ", from " + KindWords(f.Transport.Kind),
		Data:   feedDeletePage{Name: f.Name, Goes: broughtList(brought), Busy: f.Busy(room.Now())}})
}

// broughtList says how many records of each kind there are.
func broughtList(b store.Brought) (list []string) {
	for _, of := range []struct {
		n         int
		one, many string
	}{{b.Travellers, "traveller", "travellers"}, {b.TravelRequests, "travel request", "travel requests"},
		{b.CrewChanges, "crew change", "crew changes"}} {
		switch {
		case of.n > countedAtMost:
			list = append(list, "more than "+shell.Plural(countedAtMost, of.one, of.many))
		case of.n > 0:
			list = append(list, shell.Plural(of.n, of.one, of.many))
		}
	}
	return list
}

// deletePatience is how long somebody waits for a feed to be deleted before the page goes on: what many
// records it has brought takes minutes.
const deletePatience = 5 * time.Second

// DeleteFeed deletes a feed with what only it has brought. The work continues after the visitor has left: a feed that
// is half deleted would be fetched again.
func (room *Room) DeleteFeed(w http.ResponseWriter, r *http.Request, in store.Scoped) error {
	ctx, by, name := context.WithoutCancel(r.Context()), room.Actor(r), r.PathValue("name")
	dropped, done := 0, make(chan error, 1)
	go func() {
		err := background.Guard(room.Log, "delete a feed", func() (err error) {
			dropped, err = room.poller.Delete(ctx, in, by, name)
			return err
		})
		done <- err
		if err != nil && gangway.KindOf(err) != gangway.Conflict && gangway.KindOf(err) != gangway.NotFound {
			room.Log.Error("a feed could not be deleted", room.db.Whose(ctx, in.Scope()), "feed", name, "error", err)
		}
	}()
	said := "Feed " + name + " is being deleted. It has brought much: until all of that is gone it stays in this " +
		"list. Bookings stay as they are."
	late := time.NewTimer(deletePatience)
	defer late.Stop()
	select {
	case err := <-done:
		if err != nil {
			return err
		}
		said = "Feed " + name + " was deleted, and " + shell.Plural(dropped, "record", "records") +
			" that only it had brought. Bookings stay as they are."
	case <-late.C:
	}
	room.Sessions.SetFlash(r.Context(), said)
	return room.Redirect(w, r, "/settings/feeds")
}
