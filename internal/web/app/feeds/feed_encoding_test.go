package feeds_test

import (
	"net/http"
	"net/url"
	"testing"
	"time"

	"gangway/internal/gangway"
	"gangway/internal/web/app/apptest"
)

// TestGuessedEncodingIsConfirmed: an admin sees on the feed's page in which encoding a text was read that nothing
// names, with words of it, and confirms it once: it is stored in the feed's format, logged, and not said again.
func TestGuessedEncodingIsConfirmed(t *testing.T) {
	s := apptest.NewSite(t)
	setFetched(t, s, apptest.Today, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/csv")
		w.Write([]byte("id;last_name;first_name\n1;M\xFCller;J\xF6rg\n"))
	})
	in, admin := apptest.Production(s), s.SignedIn(t, gangway.Admin)
	s.FetchDue(t)
	const path = "/settings/feeds/crew"
	admin.Get(path).Has("read as windows-1252: Müller, Jörg", `value="windows-1252">Confirm windows-1252</button>`)
	says := url.Values{"encoding": {"windows-1252"}}
	s.SignedIn(t, gangway.Booker).Post(path+"/encoding", says).Is(http.StatusForbidden)
	admin.Post(path+"/encoding", url.Values{"encoding": {"klingon"}}).Is(http.StatusBadRequest)
	admin.Post(path+"/encoding", says).Shows(path, "reads its documents in windows-1252 from now on")
	admin.Post(path+"/encoding", url.Values{"encoding": {"cp850"}}).Is(http.StatusConflict)
	if e := apptest.LastEntry(t, s); e.What != gangway.FeedSet || e.By.ID != "admin@example.com" {
		t.Errorf("the log says %+v; want who confirmed it", e)
	}
	f, err := in.Feed(t.Context(), "crew")
	if err != nil || f.Format.Encoding != "windows-1252" || f.Version != 2 {
		t.Errorf("the feed is %+v, %v; want the encoding in a second version", f, err)
	}
	s.Passed.Add(int64(time.Hour))
	s.FetchDue(t)
	admin.Get(path).Has("fine").Lacks("Confirm", "read as windows-1252")
	runs, err := in.FeedRuns(t.Context(), "crew", 0, 1)
	if err != nil || runs[0].Warned+runs[0].Refused > 0 {
		t.Fatalf("the run after: %+v, %v; want nothing to say", runs, err)
	}
	admin.Get(runPath(runs[0])).Lacks("The encoding was guessed")
}
