package outlets_test

import (
	"testing"

	"gangway/internal/gangway"
	"gangway/internal/web/app/apptest"

	"github.com/chromedp/chromedp"
)

// TestFromNothingToAVerifiedPush: from the first page of Settings, where nothing is set up, to a test booking that the
// customer's system has accepted, with four presses and one address typed.
func TestFromNothingToAVerifiedPush(t *testing.T) {
	s := apptest.NewSite(t)
	theirs := apptest.Receive(t, s, "other")
	apptest.Must(apptest.Production(s).DeleteOutlet(t.Context(), apptest.Maya, s.Outlet(t, "other").ID, true,
		s.Now()))(t)
	b := apptest.OpenTab(t)
	b.Become(s.SignedIn(t, gangway.Admin))
	b.Do(chromedp.Navigate(s.URL + "/settings"))
	b.Until(`location.pathname === "/settings/overview"`)
	b.Do(chromedp.Click(apptest.CSS(`a.button[href="/settings/outlets/new"]`)))
	b.Until(`document.querySelector("#s-url") !== null`)
	b.Do(chromedp.SendKeys(apptest.CSS("#s-url"), theirs.URL+"/sync"))
	b.Do(chromedp.Click(apptest.CSS(`button.primary[value="save"]`)))
	b.Until(`document.querySelector("main pre")?.textContent.startsWith("whsec_")`)
	b.Do(chromedp.Click(apptest.CSS(`form[action$="/test"] button`)))
	b.Until(`document.querySelector("[data-state=accepted]") !== null`)
	b.Do(chromedp.Click(apptest.CSS(`.actions a.primary`)))
	b.Until(`location.pathname === "/settings/outlets/default"`)
	if got := b.Read(`document.querySelector("[data-state]").dataset.state`); got != string(gangway.IsNew) {
		t.Errorf("the outlet is %q; want it on, and that nothing was sent yet", got)
	}
}
