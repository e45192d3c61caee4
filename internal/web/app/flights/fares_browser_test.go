package flights_test

import (
	"testing"

	"gangway/internal/gangway"
	"gangway/internal/store/storetest"
	"gangway/internal/web/app/apptest"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// TestFareNotForCrewInBrowser is a booker who takes a fare that the company's policy leaves out: Enter alone never
// holds it, and a click does only after the question that names the rule is answered.
func TestFareNotForCrewInBrowser(t *testing.T) {
	s := apptest.NewSite(t)
	storetest.Settings(t, apptest.Production(s), gangway.Settings{Fares: gangway.FareRule{Bag: true, Change: true}})
	search := s.ToRotterdam(t)
	b := apptest.OpenTab(t)
	b.Do(chromedp.Navigate(s.URL + "/searches/" + search.ID + "?wait=1"))
	b.SignIn()
	b.Until(`document.querySelectorAll(".fare.off").length > 5`)

	b.Do(chromedp.KeyEvent(kb.ArrowDown), chromedp.KeyEvent(kb.Enter))
	b.Until(`document.querySelector(".fare[aria-expanded=true]:not(.off)") !== null`) // Enter opens one for crew
	b.Do(chromedp.Click(apptest.CSS(".offer:nth-child(4) .fare.off")))
	b.Until(`document.querySelector(".opened [data-state=not-for-crew]") !== null`)
	if forms := b.Read(`String(document.querySelectorAll(".opened form").length)`); forms != "0" {
		t.Errorf("the open fare has %s forms; want none before the question", forms)
	}
	b.Do(chromedp.KeyEvent("h"))
	b.Until(`location.pathname.endsWith("/hold") && document.querySelector("#unmet [value='bag,changeable']") !== null`)
	if at := b.Read(`document.activeElement.tagName`); at != "BODY" {
		t.Errorf("the focus is on %s; want nothing for Enter to press", at)
	}
	b.Do(chromedp.Focus(apptest.CSS("[name=first_name]")), chromedp.KeyEvent(kb.Enter))
	b.Until(`document.querySelector("#unmet input:invalid") !== null && location.pathname.endsWith("/hold")`)
	s.WantBookings(t, 0)
	b.Do(chromedp.Click(apptest.CSS("#unmet input")), chromedp.Click(apptest.CSS(`.button[value="let-go"]`)))
	b.Until(`location.pathname.startsWith("/bookings/")`)
	s.WantBookings(t, 1)
}

// TestDaysAroundInBrowser is a booker who looks for a cheaper day.
func TestDaysAroundInBrowser(t *testing.T) {
	s := apptest.NewSite(t)
	search := s.ToRotterdam(t)
	b := apptest.OpenTab(t)
	b.Do(chromedp.Navigate(s.URL + "/searches/" + search.ID + "?wait=1&sort=duration"))
	b.SignIn()
	b.Until(`document.querySelectorAll(".week [data-state=found]").length === 1`)
	b.Do(chromedp.Click(apptest.CSS(".week > a")))
	b.Until(`document.querySelectorAll(".week [data-state=found]").length === 7 && document.querySelector("[data-stream]") === null`)
	b.Do(chromedp.Click(apptest.CSS(`.week [value="2036-11-30"]`)))
	b.Until(`location.pathname.startsWith("/searches/") && !location.pathname.endsWith("` + search.ID + `") &&
		location.search === "?sort=duration" && document.querySelector(".week [aria-current=date]").textContent.startsWith("Sun 30") &&
		document.querySelectorAll(".offer").length > 3`)
	if was, err := apptest.Production(s).Search(t.Context(), search.ID); err != nil || was.Members[0].Legs[0] !=
		search.Members[0].Legs[0] {
		t.Errorf("the first search is for %+v, %v; want it as it was", was.Members[0].Legs, err)
	}
}
