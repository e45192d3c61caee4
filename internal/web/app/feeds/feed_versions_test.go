package feeds_test

import (
	"net/http"
	"testing"
	"time"

	"gangway/internal/gangway"
	"gangway/internal/store/storetest"
	"gangway/internal/web/app/apptest"
)

// TestFeedVersionsPage: an admin sees who changed a feed, when and what, and what an earlier version would change
// back.
func TestFeedVersionsPage(t *testing.T) {
	s := apptest.NewSite(t)
	apptest.SetFeeds(t, s)
	admin := s.SignedIn(t, gangway.Admin)
	admin.Get("/settings/feeds/crew/versions").Shows("/settings/feeds/crew/versions", "3 versions", "Version 1",
		"the feed was set up", "from, host, password, path, user, auth.kind",
		"format, how often it is fetched, mapping", "present",
		storetest.Operator.Who(), "Thu 20 Nov 09:00 UTC")
	admin.Get("/settings/feeds/crew/versions/2").
		Has("<del>−   gender: .Geschlecht</del><ins>+   gender: (.Geschlecht | gender)</ins>",
			"<span>    id: .Personalnummer,</span>", "Go back to version 2").Lacks("What differs")
	admin.Get("/settings/feeds/crew/versions/1").Has("SFTP server", "files.corvina.example", "found by itself",
		"every 15 min", "(not shown)", "<ins>+ .[] | {</ins>")
	admin.Get("/settings/feeds/crew/versions/3").Has("the present version").
		Lacks("Go back to", "What differs")
	for _, path := range []string{"/settings/feeds/crew/versions/4", "/settings/feeds/crew/versions/x",
		"/settings/feeds/none/versions", "/settings/feeds/none/versions/1"} {
		admin.Get(path).Is(http.StatusNotFound)
	}
}

// TestFeedGoesBackOnItsPage: an earlier version becomes the present one, with the audit log's entry, unless its
// secrets are gone; a feed that reads our own files is not set by a page.
func TestFeedGoesBackOnItsPage(t *testing.T) {
	s := apptest.NewSite(t)
	apptest.SetFeeds(t, s)
	in, admin := apptest.Production(s), s.SignedIn(t, gangway.Admin)
	admin.Post("/settings/feeds/crew/versions/1", nil).
		Has("Transport: password was secret and is not kept any more: it has to be given again.").
		Is(http.StatusUnprocessableEntity)

	open := gangway.Feed{Name: "ships", Flow: gangway.CrewChangesFlow, Mapping: ".ships",
		Transport: gangway.Transport{Kind: "endpoint", Settings: []byte(`{"url":"https://ships.corvina.example"}`)},
		Format:    gangway.DocumentFormat{Kind: gangway.AutoFormat}}
	apptest.SetFeed(t, in, open, apptest.Today)
	open.Mapping = ".fleet"
	apptest.SetFeed(t, in, open, apptest.Today)
	admin.Post("/settings/feeds/ships/versions/1", nil).Shows("/settings/feeds/ships", "as it was in version 1 again",
		".ships")
	e := apptest.LastEntry(t, s)
	apptest.IsEntry(t, s, e, gangway.FeedSet, "admin@example.com (Ingrid Holm)")
	if e.After["changed"] != "mapping" {
		t.Errorf("the log says that what changed is %v", e.After["changed"])
	}
	open.Mapping, open.Every = ".ships", time.Hour
	open.Transport.Settings = []byte(`{"url": "https://ships.corvina.example/?key=neap"}`)
	open.Transport.Secrets = gangway.SecretSettings(`{"password":"ebb"}`)
	apptest.SetFeed(t, in, open, apptest.Today)
	admin.Get("/settings/audit").Has("changed: every, secrets, url<").Lacks("neap", "ebb")
	admin.Get("/settings/feeds/ships/versions").Has("Version 3", "admin@example.com (Ingrid Holm)")

	local := apptest.Must(in.Feed(t.Context(), "fresh"))(t)
	local.Mapping = "."
	apptest.SetFeed(t, in, local.Feed, apptest.Today)
	admin.Get("/settings/feeds/fresh/versions/1").Lacks("<button class=\"button primary\">")
	admin.Post("/settings/feeds/fresh/versions/1", nil).Is(http.StatusForbidden)
	if f, err := in.Feed(t.Context(), "fresh"); err != nil || f.Mapping != "." {
		t.Errorf("the folder's feed: %+v, %v; want it unchanged", f, err)
	}
}
