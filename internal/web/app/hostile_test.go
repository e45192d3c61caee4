package app_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"gangway/internal/gangway"
	"gangway/internal/transport/transporttest"
	"gangway/internal/web/app/apptest"
)

const (
	peoplePath   = "/api/suggest_traveller"
	requestsPath = "/api/travel_request"
	changesPath  = "/api/crew_change"
)

// whatever is a customer's system that has one record for whatever it is asked.
func whatever(r *http.Request) string {
	q := r.URL.Query()
	switch r.URL.Path {
	case peoplePath:
		return fmt.Sprintf(`[{"id":%q,"last_name":%[1]q,"first_name":"NGOZI"}]`, q.Get("surname"))
	case requestsPath:
		return fmt.Sprintf(`[{"externalInfo":{"requestId":"TR-%s"},"traveler":{"lastName":"OKAFOR","firstName":"NGOZI"},
			"flight":{"origin":"LOS","destination":"SIN","date":%[1]q}}]`, q.Get("from"))
	}
	return fmt.Sprintf(`[{"vessel":"SEA SPARROW","flag":"NO","change_date":%q,
		"onsigners":[{"last_name":"OKAFOR","first_name":"NGOZI"}]}]`, q.Get("date"))
}

// TestPagesOfHostileSystems opens the pages that ask customers' systems while these hang, die, lie or attack. Each
// comes while the system still holds whoever asks it, with what the system said last and when, and one calm line; and
// another account's pages are as ever.
func TestPagesOfHostileSystems(t *testing.T) {
	reached := make(chan struct{}, 1000)
	canary := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { reached <- struct{}{} }))
	defer canary.Close()
	s := apptest.NewSite(t)
	system := transporttest.NewHostileServer(t, whatever)
	apptest.AskAt(t, s, system.URL, peoplePath, requestsPath, changesPath)
	for i, h := range transporttest.HostileSystems(canary.URL) {
		t.Run(h.Name, func(t *testing.T) {
			s.Passed.Store(int64(i) * int64(24*time.Hour))
			booker, other := s.SignedIn(t, gangway.Booker), s.SignedIn(t, gangway.Admin)
			other.Post("/environment", url.Values{"environment": {"development"}, "back": {"/"}})
			day := string(gangway.DateOf(apptest.Today).AddDays(100 + i))
			surname := "Q" + strings.ToUpper(string(rune('a'+i%26))) + "ADIR"
			pages := map[string][]string{ // what stands on each, whether the system answers or not
				"/suggest/travellers?live=yes&surname=" + surname: {surname + ", NGOZI", "from people (web address)"},
				"/travellers?name=" + surname:                     {surname + ", NGOZI", "from people (web address)"},
				"/book?on=" + day:                                 {"TR-" + day, "OKAFOR, NGOZI"},
				"/requests?date=" + day:                           {"TR-" + day, "from requests (web address)"},
				"/crew-changes?from=" + day + "&to=" + day:        {"SEA SPARROW", "from changes (web address)"},
			}
			system.Recover()
			s.Patience.Store(int64(apptest.Patience))
			for page, has := range pages {
				booker.In(t).Get(page).Has(has...).Lacks("does not answer")
			}
			system.Turn(h)
			if h.Holds {
				s.Patience.Store(int64(time.Second))
			}
			s.Passed.Add(int64(time.Hour))
			var opened sync.WaitGroup
			for page, has := range pages {
				opened.Go(func() {
					t.Run(page, func(t *testing.T) {
						a := booker.In(t).Get(page).Has(has...).
							Has("Harbour Crewing’s crew system does not answer; what it said at 09:00 UTC is shown.").
							Lacks("secret", "127.0.0.1", "status 500", "gzip")
						if n := strings.Count(a.Body, "does not answer"); n != 1 {
							t.Errorf("%s says it %d times; want one calm line", page, n)
						}
						if h.Holds && system.Holds() == 0 {
							t.Errorf("%s: the system has let go, so that this test shows nothing", page)
						}
						other.In(t).Get("/book?on="+day).Shows("/book?on="+day, "No travel requests")
					})
				})
			}
			opened.Wait()
			system.LetGo()
		})
	}
	if len(reached) > 0 {
		t.Error("a redirect was followed inward")
	}
}
