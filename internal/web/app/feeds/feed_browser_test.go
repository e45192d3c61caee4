package feeds_test

import (
	"fmt"
	"net/http"
	"testing"
	"time"

	"gangway/internal/gangway"
	"gangway/internal/web/app/apptest"

	"github.com/chromedp/chromedp"
)

// TestFetchNowInBrowser: an admin has a feed fetched, and the page that stays open follows the run to its end.
func TestFetchNowInBrowser(t *testing.T) {
	b := apptest.OpenTab(t)
	s := apptest.NewSite(t)
	answers := make(chan struct{})
	setFetched(t, s, apptest.Today.Add(time.Hour), func(w http.ResponseWriter, r *http.Request) {
		select {
		case <-answers:
		case <-r.Context().Done():
		}
		fmt.Fprint(w, `[{"id": "C-1", "last_name": "Santos", "first_name": "Maria"}, {"id": "C-2"}]`)
	})
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
