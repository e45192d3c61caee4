package feeds_test

import (
	"net/http"
	"net/url"
	"testing"

	"gangway/internal/gangway"
	"gangway/internal/web/app/apptest"
)

// TestFeedsPage: an admin sees what each feed is for, where it comes from, without
// secrets, and how it is doing.
func TestFeedsPage(t *testing.T) {
	s := apptest.NewSite(t)
	admin := s.SignedIn(t, gangway.Admin)
	admin.Get("/settings/feeds").Shows("/settings/feeds", "No feeds yet",
		"gangway feed set", "--environment production")
	apptest.SetFeeds(t, s)

	admin.Get("/settings/feeds").Shows("/settings/feeds", "1 feed is failing, of 5",
		"Travellers, for suggestions", "https://hr.corvina.example/personnel/export/crew", "every hour",
		"20 Nov 08:40 UTC", "412 records, 1 refused", "fine", "20 Nov 09:40 UTC",
		"files.corvina.example:2222/outgoing/crewing/", "every 15 min", "20 Nov 07:01 UTC",
		"files.corvina.example refused the key of gangway",
		"when somebody needs it", "asked when needed",
		"switched off", "not fetched yet", "/srv/requests", "every minute").Lacks("private_key", "X-Tenant")

	admin.Post("/environment", url.Values{"environment": {"development"}, "back": {"/settings/feeds"}}).
		Has("No feeds yet", "--environment development")
	for _, role := range []gangway.Role{gangway.Booker, gangway.Approver} {
		s.SignedIn(t, role).Get("/settings/feeds").Is(http.StatusForbidden)
	}
}
