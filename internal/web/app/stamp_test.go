package app_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"gangway"
)

// TestFormsStayInTheirEnvironment holds that a form which was opened in one
// environment does nothing in the other: a crew change with the same reference
// stands in both.
func TestFormsStayInTheirEnvironment(t *testing.T) {
	s := newSite(t)
	c := s.signedIn(t, gangway.Booker)
	change := gangway.CrewChange{Vessel: "Nordlys", Flag: "NO", ChangeDate: "2036-12-01", TravelRequestID: "SAME", OnSigners: []gangway.CrewMember{{Traveller: maria}}}
	for _, account := range []gangway.Account{s.production, s.development} {
		if _, err := s.db.In(account.Scope()).UpsertCrewChanges(t.Context(), []gangway.CrewChange{change}, today); err != nil {
			t.Fatal(err)
		}
	}
	there := func(a gangway.Account) bool {
		_, err := s.db.In(a.Scope()).CrewChange(t.Context(), change.Key())
		return err == nil
	}
	path := "/crew-changes/take-back?key=" + url.QueryEscape(change.Key())
	form := c.get(path).form("/crew-changes/take-back")
	if got := form.Get("opened-in"); got != "production" {
		t.Fatalf("the form says it was opened in %q; want production", got)
	}
	c.post("/environment", url.Values{"environment": {"development"}, "back": {"/"}, "opened-in": {"production"}}).shows("/", "Development: nothing here is real")
	late := c.post("/crew-changes/take-back", form)
	if late.status != http.StatusConflict || !strings.Contains(late.body, "nothing was done") || !there(s.production) || !there(s.development) {
		t.Fatalf("the old form is answered with %d; production has it: %v, development: %v", late.status, there(s.production), there(s.development))
	}
	fresh := c.get(path).form("/crew-changes/take-back")
	c.post("/crew-changes/take-back", fresh)
	if there(s.development) || !there(s.production) {
		t.Fatalf("the new form: production has it: %v, development: %v", there(s.production), there(s.development))
	}
}

// TestStreamedFormsStayInTheirEnvironment holds that forms which come in later
// say in which environment their page was opened, as those that came with it.
func TestStreamedFormsStayInTheirEnvironment(t *testing.T) {
	s := newSite(t)
	c := s.signedIn(t, gangway.Booker)
	for name, search := range map[string]gangway.Search{"one traveller": s.keep(t, maria), "a crew": s.keep(t, joiners()...)} {
		page := c.get("/searches/" + search.ID + "/stream?member=0")
		forms := strings.Count(page.body, `method="post"`)
		if stamps := strings.Count(page.body, `<input type="hidden" name="opened-in" value="production">`); forms == 0 || stamps != forms {
			t.Errorf("%s: %d of %d forms say it; want all", name, stamps, forms)
		}
	}
}
