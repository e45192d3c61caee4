package people_test

import (
	"testing"

	"gangway/internal/gangway"
	"gangway/internal/web/app/apptest"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// An admin invites a colleague by two clicks and the address, and the colleague is at work by a password typed twice.
// Then the admin switches the colleague off, and the open page says so by itself.
func TestColleague(t *testing.T) {
	s := apptest.NewSite(t)
	admin, b := s.SignedIn(t, gangway.Admin), apptest.OpenTab(t)
	b.Become(admin)
	b.Do(chromedp.Navigate(s.URL + "/settings/people"))
	b.Do(chromedp.Click(apptest.CSS(".head .primary")))
	b.Until(`document.activeElement.id === "email"`)
	b.Do(chromedp.SendKeys(apptest.CSS("#email"), maya+kb.Enter))
	b.Until(`document.querySelector("main pre") !== null`)
	link := b.Read(`document.querySelector("main pre").textContent`)

	b.Become(nil)
	b.Do(chromedp.Navigate(link))
	b.Until(`document.activeElement.id === "new"`)
	b.Do(chromedp.SendKeys(apptest.CSS("#new"), chosen.Get("new")+kb.Tab+chosen.Get("new")+kb.Enter))
	b.Until(`location.pathname === "/" && document.querySelector(".me .name").textContent === "` + maya + `"`)

	u, _, err := s.DB.UserByEmail(t.Context(), maya)
	apptest.Done(t, err)
	change := "/settings/people/" + u.ID + "/change"
	asked := admin.Post(change, map[string][]string{"do": {"off"}})
	admin.Post(change, asked.Form(change)).Has(`data-state="off"`)
	b.Until(`document.body.textContent.includes("signed out")`)
}
