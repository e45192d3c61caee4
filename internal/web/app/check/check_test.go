package check_test

import (
	"encoding/base64"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"gangway/internal/gangway"
	"gangway/internal/web/app/apptest"
)

// TestCheckPage: an admin has a customer's system checked at its address; the page says what is
// wrong, shows the raw answer beside what was understood, and gives the report as a file.
func TestCheckPage(t *testing.T) {
	s := apptest.NewSite(t)
	system := apptest.CheckedSystem(t, s)
	admin := s.SignedIn(t, gangway.Admin)
	admin.Get("/settings/check").Shows("/settings/check", "What to check", "B5 bookings: posts an invented booking")
	form := url.Values{"what": {"address"}, "url": {system.URL}, "auth": {"basic"}, "user": {"crew"},
		"shown": {"tide-tables"}, "flow": {"traveller-lookup", "travel-requests", "crew-changes"}}
	a := admin.Post("/settings/check", form)
	a.Shows("/settings/check", "b1.nothing", "answer 200 with an empty list", "1. Surnames that begin "+
		"with", "raw answer",
		"&#34;last_name&#34;: &#34;Santos&#34;", "It shows personal data of crew", "7 things have to be mended")
	a.Lacks("tide-tables")
	file := regexp.MustCompile(`href="data:text/plain;charset=utf-8;base64,([^"]+)"`).FindStringSubmatch(a.Body)
	if file == nil {
		t.Fatal("the report cannot be downloaded")
	}
	text, err := base64.StdEncoding.DecodeString(strings.ReplaceAll(file[1], "&#43;", "+"))
	if err != nil || !strings.HasPrefix(string(text), "Check of "+system.URL) {
		t.Errorf("the file is %.200s, %v", text, err)
	}
	list := s.Audit(t, gangway.SystemChecked)
	if len(list) != 1 {
		t.Fatalf("%d entries", len(list))
	}
	apptest.IsEntry(t, s, list[0], gangway.SystemChecked, "admin@example.com (Ingrid Holm)")
	if bookings := len(s.Audit(t, gangway.DeliveriesReplayed)); bookings != 0 {
		t.Errorf("%d deliveries", bookings)
	}
	for _, role := range []gangway.Role{gangway.Booker, gangway.Approver} {
		s.SignedIn(t, role).Post("/settings/check", form).Is(http.StatusForbidden)
	}
}

// TestCheckPageOfAFeed: a feed is checked with its own credentials, which nobody sees.
func TestCheckPageOfAFeed(t *testing.T) {
	s := apptest.NewSite(t)
	system := apptest.CheckedSystem(t, s)
	settings := apptest.Must(json.Marshal(map[string]string{"url": system.URL + "/api/crew_change"}))(t)
	apptest.SetFeed(t, apptest.Production(s), gangway.Feed{Name: "changes", Flow: gangway.CrewChangesFlow,
		Transport: gangway.Transport{Kind: "endpoint", Settings: settings}}, time.Time{})
	apptest.SetFeed(t, apptest.Production(s), gangway.Feed{Name: "files", Flow: gangway.TravellersFlow,
		Transport: gangway.Transport{Kind: "folder", Settings: []byte(`{"path":"/srv"}`)}}, time.Time{})
	admin := s.SignedIn(t, gangway.Admin)
	admin.Get("/settings/check?feed=changes").Has(`<option value="feed:changes" selected>`).
		Lacks("feed:files")
	admin.Post("/settings/check", url.Values{"what": {"feed:changes"}}).
		Shows("/settings/check", "feed changes, "+system.URL, "B4 crew changes: it answers", "Nothing is wrong")
	for _, feed := range []string{"files", "none"} {
		admin.Post("/settings/check", url.Values{"what": {"feed:" + feed}}).Is(422)
	}
}

// TestCheckPageRefuses: what cannot be checked is said above the form, which keeps what was typed
// but for secrets.
func TestCheckPageRefuses(t *testing.T) {
	s := apptest.NewSite(t)
	admin := s.SignedIn(t, gangway.Admin)
	tests := []struct {
		name string
		form url.Values
		says string
	}{
		{"no address", url.Values{"flow": {"crew-changes"}}, "must be a URL"},
		{"our own network", url.Values{"url": {"http://10.1.2.3"}, "flow": {"crew-changes"}},
			"gangway serve --allow-network 10.20.0.0/16"},
		{"metadata of a cloud", url.Values{"url": {"https://169.254.169.254"}, "flow": {"push"}}, ""},
		{"nothing to check", url.Values{"url": {"https://crew.example"}}, "Choose at least one"},
		{"half a period", url.Values{"url": {"https://crew.example"}, "flow": {"travel-requests"},
			"from": {"2026-12-01"}}, " first and a last day"},
		{"a user without a name", url.Values{"url": {"https://crew.example"}, "flow": {"crew-changes"},
			"auth": {"basic"}, "shown": {"tide-tables"}}, "The user "},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			tt.form.Set("what", "address")
			a := admin.Post("/settings/check", tt.form)
			if tt.says == "" { // B5 has no settings to open: it is refused when it is called
				a.Has("b5.answer")
				a.Has("has not allowed")
				return
			}
			a.Is(http.StatusUnprocessableEntity)
			a.Has(tt.says)
			a.Lacks("tide-tables")
		})
	}
}

// TestCheckPageOneAtATime: an account has one system checked at a time, however often somebody asks.
func TestCheckPageOneAtATime(t *testing.T) {
	s := apptest.NewSite(t)
	asked, answer := make(chan bool, 100), make(chan bool)
	system := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked <- true
		<-answer
	}))
	t.Cleanup(system.Close)
	admin, again := s.SignedIn(t, gangway.Admin), s.SignedIn(t, gangway.Admin)
	form := url.Values{"what": {"address"}, "url": {system.URL}, "flow": {"crew-changes"}}
	ended := make(chan int, 1)
	go func() { ended <- admin.Post("/settings/check", form).Status }()
	<-asked
	again.Post("/settings/check", form).Is(http.StatusConflict)
	close(answer)
	if status := <-ended; status != http.StatusOK {
		t.Errorf("the first ended with %d", status)
	}
}
