package settings_test

import (
	"fmt"
	"strings"
	"testing"

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

// TestNothingStoredIsSaid: a file of which every record was refused was not stored, and its feed is not fine.
func TestNothingStoredIsSaid(t *testing.T) {
	s := apptest.NewSite(t)
	apptest.SetUploadFeed(t, apptest.Production(s), "crew", gangway.TravellersFlow)
	run := apptest.GiveFile(t, s, "crew", "vessel,port\nAurora,Rotterdam\nOrion,Manila\n")
	apptest.ReadFile(t, s, "crew", run)
	path := apptest.UploadPath("crew", run)
	page := s.SignedIn(t, gangway.Booker).Get(path)
	page.Shows(path, "nothing stored, all refused", "2 records: 0 new", "2 records refused", "crew.csv", "given by")
	page.Lacks("some refused")
	admin := s.SignedIn(t, gangway.Admin)
	admin.Get("/settings/feeds").Has("all was refused that came last")
	admin.Get("/settings/feeds/crew").Has("all was refused that came last", "nothing stored, all refused")
}
