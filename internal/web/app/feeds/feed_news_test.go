package feeds_test

import (
	"testing"
	"time"

	"gangway/internal/gangway"
	"gangway/internal/web/app/apptest"
)

// TestFeedNews: an admin reads for a day, on every page, that many records of a feed went, and finds the run of which
// that is so in the feed's history. Bookers read nothing of it.
func TestFeedNews(t *testing.T) {
	s := apptest.NewSite(t)
	apptest.SetFeeds(t, s)
	told := gangway.FeedNotice{Text: "30 of the 100 records that it had are gone", At: apptest.Today}
	in := apptest.Production(s)
	apptest.RunFeed(t, in, gangway.FeedRun{Feed: "crew", At: apptest.Today, Received: 70, Notice: told}, apptest.Today)
	admin, booker := s.SignedIn(t, gangway.Admin), s.SignedIn(t, gangway.Booker)
	const news = "Feed crew: 30 of the 100 records that it had are gone."
	admin.Get("/hotels").Has(news, `<a href="/settings/feeds/crew">Open the feed<span class="unseen"> crew</span></a>`)
	booker.Get("/hotels").Lacks(news)
	admin.Get("/settings/feeds/crew").Has(`<span class="sub">30 of the 100 records that it had are gone.</span>`)
	s.Passed.Store(int64(24 * time.Hour))
	admin.Get("/hotels").Lacks(news)
}
