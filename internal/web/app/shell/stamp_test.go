package shell_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"gangway/internal/web/app/apptest"

	"gangway/internal/gangway"
)

// TestFormsStayInTheirEnvironment holds that a form opened in one environment does
// nothing in the other, which may have a crew change with the same reference.
func TestFormsStayInTheirEnvironment(t *testing.T) {
	s := apptest.NewSite(t)
	c := s.SignedIn(t, gangway.Booker)
	change := gangway.CrewChange{Vessel: "Nordlys", Flag: "NO", ChangeDate: "2036-12-01", TravelRequestID: "SAME",
		OnSigners: []gangway.CrewMember{{Traveller: apptest.Maria}}}
	for _, account := range []gangway.Account{s.Production, s.Development} {
		if _, err := s.DB.In(account.Scope()).UpsertCrewChanges(t.Context(), []gangway.CrewChange{change},
			apptest.Today); err != nil {
			t.Fatal(err)
		}
	}
	there := func(a gangway.Account) bool {
		_, err := s.DB.In(a.Scope()).CrewChange(t.Context(), change.Key())
		return err == nil
	}
	path := "/crew-changes/take-back?key=" + url.QueryEscape(change.Key())
	form := c.Get(path).Form("/crew-changes/take-back")
	if got := form.Get("opened-in"); got != "production" {
		t.Fatalf("the form says it was opened in %q; want production", got)
	}
	c.Post("/environment", url.Values{"environment": {"development"}, "back": {"/"}, "opened-in": {"production"}}).
		Shows("/", "Development: nothing here is real")
	late := c.Post("/crew-changes/take-back", form)
	if late.Status != http.StatusConflict || !strings.Contains(late.Body, "nothing was done") || !there(s.Production) ||
		!there(s.Development) {
		t.Fatalf("the old form is answered with %d; production has it: %v, development: %v", late.Status,
			there(s.Production), there(s.Development))
	}
	c.Post("/crew-changes/take-back", c.Get(path).Form("/crew-changes/take-back"))
	if there(s.Development) || !there(s.Production) {
		t.Fatalf("the new form: production has it: %v, development: %v", there(s.Production), there(s.Development))
	}
}

// TestStreamedFormsStayInTheirEnvironment holds that forms that arrive later also
// say in which environment their page was opened.
func TestStreamedFormsStayInTheirEnvironment(t *testing.T) {
	s := apptest.NewSite(t)
	c := s.SignedIn(t, gangway.Booker)
	for name, search := range map[string]gangway.Search{"one traveller": s.Keep(t, apptest.Maria),
		"a crew": s.Keep(t, apptest.Joiners()...)} {
		open := c.Get("/searches/" + search.ID + "?member=0&wait=1").Opened().Path
		page := c.Get(strings.Replace(open, "?", "/stream?", 1))
		forms := strings.Count(page.Body, `method="post"`)
		if stamps := strings.Count(page.Body, `<input type="hidden" name="opened-in" value="production">`); forms ==
			0 || stamps != forms {
			t.Errorf("%s: %d of %d forms say it; want all", name, stamps, forms)
		}
	}
}
