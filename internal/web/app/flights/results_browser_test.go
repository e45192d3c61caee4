package flights_test

import (
	"strconv"
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
	b.Do(chromedp.Navigate(s.URL + "/book"))
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
	b.Until(`location.pathname.startsWith("/searches/") && document.querySelectorAll(".offer").length > 5`)

	// Filters and orders change the list in place, and the address with it.
	b.Do(chromedp.Click(apptest.CSS("#sort-duration")))
	b.Until(`location.search.includes("sort=duration")`)
	b.Do(chromedp.Click(apptest.CSS("label.show-filters-label")), chromedp.Click(apptest.CSS("#f-fare-marine")))
	b.Until(`location.search.includes("fare=marine") && [...document.querySelectorAll(".fare")].every(e => e.textContent.includes("Marine"))`)
	if n := b.Read(`String(document.querySelectorAll(".offer").length)`); n == "0" {
		t.Fatal("no marine fare is left; want those that there are")
	}

	b.Do(chromedp.Click(apptest.CSS(".filters-head label")))
	b.Until(`!document.querySelector(".filters").checkVisibility()`)

	// A row opens with the keyboard alone; its button says what it does and costs.
	b.Do(chromedp.Focus(apptest.CSS(".offer a[data-row]")), chromedp.KeyEvent(kb.Enter))
	b.Until(`document.querySelector(".opened") !== null && document.activeElement.matches(".offer a[data-row]")`)
	if button := b.Read(`document.querySelector(".opened .hold .button").textContent`); !strings.HasPrefix(button,
		"Hold MNL → Amsterdam, NetherlandsUSD ") {
		t.Fatalf("the button says %q; want what it does and costs", button)
	}
	b.Do(chromedp.Click(apptest.CSS(".opened .hold .button")))
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

// TestFlightsSeenInBrowser counts the flights that a booker sees without scrolling: each is a row, its fares beside
// each other, and what is the same for all is said in the head only.
func TestFlightsSeenInBrowser(t *testing.T) {
	s := apptest.NewSite(t)
	search := s.ToRotterdam(t)
	b := apptest.OpenTab(t)
	b.Do(chromedp.Navigate(s.URL + "/searches/" + search.ID + "?wait=1"))
	b.SignIn()
	for _, window := range []struct {
		width, height int64
		least         int
	}{{1440, 900, 12}, {1280, 800, 9}} {
		if n := apptest.VisibleRows(b, window.width, window.height, "tr.offer"); n < window.least {
			t.Errorf("%d flights are seen at %d × %d; want %d at least", n, window.width, window.height, window.least)
		}
	}
	if n, err := strconv.Atoi(b.Read(`String(document.querySelectorAll("*").length)`)); err != nil || n > 3000 {
		t.Errorf("the page has %d elements, %v; want 3,000 at most", n, err)
	}
	if small := b.Read(`(() => {
		document.querySelector("#show-filters").checked = true;
		return [...document.querySelectorAll("main :is(a:not([data-row]), button, .choice, .head label)")].filter(
			e => e.checkVisibility() && e.getBoundingClientRect().height < 24).map(e => e.outerHTML).slice(0, 3).join();
	})() + "none"`); small != "none" {
		t.Errorf("%s: less than 24 px; want all of the page so that it can be hit", small)
	}
}
