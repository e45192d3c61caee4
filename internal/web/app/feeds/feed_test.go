package feeds_test

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/web/app/apptest"
)

// TestFeedPage: an admin sees a feed as it is, without its secrets, how it is doing, and its history.
func TestFeedPage(t *testing.T) {
	s := apptest.NewSite(t)
	admin := s.SignedIn(t, gangway.Admin)
	admin.Get("/settings/feeds/crew").Is(http.StatusNotFound)
	apptest.SetFeeds(t, s)
	a := admin.Get("/settings/feeds")
	a.Has(`href="/settings/feeds/crew"`)
	admin.Get("/settings/feeds/crew").
		Shows("/settings/feeds/crew", "Travellers, for suggestions", "every hour", "A run brings all there is",
			"https://hr.corvina.example/personnel/export/crew", "auth.user", "gangway", "auth.password",
			"(kept, and never shown)", "headers.X-Tenant", "csv", "last_name: .Name", "fine", "412 records, 1 refused",
			"Thu 20 Nov 09:40 UTC", "20 Nov 08:00 UTC", "hr.corvina.example has answered with status 502", "1.4 s",
			"Fetch now", "Switch off").Lacks("data-stream", "reads files of the machine")
	admin.Get("/settings/feeds/crew-changes-of-the-fleet").Has("failing", "20 Nov 07:01 UTC",
		"files.corvina.example refused the key of gangway", "about to be fetched",
		`data-stream="/settings/feeds/crew-changes-of-the-fleet/stream"`, "adds and replaces",
		`UTC</time></span> <span class="sub">files.corvina.example`)
	admin.Get("/settings/feeds/lookup").
		Has("asked when needed", "when somebody needs it", "It is asked while somebody waits").
		Lacks("Fetch now")
	admin.Get("/settings/feeds/old").Has("switched off", "Switch on").Lacks("Fetch now")
	admin.Get("/settings/feeds/fresh").Has("not fetched yet", "/srv/requests", "only its operator can change it",
		"No run yet")
}

// TestFeedOfUnverifiedSenders: an admin reads on a mail feed's page that anybody can pretend to be its senders.
func TestFeedOfUnverifiedSenders(t *testing.T) {
	s := apptest.NewSite(t)
	admin := s.SignedIn(t, gangway.Admin)
	for by, shown := range map[string]bool{`}`: true, `,"authenticated_by":"mx.example.com"}`: false} {
		apptest.SetFeed(t, apptest.Production(s), gangway.Feed{Name: "crew", Flow: gangway.TravellersFlow,
			Transport: gangway.Transport{Kind: "mail", Settings: []byte(`{"host":"imap.example.com","user":"crew",` +
				`"from":["crewing@example.com"]` + by)}}, apptest.Today)
		a := admin.Get("/settings/feeds/crew")
		if strings.Contains(a.Body, "Senders are not verified") != shown {
			t.Errorf("with %s, the page says that senders are not verified: %v", by, !shown)
		}
	}
}

// TestFeedHistoryIsPaged: a history of many runs is read page by page, each run once.
func TestFeedHistoryIsPaged(t *testing.T) {
	s := apptest.NewSite(t)
	in := apptest.Production(s)
	apptest.SetFeed(t, in, gangway.Feed{Name: "crew", Flow: gangway.TravellersFlow,
		Transport: gangway.Transport{Kind: "endpoint", Settings: []byte(`{"url":"https://hr.example"}`)}},
		apptest.Today)
	for i := range 60 {
		apptest.RunFeed(t, in, gangway.FeedRun{Feed: "crew", At: apptest.Today.Add(time.Duration(i) * time.Hour),
			Received: 7000 + i}, apptest.Today.Add(100*time.Hour))
	}
	admin := s.SignedIn(t, gangway.Admin)
	seen, path := "", "/settings/feeds/crew"
	for pages := 1; ; pages++ {
		a := admin.Get(path)
		seen += a.Body
		before, after, more := strings.Cut(a.Body, `href="/settings/feeds/crew?before=`)
		if !more {
			if pages != 3 || !strings.Contains(before, "Newest") {
				t.Errorf("the last of %d pages, want 3, with a link to the newest runs:\n%s", pages, before)
			}
			break
		}
		id, _, _ := strings.Cut(after, `"`)
		path = "/settings/feeds/crew?before=" + id
	}
	for i := range 60 {
		if n := strings.Count(seen, fmt.Sprintf(`data-label="Received" class="number">7,0%02d</td>`, i)); n != 1 {
			t.Errorf("the run that received %d is listed %d times; want once", 7000+i, n)
		}
	}
}

// TestFeedIsFetchedFromItsPage: whoever presses the button sees the run, with and without a script, and the
// audit log says who it was.
func TestFeedIsFetchedFromItsPage(t *testing.T) {
	s := apptest.NewSite(t)
	apptest.SetFeeds(t, s)
	in, admin := apptest.Production(s), s.SignedIn(t, gangway.Admin)
	admin.Post("/settings/feeds/crew/fetch", nil).Shows("/settings/feeds/crew", "It is about to be fetched",
		`<noscript><meta http-equiv="refresh" content="2"></noscript>`, `data-stream="/settings/feeds/crew/stream"`)
	apptest.IsEntry(t, s, apptest.LastEntry(t, s), gangway.FeedFetched, "admin@example.com (Ingrid Holm)")

	lines := admin.OpenStream("/settings/feeds/crew/stream")
	lease := apptest.Must(in.TakeFeed(t.Context(), "crew", s.Now(), s.Now().Add(time.Minute)))(t)
	admin.Get("/settings/feeds/crew").Has("It is being fetched since", "nothing has changed so far")
	admin.Post("/settings/feeds/crew/fetch", nil).Is(http.StatusConflict)
	apptest.Must(in.EndFeedRun(t.Context(), lease, gangway.FeedRun{Received: 555},
		store.FeedRunEnd{Next: s.Now().Add(time.Hour)}, s.Now()))(t)
	ended, last := false, ""
	for lines.Scan() {
		ended = ended || lines.Text() == "event: end"
		if ended {
			last += lines.Text() + "\n"
		}
	}
	if !strings.Contains(last, "555 records") || !strings.Contains(last, `id="runs"`) ||
		strings.Contains(last, "being fetched") {
		t.Errorf("the stream ends with %s; want the run that has ended", last)
	}
	for name, want := range map[string]int{"lookup": http.StatusConflict, "old": http.StatusConflict,
		"none": http.StatusNotFound} {
		if a := admin.Post("/settings/feeds/"+name+"/fetch", nil); a.Status != want {
			t.Errorf("feed %s fetched: %d; want %d", name, a.Status, want)
		}
	}
}

// TestFeedIsSwitchedOnItsPage: a feed is switched off and on, one that reads files of our machine too, and the
// audit log says who did it.
func TestFeedIsSwitchedOnItsPage(t *testing.T) {
	s := apptest.NewSite(t)
	apptest.SetFeeds(t, s)
	admin := s.SignedIn(t, gangway.Admin)
	for _, name := range []string{"lookup", "fresh"} {
		path := "/settings/feeds/" + name
		admin.Post(path+"/switch", url.Values{"to": {"off"}}).Shows(path, "is switched off", "Switch on")
		e := apptest.LastEntry(t, s)
		apptest.IsEntry(t, s, e, gangway.FeedSet, "admin@example.com (Ingrid Holm)")
		if e.Before["off"] != false || e.After["off"] != true || e.After["feed"] != name {
			t.Errorf("the log says %v → %v", e.Before, e.After)
		}
		admin.Post(path+"/switch", url.Values{"to": {"on"}}).Shows(path, "is switched on", "Switch off")
	}
}
