package feeds_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/web/app/apptest"

	"github.com/chromedp/chromedp"
)

// TestFetchNowInBrowser: an admin has a feed fetched, and the page that stays open follows the run to its end.
func TestFetchNowInBrowser(t *testing.T) {
	b := apptest.OpenTab(t)
	s := apptest.NewSite(t)
	answers := make(chan struct{})
	system := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		select {
		case <-answers:
		case <-r.Context().Done():
		}
		fmt.Fprint(w, `[{"id": "C-1", "last_name": "Santos", "first_name": "Maria"}, {"id": "C-2"}]`)
	}))
	t.Cleanup(system.Close)
	settings, err := json.Marshal(map[string]string{"url": system.URL})
	if err != nil {
		t.Fatal(err)
	}
	apptest.SetFeed(t, apptest.Production(s), gangway.Feed{Name: "crew", Flow: gangway.TravellersFlow,
		Transport: gangway.Transport{Kind: "endpoint", Settings: settings},
		Format:    gangway.DocumentFormat{Kind: gangway.AutoFormat}}, apptest.Today.Add(time.Hour))
	s.FetchFeeds(t)

	b.Become(s.SignedIn(t, gangway.Admin))
	b.Do(chromedp.Navigate(s.URL + "/settings/feeds/crew"))
	b.Until(`document.querySelector("#runs").innerText.includes("No run yet")`)
	b.Do(chromedp.Click(`form[action$="/fetch"] button`))
	b.Until(`document.querySelector("#feed-now").innerText.includes("It is being fetched since")`)
	if got := b.Read(`String(document.querySelector('form[action$="/fetch"]'))`); got != "null" {
		t.Errorf("while it is fetched there is a button to fetch it: %s", got)
	}
	close(answers)
	b.Until(`document.querySelector("#runs").innerText.includes("stored, some refused")`)
	b.Until(`document.querySelector("[data-stream]") === null && document.querySelector('form[action$="/fetch"]') !== null`)
	b.Do(chromedp.Click(`#runs a[data-row]`))
	b.Until(`document.querySelector("main").innerText.includes("1 record refused")`)
}

// TestSiteClosesUnderAnOpenPage: a test may end while a browser still follows a run. Nobody waits for that page to
// let go of the site.
func TestSiteClosesUnderAnOpenPage(t *testing.T) {
	b := apptest.OpenTab(t)
	t.Run("until the site is closed", func(t *testing.T) {
		s, b := apptest.NewSite(t), b.In(t)
		l := apptest.SetBusyFeed(t, s)
		b.Become(s.SignedIn(t, gangway.Admin))
		b.Do(chromedp.Navigate(s.URL + "/settings/feeds/busy"))
		b.Until(`document.querySelector("#feed-now").innerText.includes("nothing has changed so far")`)
		rows, err := store.TravellerRows([]gangway.Traveller{{ID: "C1", LastName: "Santos", FirstName: "Maria"}})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := apptest.Production(s).During(l).UpsertTravellerRows(t.Context(), rows, gangway.Origin{
			Source: gangway.FeedSource("busy"), Generation: l.Generation(), SeenAt: s.Now()}); err != nil {
			t.Fatal(err)
		}
		b.Until(`document.querySelector("#feed-now").innerText.includes("So far 1 created")`)
	})
}
