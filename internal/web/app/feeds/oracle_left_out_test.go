//go:build !oracle

package feeds_test

import (
	"testing"

	"gangway/internal/gangway"
	"gangway/internal/web/app/apptest"
)

// TestFeedOfAnotherBuild checks that the page of a feed says if only a program with Oracle's driver can fetch it.
func TestFeedOfAnotherBuild(t *testing.T) {
	s := apptest.NewSite(t)
	const query = `, "query": "SELECT 1 AS id FROM dual"}`
	for name, url := range map[string]string{"crew": "oracle", "other": "mysql"} {
		apptest.SetFeed(t, apptest.Production(s), gangway.Feed{Name: name, Flow: gangway.TravellersFlow,
			Transport: gangway.Transport{Kind: "database",
				Settings: []byte(`{"url": "` + url + `://u@crew.example/crew"` + query)}}, apptest.Today)
	}
	admin := s.SignedIn(t, gangway.Admin)
	admin.Get("/settings/feeds/crew").Has("This feed cannot be fetched", "make build-oracle")
	admin.Get("/settings/feeds/other").Lacks("This feed cannot be fetched", "make build-oracle")
}
