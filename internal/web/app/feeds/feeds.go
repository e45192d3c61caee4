package feeds

import (
	"net/http"
	"net/url"
	"strconv"
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

// Feeds lists the account's feeds in this environment.
func (room *Room) Feeds(w http.ResponseWriter, r *http.Request, in store.Scoped) error {
	list, err := in.Feeds(r.Context())
	if err != nil {
		return err
	}
	latest, err := in.LatestFeedRuns(r.Context())
	if err != nil {
		return err
	}
	v, _ := shell.VisitorOf(r.Context())
	p := feedsPage{Environment: v.Account.Environment, Cut: max(0, len(list)-feedsShown)}
	failing := 0
	for i, f := range list {
		if !f.Failing.IsZero() && !f.Off {
			failing++
		}
		if i < feedsShown {
			p.Rows = append(p.Rows, newFeedRow(f, room.live(f.Feed), latest[f.Name]))
		}
	}
	answer := "Where this account's travellers, travel requests and crew changes come from."
	switch {
	case failing > 0:
		answer = shell.Plural(failing, "feed is", "feeds are") + " failing, of " + shell.Number(len(list)) + ". " +
			answer
	case len(list) > 0:
		answer = shell.Plural(len(list), "feed", "feeds") + ", none is failing. " + answer
	}
	return room.Show(w, r, shell.Page{Template: "feeds", Section: "settings", Title: "Settings › Feeds",
		Answer: answer, Data: p})
}

// newFeedRow says how a feed is doing whose latest runs are given. live: its system can be asked while somebody waits.
func newFeedRow(f store.StoredFeed, live bool, latest store.LatestFeedRuns) feedRow {
	asked := f.Asked(live)
	row := feedRow{Name: f.Name, What: namesOf[f.Flow].Words, Kind: KindWords(f.Transport.Kind),
		Where: whereWords(f.Transport), Good: f.GoodAt, Every: fetchedWords(f.Feed, live),
		Brought: broughtWords(latest.Good, f, asked), Condition: gangway.ConditionOfFeed(f.Feed,
			gangway.FeedFacts{Failing: f.Failing, Good: f.GoodAt, Asked: asked, Last: latest.Last})}
	if f.Scheduled(live) && !f.Off {
		row.Next = f.Due
	}
	return row
}

// FeedPath is the address of a feed's page.
func FeedPath(name string) string { return "/settings/feeds/" + url.PathEscape(name) }

// live reports whether a feed's system can be asked while somebody waits.
func (room *Room) live(f gangway.Feed) bool {
	kind, err := room.poller.Kind(f.Transport.Kind)
	return err == nil && kind.Live
}

// numberIn returns a number in an address, which is of what the page is about. NotFound: it is none.
func numberIn(r *http.Request, name, of string) (int64, error) {
	n, err := strconv.ParseInt(r.PathValue(name), 10, 64)
	if err != nil {
		return 0, gangway.Errorf(gangway.NotFound, "there is no such %s", of)
	}
	return n, nil
}
