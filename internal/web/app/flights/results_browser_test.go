package flights_test

import (
	"strings"
	"testing"

	"gangway/internal/web/app/apptest"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// TestMainPathInBrowser is a booker's day: three letters, a flight, a ticket, and a
// cancellation.
func TestMainPathInBrowser(t *testing.T) {
	s := apptest.NewSite(t)
	s.SendTravellers(t, apptest.Joiners()...)
	b := apptest.OpenTab(t)
	b.Do(chromedp.Navigate(s.URL + "/"))
	b.SignIn()
	b.Do(chromedp.SendKeys(apptest.CSS("#name"), "san"))
	b.Until(`document.querySelectorAll("#name-options [role=option]").length === 1`)
	b.Do(chromedp.KeyEvent(kb.Enter))
	b.Until(`document.querySelector("#from0").value === "MNL Manila"`)
	b.Write("#to0", "AMS")
	b.Write("#date0", "2036-12-01")
	b.Write("#vessel", "Nordlys")
	b.Write("#flag", "NO")
	b.Do(chromedp.Click(apptest.CSS(".go")))
	b.Until(`location.pathname.startsWith("/searches/") && document.querySelectorAll(".offer").length > 10`)

	// Filters and orders change the list in place, and the address with it.
	b.Do(chromedp.Click(apptest.CSS(`label[for="sort-duration"], label:has(#sort-duration)`)))
	b.Until(`location.search.includes("sort=duration")`)
	b.Do(chromedp.Click(apptest.CSS("#f-fare-marine")))
	b.Until(`location.search.includes("fare=marine") && [...document.querySelectorAll(".offer .fare")].every(e => e.textContent.includes("marine"))`)
	if n := b.Read(`String(document.querySelectorAll(".offer").length)`); n == "0" {
		t.Fatal("no marine fare is left; want those that there are")
	}

	// A row opens with the keyboard alone; its button says what it does and costs.
	b.Do(chromedp.Focus(apptest.CSS(".offer summary")), chromedp.KeyEvent(kb.Enter))
	b.Until(`document.querySelector(".offer").open`)
	if button := b.Read(`document.querySelector(".offer[open] .hold button").textContent`); !strings.HasPrefix(button,
		"Hold, USD ") {
		t.Fatalf("the button says %q; want what it does and costs", button)
	}
	b.Do(chromedp.Click(apptest.CSS(".offer[open] .hold button")))
	b.Until(`location.pathname.startsWith("/bookings/") && document.body.textContent.includes("Held as")`)

	b.Do(chromedp.Click(apptest.CSS(".head .primary")))
	b.Until(`location.pathname.endsWith("/issue")`)
	b.Do(chromedp.Click(apptest.CSS(".quote .primary")))
	b.Until(`document.body.textContent.includes("Tickets are issued.")`)

	b.Do(chromedp.Click(apptest.CSS(".head .danger")))
	b.Until(`location.pathname.endsWith("/cancel")`)
	b.Do(chromedp.Click(apptest.CSS(".quote .danger")))
	b.Until(`document.querySelector(".notice.good")?.textContent.includes("Cancelled.")`)
	if list := s.Bookings(t); len(list) != 1 || list[0].Live() {
		t.Fatalf("bookings = %+v; want one, cancelled", list)
	}
}
