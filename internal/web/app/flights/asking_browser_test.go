package flights_test

import (
	"testing"

	"gangway/internal/gangway"
	"gangway/internal/web/app/apptest"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

func TestCustomersSystemsInBrowser(t *testing.T) {
	s := apptest.NewSite(t)
	apptest.PlanCrew(t, apptest.Production(s))
	system := apptest.AskCustomer(t, s, map[string]any{
		requests: []any{
			wanted("TR-5", "OKAFOR", "NGOZI", "2036-12-05"), wanted("TR-9", "ADEYEMI", "TUNDE", "2036-12-01"),
		},
		people: []any{
			map[string]any{"id": "76", "last_name": "SANDE", "first_name": "OLA"}, // before all others by name
			map[string]any{"id": "2", "last_name": "SANTIAGO", "first_name": "JOSE", "home_airport": "DVO"},
		},
	})
	b := apptest.OpenTab(t)
	b.Become(s.SignedIn(t, gangway.Booker))

	// The page is there before the system has answered, and what it answers is put in.
	system.Hang()
	b.Do(chromedp.Navigate(s.URL + "/book"))
	b.Until(`document.querySelector("#asking .waits")?.checkVisibility()`)
	<-system.Asks
	system.Wake()
	b.Until(`document.querySelector("#asking").textContent.includes("as of 09:00 UTC")`)
	b.Write("#on", "2036-12-05")
	b.Until(`document.querySelector("#plans").textContent.includes("OKAFOR, NGOZI")`)
	b.Until(`document.querySelector("#head").textContent.includes("1 travel request")`)

	// Rows that somebody may be about to pick stay where they are until that person asks for others.
	system.Hang()
	b.Write("#on", "2036-12-01")
	b.Until(`document.querySelectorAll("#plans [data-row]").length === 2`)
	b.Do(chromedp.Focus(apptest.CSS("#plans [data-row]")))
	system.Wake()
	b.Until(`document.querySelector("p.fresh")?.textContent === "1 new: show"`)
	if got := b.Read(`String(document.querySelectorAll("#plans [data-row]").length)`); got != "2" {
		t.Fatalf("the list has %s rows; want the two that were there", got)
	}
	b.Do(chromedp.Focus(apptest.CSS(".fresh button")), chromedp.KeyEvent(kb.Enter))
	b.Until(`document.querySelectorAll("#plans [data-row]").length === 3 && document.querySelector(".fresh button") === null`)

	// Suggestions: the system's join those that are stored, which stay in their places.
	system.Hang()
	b.Do(chromedp.Focus(apptest.CSS("#name")), chromedp.KeyEvent("san"))
	const names = `[...document.querySelectorAll("#name-options [role=option]:not([aria-disabled]) .medium")].map(e => e.textContent).join("|")`
	b.Until(names + ` === "SANTIAGO, JOSE|SANTOS, MARIA CRISTINA" && document.querySelector("#name-options [data-later]") !== null`)
	b.Do(chromedp.KeyEvent(kb.ArrowDown), chromedp.KeyEvent(kb.ArrowDown))
	b.Until(`document.querySelector("#name-options [aria-selected]")?.textContent.includes("MARIA")`)
	system.Wake()
	b.Until(names + ` === "SANTIAGO, JOSE|SANTOS, MARIA CRISTINA|SANDE, OLA" && document.querySelector("#name-options [data-later]") === null`)
	b.Until(`document.querySelector("#name-options [aria-selected]")?.textContent.includes("MARIA")`)
	if faults := apptest.Axe(t, b); faults != "" {
		t.Error(faults)
	}
	b.Do(chromedp.KeyEvent(kb.ArrowDown), chromedp.KeyEvent(kb.Enter))
	b.Until(`document.querySelector("[name=traveller]").value === "id:76"`)
}
