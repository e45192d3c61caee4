package feeds_test

import (
	"fmt"
	"net/http"
	"testing"
	"time"

	"gangway/internal/gangway"
	"gangway/internal/web/app/apptest"
)

// tenPeople are a list in which nobody is refused.
const tenPeople = "id,last_name,first_name\n1,Aa,A\n2,Bb,B\n3,Cc,C\n" +
	"4,Dd,D\n5,Ee,E\n6,Ff,F\n7,Gg,G\n8,Hh,H\n9,Ii,I\n10,Jj,J\n"

// onePerson is a list much shorter than that.
const onePerson = "id,last_name,first_name\n1,Aa,A\n"

// TestShorterListIsAcceptedOnPages: whoever knows that a much shorter list is right accepts it on the feed's page, or
// on that of the run: told before how many records go, in words of the page, and named in the audit log. Bookers
// cannot.
func TestShorterListIsAcceptedOnPages(t *testing.T) {
	s := apptest.NewSite(t)
	has := tenPeople
	setFetched(t, s, apptest.Today, func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, has) })
	in, admin := apptest.Production(s), s.SignedIn(t, gangway.Admin)
	s.FetchDue(t)
	admin.Get("/settings/feeds/crew").Lacks("accept the list")
	has = onePerson + "11,Kk,K\n12,Ll,L\n"
	s.Passed.Add(int64(time.Hour))
	s.FetchDue(t)

	page := admin.Get("/settings/feeds/crew")
	page.Has("it lacks 9 of the 10 records that it had and brought 2 new: nothing was changed",
		"9 records are then no longer",
		"Fetch and accept the list…")
	page.Lacks("--accept-shrink")
	runs, err := in.FeedRuns(t.Context(), "crew", 0, 2)
	if err != nil || len(runs) != 2 {
		t.Fatalf("history: %+v, %v; want two runs", runs, err)
	}
	path := runPath(runs[0])
	admin.Get(path).Has(`href="`+path+`/accept"`, "Fetch and accept the list…")
	admin.Get(path+"/accept").Shows(path+"/accept", "lacks 9 of the 10", "brought 2 new",
		"9 missing records are no longer", "Fetch and accept the list")
	for _, none := range []string{runPath(runs[1]) + "/accept", "/settings/feeds/crew/runs/7/accept"} {
		admin.Post(none, nil).Is(http.StatusNotFound)
	}
	s.SignedIn(t, gangway.Booker).Post(path+"/accept", nil).Is(http.StatusForbidden)
	admin.Post(path+"/accept", nil).Shows("/settings/feeds/crew", "It is about to be fetched")
	e := apptest.LastEntry(t, s)
	if e.What != gangway.FeedFetched || e.By.ID != "admin@example.com" || e.After["accept_shrink"] != true {
		t.Errorf("the log says %+v; want who accepts the list", e)
	}
	admin.Get("/settings/audit").Has("a list that lacks many records is accepted: yes")
	s.FetchDue(t)
	admin.Get("/settings/feeds/crew").Has("fine", `data-label="Removed" class="number">9<`).
		Lacks("accept the list")
	admin.Get(path + "/accept").Is(http.StatusNotFound)
}

// TestShorterFileIsAccepted: a file that is much shorter than the list before is read again and accepted by an admin,
// without being uploaded again; a booker learns that an admin can.
func TestShorterFileIsAccepted(t *testing.T) {
	s := apptest.NewSite(t)
	in, admin, booker := apptest.Production(s), s.SignedIn(t, gangway.Admin), s.SignedIn(t, gangway.Booker)
	all := true
	apptest.SetFeed(t, in, gangway.Feed{Name: "office", Flow: gangway.TravellersFlow, Complete: &all,
		Transport: gangway.Transport{Kind: gangway.UploadTransport, Settings: []byte("{}")}}, time.Time{})
	apptest.ReadFile(t, s, "office", apptest.GiveFile(t, s, "office", tenPeople))
	run := apptest.GiveFile(t, s, "office", onePerson)
	ended := apptest.ReadFile(t, s, "office", run)
	at := apptest.UploadPath("office", run)
	booker.Get(at).Has("it lacks 9 of the 10 records that it had", "an admin can accept the list").
		Lacks("Read it again", "--accept-shrink")
	admin.Get(at).Has("Read it again and accept the list…")
	admin.Get("/settings/feeds/office").Has("Read it again and accept the list…")
	admin.Get(runPath(ended)+"/accept").Shows(runPath(ended)+"/accept",
		"9 missing records are no longer", "The same document")
	sent := admin.Post(runPath(ended)+"/accept", nil)
	sent.Has("All of it is here")
	if e := s.Audit(t, gangway.FeedGiven); len(e) != 3 || e[2].By.ID != "admin@example.com" ||
		e[2].After["accept_shrink"] != true {
		t.Errorf("the log has %+v; want who accepted it", e)
	}
	apptest.ReadFile(t, s, "office", runOf(t, sent.Path))
	admin.Get(sent.Path).Has("9 that the file no longer has were removed")

	gone := apptest.RunFeed(t, in, gangway.FeedRun{Feed: "office", At: s.Now(), GivenBy: apptest.Maya,
		Error: "too short", Shorter: gangway.ShorterList{Before: 1}}, time.Time{})
	admin.Get(runPath(gone)+"/accept").Has("The document is not kept any more", "Upload it again")
	admin.Post(runPath(gone)+"/accept", nil).Is(http.StatusConflict, "no longer stored")
}

// TestFailedDocumentsOnPages: a run names the documents of which nothing was stored, with what is wrong with each.
func TestFailedDocumentsOnPages(t *testing.T) {
	s := apptest.NewSite(t)
	in, admin := apptest.Production(s), s.SignedIn(t, gangway.Admin)
	apptest.SetFeed(t, in, gangway.Feed{Name: "files", Flow: gangway.TravelRequestsFlow,
		Transport: gangway.Transport{Kind: "folder", Settings: []byte(`{"path":"/srv/requests"}`)}}, apptest.Today)
	one := apptest.RunFeed(t, in, gangway.FeedRun{Feed: "files", At: s.Now(), Received: 3, FailedDocuments: 1,
		Failures: []gangway.DocumentFailure{{Document: "<b>.json", Message: "it ends too early, at byte 49"}}},
		apptest.Today)
	admin.Get("/settings/feeds/files").Has("stored, 1 document failed", "3 records, 1 document failed")
	admin.Get(runPath(one)).Has("1 document failed: nothing of it was stored", "&lt;b&gt;.json",
		"it ends too early, at byte 49")
	many := apptest.RunFeed(t, in, gangway.FeedRun{Feed: "files", At: s.Now(), FailedDocuments: 120,
		Failures: []gangway.DocumentFailure{{Document: "c.csv", Message: "it is empty"}}}, apptest.Today)
	admin.Get(runPath(many)).Has("120 documents failed: nothing", "c.csv", "119 more are not named here")
	s.Passed.Add(int64(8 * 24 * time.Hour))
	apptest.Must(s.DB.Expire(t.Context(), s.Now()))(t)
	s.SignedIn(t, gangway.Admin).Get(runPath(many)).Has("120 documents failed", "is not kept any more").
		Lacks("c.csv")
}
