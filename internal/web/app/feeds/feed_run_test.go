package feeds_test

import (
	"fmt"
	"io"
	"net/http"
	"runtime"
	"strings"
	"testing"
	"time"

	"gangway/internal/accept"
	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/web/app/apptest"
)

func runPath(run gangway.FeedRun) string {
	return fmt.Sprintf("/settings/feeds/%s/runs/%d", run.Feed, run.ID)
}

// TestFeedRunPage: an admin sees what a run did, and each record that was refused or stored without something, at
// its place, in their words and ours. What is not listed is said.
func TestFeedRunPage(t *testing.T) {
	s := apptest.NewSite(t)
	runs := apptest.SetFeeds(t, s)
	admin := s.SignedIn(t, gangway.Admin)
	admin.Get("/settings/feeds/crew").Has(`href="` + runPath(runs.Last) + `"`)
	a := admin.Get(runPath(runs.Last))
	a.Shows(runPath(runs.Last), "stored, some refused", "412 records", "411 unchanged", "Thu 20 Nov 2036 08:40:00 UTC",
		"1 record refused", "line 19", "LastName", ">Name<", "a traveller needs a last name",
		"1 record stored without what was wrong", "line 2", "Geschlecht", ">x<", "must be M or F",
		"crew.csv", fmt.Sprintf("%d bytes", len(apptest.FeedDocument)), runPath(runs.Last)+"/documents/0",
		"Thu 27 Nov 08:40 UTC")
	a.Lacks("Show all")

	a = admin.Get(runPath(runs.Bad))
	a.Has("failed", "nothing was changed", "Mon 1 Dec 2036 to Sun 7 Dec 2036", "1,250 records refused",
		"and 980 more", "The first 1,000 remarks are kept; there were more.",
		"101 more are not shown", "Show all that is kept")
	if n := strings.Count(a.Body, "Crew!C"); n != 20 {
		t.Errorf("%d records are named; want 20", n)
	}
	a = admin.Get(runPath(runs.Bad) + "?show=all")
	if n := strings.Count(a.Body, "Crew!C"); n != accept.MaxRemarks {
		t.Errorf("%d remarks are shown; want all that are kept", n)
	}
	a.Lacks("Show all", "more are not shown", "and 980 more")

	admin.Get(runPath(runs.Old)).Has("2 records refused", "Which they were is not kept any more",
		"1 document is gone: they are kept for 7 days")
	for _, path := range []string{"/settings/feeds/crew/runs/1", "/settings/feeds/crew/runs/x",
		strings.Replace(runPath(runs.Last), "crew", "lookup", 1)} {
		admin.Get(path).Is(http.StatusNotFound)
	}
}

// TestFeedDocumentIsDownloaded: a document comes as it was, as a file that no browser opens, and every download
// is in the audit log, without anything that names a person.
func TestFeedDocumentIsDownloaded(t *testing.T) {
	s := apptest.NewSite(t)
	runs := apptest.SetFeeds(t, s)
	admin := s.SignedIn(t, gangway.Admin)
	path := runPath(runs.Last) + "/documents/0"
	a := admin.Get(path)
	if a.Status != http.StatusOK || a.Body != apptest.FeedDocument {
		t.Fatalf("%s: %d, %q; want the document", path, a.Status, a.Body)
	}
	for name, want := range map[string]string{"Content-Type": "application/octet-stream",
		"Content-Disposition":    "attachment; filename=crew-20361120-084000-1-crew.csv",
		"X-Content-Type-Options": "nosniff", "Cache-Control": "no-store",
		"Content-Length": fmt.Sprint(len(apptest.FeedDocument))} {
		if got := a.Head.Get(name); got != want {
			t.Errorf("%s: %q; want %q", name, got, want)
		}
	}
	e := apptest.LastEntry(t, s)
	apptest.IsEntry(t, s, e, gangway.FeedDocumentTaken, "admin@example.com (Ingrid Holm)")
	if got := fmt.Sprint(e.After); got != "map[bytes:58 document:1 feed:crew run:2036-11-20T08:40:00Z]" {
		t.Errorf("the log says %s", got)
	}
	admin.Get(path)
	if n := len(s.Audit(t, gangway.FeedDocumentTaken)); n != 2 {
		t.Errorf("two downloads left %d entries", n)
	}
	admin.Get("/settings/audit").Has("Feed&#39;s document downloaded")

	for _, gone := range []string{runPath(runs.Old) + "/documents/0", runPath(runs.Last) + "/documents/1",
		runPath(runs.Last) + "/documents/x", runPath(runs.Last) + "/documents/-1"} {
		admin.Get(gone).Is(http.StatusNotFound)
	}
	if n := len(s.Audit(t, gangway.FeedDocumentTaken)); n != 2 {
		t.Errorf("what was not sent left an entry: %d", n)
	}
}

// TestNamesOfDownloadedFiles: whatever a customer's system calls a document, it is saved under a name that is
// harmless everywhere.
func TestNamesOfDownloadedFiles(t *testing.T) {
	s := apptest.NewSite(t)
	apptest.SetFeeds(t, s)
	in, admin := apptest.Production(s), s.SignedIn(t, gangway.Admin)
	l := apptest.Must(in.TakeFeed(t.Context(), "old", s.Now(), s.Now().Add(time.Minute)))(t)
	names := []struct{ name, contentType, want string }{
		{"crew list.csv", "", "-1-crew_list.csv"},
		{"../../etc/passwd", "", "-2-passwd"},
		{`C:\temp\x.xlsx`, "", "-3-x.xlsx"},
		{"a\r\nSet-Cookie: x=y.html", "", "-4-a__Set-Cookie__x_y.html"},
		{`"; filename=evil.exe`, "", "-5-filename_evil.exe"},
		{"Sørensen ž.json", "", "-6-S_rensen__.json"},
		{"", "application/json; charset=utf-8", "-7.json"},
		{"...", "text/html", "-8"},
		{strings.Repeat("x", 300) + ".csv", "", "-9-" + strings.Repeat("x", 96) + ".csv"},
	}
	for i, n := range names {
		apptest.Done(t, in.KeepFeedDocument(t.Context(), l, store.FeedDocument{Place: i, Name: n.name,
			ContentType: n.contentType}, strings.NewReader("x")))
	}
	run := apptest.Must(in.EndFeedRun(t.Context(), l, gangway.FeedRun{Documents: len(names)},
		store.FeedRunEnd{}, s.Now()))(t)
	for i, n := range names {
		a := admin.Get(fmt.Sprintf("%s/documents/%d", runPath(run), i))
		if got := a.Head.Get("Content-Disposition"); got != "attachment; filename=old-20361120-090000"+n.want ||
			a.Head.Get("Content-Type") != "application/octet-stream" {
			t.Errorf("%q is saved by %s, %q; want %q", n.name, got, a.Head.Get("Content-Type"), n.want)
		}
	}
}

// TestLargeDocumentTakesLittleMemory: a document of 30 MB is sent portion by portion.
func TestLargeDocumentTakesLittleMemory(t *testing.T) {
	s := apptest.NewSite(t)
	apptest.SetFeeds(t, s)
	const size = 30 << 20
	run := apptest.RunFeed(t, apptest.Production(s), gangway.FeedRun{Feed: "old", At: s.Now()}, time.Time{},
		strings.Repeat("0123456789abcde\n", size/16))
	admin := s.SignedIn(t, gangway.Admin)
	req := apptest.Must(http.NewRequestWithContext(t.Context(), http.MethodGet,
		s.URL+runPath(run)+"/documents/0", nil))(t)
	runtime.GC()
	var before, now runtime.MemStats
	runtime.ReadMemStats(&before)
	res := apptest.Must(admin.HTTP.Do(req))(t)
	defer res.Body.Close()
	got, most := 0, uint64(0)
	for err := error(nil); err == nil; {
		var n int64
		n, err = io.CopyN(io.Discard, res.Body, 2<<20)
		got += int(n)
		runtime.GC() // what is in use, not what was
		runtime.ReadMemStats(&now)
		most = max(most, now.HeapAlloc)
	}
	if got != size {
		t.Errorf("%d bytes came; want %d", got, size)
	}
	if grown := int64(most) - int64(before.HeapAlloc); grown > 8<<20 {
		t.Errorf("sending %d bytes took %d bytes of memory; want less than 8 MiB", size, grown)
	}
}
