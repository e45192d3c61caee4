package feeds_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"gangway/internal/gangway"
	"gangway/internal/web/app/apptest"
)

// TestSameRemarkIsOneRow: what is wrong with many records in the same way is said once, with the records it is on,
// so that what is wrong with one is found among it; what is about the whole file stands apart.
func TestSameRemarkIsOneRow(t *testing.T) {
	s := apptest.NewSite(t)
	apptest.SetUploadFeed(t, apptest.Production(s), "crew", gangway.TravellersFlow)
	file := "id,last_name,first_name,gender,gender,home_airport\n"
	for i := range 30 {
		file += fmt.Sprintf("K%02d,Reyes,Ana,F,F,Kustendorf %d\n", i, i)
	}
	file += "K99,Cruz,Bea,q,F,MNL\n"
	run := apptest.GiveFile(t, s, "crew", file)
	apptest.ReadFile(t, s, "crew", run)
	path := apptest.UploadPath("crew", run)
	page := s.SignedIn(t, gangway.Booker).Get(path)
	page.Shows(path, "31 records: 31 new", "31 records stored without what was wrong", "30 records",
		"line 2 (K00)", "Kustendorf 0", "and 10 more", "line 32 (K99)", "The Gender field must be M or F.",
		"About its columns", "Several columns are called")
	if n := strings.Count(page.Body, "HomeAirport field"); n != 1 {
		t.Errorf("the same remark stands %d times; want it once", n)
	}
}

// TestGuessesAreOnTheFeedsPage: what a mapping's helpers guessed in a run is said once on its page and on the feed's,
// and in a trial.
func TestGuessesAreOnTheFeedsPage(t *testing.T) {
	p := newSetup(t)
	s := p.Site
	f := gangway.Feed{Name: "crew", Flow: gangway.TravellersFlow, Transport: gangway.Transport{
		Kind: gangway.UploadTransport, Settings: []byte("{}")},
		Mapping: `.[] | {id: .id, last_name: .n | family_name, first_name: .n | given_names, home_airport: .a | airport}`}
	apptest.SetFeed(t, apptest.Production(s), f, time.Time{})
	run := apptest.GiveFile(t, s, "crew", "id,n,a\n1,LI WEI,Kingston\n2,Ana Reyes,Kingston\n3,Eva CRUZ,MNL\n")
	apptest.ReadFile(t, s, "crew", run)
	for _, path := range []string{apptest.UploadPath("crew", run), "/settings/feeds/crew"} {
		page := p.Get(path)
		page.Shows(path, "About how it was read", "The last word was taken as the family name", "2 in all",
			"as &#34;WEI&#34;", "because several countries have such a place")
		if n := strings.Count(page.Body, "The last word was taken"); n != 1 {
			t.Errorf("%s says it %d times; want it once", path, n)
		}
	}
	p.sendFile("id,n,a\n1,LI WEI,MNL\n", "mapping", f.Mapping, "do", "try").
		Has(`<span class="badge watch">look at</span>`, "The last word was taken as the family name",
			"1 in all: &#34;LI WEI&#34; as &#34;WEI&#34;.")
}

// TestNothingStoredIsSaid: a file of which every record was refused was not stored, and its feed is not fine.
func TestNothingStoredIsSaid(t *testing.T) {
	s := apptest.NewSite(t)
	apptest.SetUploadFeed(t, apptest.Production(s), "crew", gangway.TravellersFlow)
	run := apptest.GiveFile(t, s, "crew", "vessel,port\nAurora,Rotterdam\nOrion,Manila\n")
	apptest.ReadFile(t, s, "crew", run)
	path := apptest.UploadPath("crew", run)
	s.SignedIn(t, gangway.Booker).Get(path).
		Shows(path, "nothing stored, all refused", "2 records: 0 new", "2 records refused", "crew.csv", "given by").
		Lacks("some refused")
	admin := s.SignedIn(t, gangway.Admin)
	admin.Get("/settings/feeds").Has("all was refused that came last")
	admin.Get("/settings/feeds/crew").Has("all was refused that came last", "nothing stored, all refused")
}
