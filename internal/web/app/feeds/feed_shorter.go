package feeds

import (
	"context"
	"net/http"
	"strconv"

	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/web/app/shell"
)

// A shorterList is one that a run brought and that was not believed, with what somebody can do who knows that it
// is right.
type shorterList struct {
	gangway.ShorterList
	Path   string // of the page that asks before it is accepted
	ByHand bool   // somebody gave it
}

// shorterOf returns the list that a run brought and that can still be accepted; nil: there is none, since the run
// ended otherwise, or a later one was good.
func shorterOf(run gangway.FeedRun, latest store.LatestFeedRuns) *shorterList {
	if !run.Shrank() || run.ID < latest.Good.ID {
		return nil
	}
	return &shorterList{Path: FeedPath(run.Feed) + "/runs/" + strconv.FormatInt(run.ID, 10) + "/accept",
		ShorterList: run.Shorter, ByHand: run.ByHand()}
}

// Goes is how many records of the last list a shorter one cannot have.
func (l shorterList) Goes() int { return l.Before - l.Now }

// A feedShorterPage asks whether to accept a list that is much shorter than the one before.
type feedShorterPage struct {
	Name    string
	List    shorterList
	Gone    bool   // the document is no longer stored
	Refused string // why it was not accepted just now
}

// AskAcceptShorter asks before a list is accepted that is much shorter than the one before, and says how many
// records would go.
func (room *Room) AskAcceptShorter(w http.ResponseWriter, r *http.Request, in store.Scoped) error {
	return room.showShorter(w, r, in, nil)
}

func (room *Room) showShorter(w http.ResponseWriter, r *http.Request, in store.Scoped, refused error) error {
	run, list, err := room.shorterRun(r, in)
	if err != nil {
		return err
	}
	p := feedShorterPage{Name: run.Feed, List: *list}
	if list.ByHand {
		documents, err := in.FeedDocuments(r.Context(), run.Feed, run.ID)
		if err != nil {
			return err
		}
		p.Gone = len(documents) == 0
	}
	page := shell.Page{Template: "feed_shorter", Section: "settings",
		Title: "Accept the list of feed " + run.Feed, Answer: gangway.Sentence(list.Words())}
	if refused != nil {
		p.Refused, page.Status = shell.SentenceOf(refused), http.StatusConflict
	}
	page.Data = p
	return room.Show(w, r, page)
}

// shorterRun returns the run that the request is about. NotFound: it has no list to accept.
func (room *Room) shorterRun(r *http.Request, in store.Scoped) (gangway.FeedRun, *shorterList, error) {
	id, err := numberIn(r, "id", "run")
	if err != nil {
		return gangway.FeedRun{}, nil, err
	}
	run, err := in.FeedRun(r.Context(), r.PathValue("name"), id)
	if err != nil {
		return run, nil, err
	}
	list, err := room.shorter(r.Context(), in, run)
	if err == nil && list == nil {
		err = gangway.Errorf(gangway.NotFound, "this run has no list that could be accepted: it ended otherwise, or a "+
			"later run was good")
	}
	return run, list, err
}

// shorter is shorterOf for one run.
func (room *Room) shorter(ctx context.Context, in store.Scoped, run gangway.FeedRun) (*shorterList, error) {
	if !run.Shrank() {
		return nil, nil
	}
	latest, err := in.LatestFeedRuns(ctx)
	return shorterOf(run, latest[run.Feed]), err
}

// AcceptShorter has a feed fetched once more, or read again what it was given, and accept a list that is much
// shorter than the one before. The work goes on when whoever asked for it has left.
func (room *Room) AcceptShorter(w http.ResponseWriter, r *http.Request, in store.Scoped) error {
	run, list, err := room.shorterRun(r, in)
	if err != nil {
		return err
	}
	leadsTo := FeedPath(run.Feed)
	if list.ByHand {
		var again int64
		again, err = room.poller.GiveAgain(r.Context(), in, room.Actor(r), run.Feed, run.ID)
		leadsTo += "/upload/" + strconv.FormatInt(again, 10)
	} else {
		err = room.poller.FetchSoon(r.Context(), in, room.Actor(r), run.Feed, true)
	}
	if kind := gangway.KindOf(err); err != nil && (kind == gangway.Conflict || kind == gangway.NotFound) {
		return room.showShorter(w, r, in, err)
	}
	if err != nil {
		return err
	}
	return room.Redirect(w, r, leadsTo)
}
