package feeds

import (
	"net/http"
	"net/url"
	"time"

	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/web/app/shell"
)

// A feedsPage is the account's feeds, by name.
type feedsPage struct {
	Rows        []feedRow
	Cut         int // feeds that are not shown
	Environment gangway.Environment
}

// A feedRow is a feed, and how it is doing.
type feedRow struct {
	Name, What, Kind, Where, Every string
	Good                           time.Time // its last good run; zero: none yet
	Brought                        string    // what that brought
	Next                           time.Time // zero: not by itself
	gangway.Condition
}

// feedsShown is how many feeds the page has at most.
const feedsShown = 100

// First leads to the first of the settings that somebody may see: the feeds, or else their own password.
func (room *Room) First(w http.ResponseWriter, r *http.Request, _ store.Scoped) error {
	if v, ok := shell.VisitorOf(r.Context()); ok && v.User.Role.May(gangway.ToAdminister) {
		return room.Redirect(w, r, "/settings/feeds")
	}
	return room.Redirect(w, r, "/password")
}

// Feeds lists the account's feeds in this environment.
func (room *Room) Feeds(w http.ResponseWriter, r *http.Request, in store.Scoped) error {
	list, err := in.Feeds(r.Context())
	if err != nil {
		return err
	}
	p := feedsPage{}
	if v, ok := shell.VisitorOf(r.Context()); ok {
		p.Environment = v.Account.Environment
	}
	failing := 0
	for _, f := range list {
		if !f.Failing.IsZero() && !f.Off {
			failing++
		}
	}
	answer := feedsAnswer(len(list), failing)
	if len(list) > feedsShown {
		p.Cut, list = len(list)-feedsShown, list[:feedsShown]
	}
	latest, err := in.LatestFeedRuns(r.Context())
	if err != nil {
		return err
	}
	for _, f := range list {
		p.Rows = append(p.Rows, room.feedRow(f, latest[f.Name]))
	}
	return room.Show(w, r, shell.Page{Template: "feeds", Section: "settings", Title: "Settings › Feeds",
		Answer: answer, Data: p})
}

func feedsAnswer(n, failing int) string {
	const about = "Where this account's travellers, travel requests and crew changes come from."
	switch {
	case n == 0:
		return about
	case failing > 0:
		return shell.Plural(failing, "feed is", "feeds are") + " failing, of " + shell.Number(n) + ". " + about
	}
	return shell.Plural(n, "feed", "feeds") + ", none is failing. " + about
}

// feedRow says how a feed is doing whose latest runs are given.
func (room *Room) feedRow(f store.StoredFeed, latest store.LatestFeedRuns) feedRow {
	scheduled, asked := f.Scheduled(room.live(f.Feed)), f.Asked(room.live(f.Feed))
	row := feedRow{Name: f.Name, What: flowWords(f.Flow), Kind: KindWords(f.Transport.Kind),
		Where: whereWords(f.Transport), Good: f.GoodAt, Every: fetchedWords(f.Feed, room.live(f.Feed)),
		Brought: broughtWords(latest.Good, f, asked), Condition: conditionOf(f, asked, latest.Last)}
	if scheduled && !f.Off {
		row.Next = f.Due
	}
	return row
}

// FeedPath is the address of a feed's page.
func FeedPath(name string) string { return "/settings/feeds/" + url.PathEscape(name) }

// conditionOf says how a feed is doing whose last run is given; the zero run: there was none.
func conditionOf(f store.StoredFeed, asked bool, last gangway.FeedRun) gangway.Condition {
	return gangway.ConditionOfFeed(f.Feed, gangway.FeedFacts{Failing: f.Failing, Good: f.GoodAt, Asked: asked,
		Last: last})
}

// live reports whether a feed's system can be asked while somebody waits.
func (room *Room) live(f gangway.Feed) bool {
	kind, err := room.poller.Kind(f.Transport.Kind)
	return err == nil && kind.Live
}
