package report_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/store/storetest"
	"gangway/internal/web/app/apptest"
)

// TestViewsAreShared: a report is saved under a name, opens for everybody of the account with days that move on, is
// replaced only when that is said, and only by who saved it or an administrator.
func TestViewsAreShared(t *testing.T) {
	storetest.EachInTrial(t, func(t *testing.T, db *store.DB) {
		s := apptest.NewSiteOn(t, db)
		booker, approver := s.SignedIn(t, gangway.Booker), s.SignedIn(t, gangway.Approver)
		form := booker.Get("/report?field=rank").Sent("/report/views")
		form.Set("view", "Fleet by rank")
		booker.Post("/report/views", form).Shows("/report?field=rank&period=12-months", `aria-current="true">Fleet by rank</a>`)
		const link = `href="/report?field=rank&amp;period=12-months"`
		approver.Get("/report").Has(link).Lacks("Delete view")
		other := s.SignedIn(t, gangway.Booker)
		other.Post("/environment", url.Values{"environment": {"development"}, "back": {"/"}})
		other.Get("/report").Lacks("Fleet by rank")
		s.Passed.Add(int64(40 * 24 * time.Hour)) // for which nobody stays signed in
		booker, approver = s.SignedIn(t, gangway.Booker), s.SignedIn(t, gangway.Approver)
		admin := s.SignedIn(t, gangway.Admin)
		approver.Get("/report?field=rank&period=12-months").Has(`value="Wed 31 Dec 2036"`)

		form = approver.Get("/report?from=&to=&vessel=Aurora").Sent("/report/views")
		form.Set("view", "Fleet by rank")
		taken := approver.Post("/report/views", form).Has("There is a view “Fleet by rank”.", `name="replace"`)
		form = taken.Sent("/report/views")
		form.Set("replace", "yes")
		approver.Post("/report/views", form).Is(http.StatusForbidden)
		admin.Post("/report/views", form).Shows("/report?period=all&vessel=Aurora", "Saved as “Fleet by rank”")
		for _, c := range []*apptest.Client{booker, approver} {
			c.Post("/report/views/delete", url.Values{"view": {"Fleet by rank"}}).Is(http.StatusForbidden)
		}
		this := url.Values{"view": {"Fleet by rank"}}
		admin.Post("/report/views/delete", this).Shows("/report", "was deleted").Lacks(link)
		admin.Post("/report/views/delete", this).Is(http.StatusNotFound)
		for _, name := range []string{"", " ", strings.Repeat("x", 61)} {
			form.Set("view", name)
			booker.Post("/report/views", form).Is(http.StatusBadRequest, "a name of 1 to 60 characters")
		}
		saved, gone := s.Audit(t, gangway.ReportViewSaved), s.Audit(t, gangway.ReportViewDeleted)
		if len(saved) != 2 || len(gone) != 1 {
			t.Errorf("the audit log has %d views saved and %d deleted; want 2 and 1", len(saved), len(gone))
		}
	})
}
