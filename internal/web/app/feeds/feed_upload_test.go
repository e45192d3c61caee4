package feeds_test

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/web/app/apptest"
)

// crewFile is an office's list of a crew change, of which one member lacks a name.
const crewFile = "vessel;flag;change_date;travel_request_id;side;last_name;first_name;gender\n" +
	"Aurora;NO;2036-12-01;CC-9;on;Santos;Maria;x\nAurora;NO;2036-12-01;CC-9;on;Reyes;;M\n"

// TestUploadAFile: a booker finds where to upload the office's list, uploads it, leaves, comes back to see
// what became of it, and finds the crew change. The history and the audit log say who it was.
func TestUploadAFile(t *testing.T) {
	s := apptest.NewSite(t)
	booker := s.SignedIn(t, gangway.Booker)
	booker.Get("/crew-changes").Lacks("Upload a file")
	apptest.SetUploadFeed(t, apptest.Production(s), "office", gangway.CrewChangesFlow)
	apptest.SetUploadFeed(t, apptest.Production(s), "crew", gangway.TravellersFlow)
	booker.Get("/crew-changes").Has(`href="/settings/feeds/office/upload"`, "Upload a file")
	booker.Get("/travellers").Has(`href="/settings/feeds/crew/upload"`)
	booker.Get("/requests").Lacks("Upload a file")

	path := "/settings/feeds/office/upload"
	page := booker.Get(path)
	page.Shows(path, "File with crew changes", "what is not in it stays", "At most 1 GiB")
	page.Lacks("lacks many records")
	sent := booker.PostFile(path, url.Values{"opened-in": {"production"}, "shrunk": {"yes"}}, "file", "list.csv",
		crewFile)
	sent.Has("All of it is here", "data-stream", "You can leave this page", "given by")
	at := sent.Path
	booker.PostFile(path, url.Values{"opened-in": {"production"}}, "file", "list.csv", crewFile).
		Is(http.StatusConflict, "still reads a document")
	apptest.ReadFile(t, s, "office", runOf(t, at))
	booker.Get(at).
		Shows(at, "1 record: 1 new", "1 crew member refused", "1 record stored without what was wrong",
			"The Gender field must be M or F.",
			"The FirstName field is required.").Lacks("data-stream", "In the history")
	booker.Get("/crew-changes?from=2036-12-01").Has("Aurora")

	e := s.Audit(t, gangway.FeedGiven)
	if len(e) != 1 || e[0].By.ID != "booker@example.com" || e[0].After["feed"] != "office" {
		t.Errorf("audit log: %+v; want who gave the file to which feed", e)
	}
	admin := s.SignedIn(t, gangway.Admin)
	history := fmt.Sprintf("/settings/feeds/office/runs/%d", runOf(t, at))
	admin.Get(at).Has(`href="` + history + `"`)
	admin.Get(history).Has("Ingrid Holm", "list.csv")
	admin.Get("/settings/feeds/office").Has("given by", "when somebody gives it a document",
		"Upload a file")
}

func runOf(t *testing.T, path string) (run int64) {
	t.Helper()
	if _, err := fmt.Sscanf(path[strings.LastIndex(path, "/")+1:], "%d", &run); err != nil {
		t.Fatalf("%s is no page of a file: %v", path, err)
	}
	return run
}

// TestUploadIsRefused: what cannot be taken is refused with a sentence, and nothing of it stays: no file, an
// empty one, a form of another environment, a feed that is off or asked; and only admins stand in for a
// customer's own system.
func TestUploadIsRefused(t *testing.T) {
	s := apptest.NewSite(t)
	apptest.SetFeeds(t, s)
	in := apptest.Production(s)
	apptest.SetUploadFeed(t, in, "office", gangway.CrewChangesFlow)
	admin, booker := s.SignedIn(t, gangway.Admin), s.SignedIn(t, gangway.Booker)
	form := url.Values{"opened-in": {"production"}}
	for name, c := range map[string]struct {
		answer apptest.Answer
		status int
		says   string
	}{
		"no file": {admin.Post("/settings/feeds/office/upload", form), 422, "Choose a file."},
		"an empty file": {booker.PostFile("/settings/feeds/office/upload", form, "file", "x.csv", ""), 422,
			"nothing in this file"},
		"of a customer's": {booker.PostFile("/settings/feeds/crew/upload", form, "file", "x.csv", crewFile), 403, ""},
		"its form":        {booker.Get("/settings/feeds/crew/upload"), 403, ""},
		"a feed that is asked": {admin.PostFile("/settings/feeds/lookup/upload", form, "file", "x.csv", crewFile), 400,
			"is asked when"},
		"no such feed": {admin.Get("/settings/feeds/none/upload"), 404, ""},
		"no such run":  {booker.Get("/settings/feeds/office/upload/7"), 404, ""},
		"no number":    {booker.Get("/settings/feeds/office/upload/x"), 404, ""},
		"elsewhere": {booker.PostFile("/settings/feeds/office/upload", url.Values{"opened-in": {"development"}}, "file",
			"x.csv", crewFile), 409, "nothing was done"},
	} {
		if c.answer.Status != c.status || !strings.Contains(c.answer.Body, c.says) {
			t.Errorf("%s: %d; want %d that says %q", name, c.answer.Status, c.status, c.says)
		}
	}
	for _, l := range apptest.Must(s.DB.TakeFeeds(t.Context(), s.Now(), s.Now(), 100, 100))(t) {
		if l.Given != nil {
			t.Errorf("feed %s was given something", l.Feed)
		}
	}
	admin.Get("/settings/feeds/crew/upload").Has("taken for all there is", "lacks many records",
		"also fetched by itself")
}

// TestUploadProgress: the page of a file says what was read of how many bytes, what is stored of how many
// records, and why nothing was stored.
func TestUploadProgress(t *testing.T) {
	s := apptest.NewSite(t)
	in := apptest.Production(s)
	apptest.SetUploadFeed(t, in, "crew", gangway.TravellersFlow)
	booker := s.SignedIn(t, gangway.Booker)
	run := apptest.GiveFile(t, s, "crew", "<html>Sign in</html>")
	path := apptest.UploadPath("crew", run)
	booker.Get(path).Has("All of it is here, 20 bytes", "Maya Ortiz-Valderrama")
	l := apptest.Must(in.TakeFeed(t.Context(), "crew", s.Now(), s.Now()))(t)
	l.Given.Tries++
	for _, c := range []struct {
		progress store.FeedProgress
		has      []string
	}{
		{store.FeedProgress{Read: 31_400_000, Size: 88_000_000, Records: 120_000},
			[]string{`max="88000000" value="31400000"`, "29.9 MiB of 83.9 MiB", "120,000 records"}},
		{store.FeedProgress{Read: 88_000_000, Size: 88_000_000, Records: 300_000, Storing: true, Stored: 10_000},
			[]string{`max="300000" value="10000"`, "300,000 records", "10,000 of them are stored"}},
	} {
		apptest.Done(t, in.NoteFeedProgress(t.Context(), l, c.progress))
		booker.Get(path).Has(c.has...)
	}
	apptest.ReadFile(t, s, "crew", run)
	booker.Get(path).Has("Nothing was stored: crew.csv: it is a web page", "failed", "Upload another file").
		Lacks("data-stream")
	booker.Get(path+"/stream").Has("event: end", "failed")
}
