package shell_test

import (
	"testing"

	"gangway/internal/web/app/apptest"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// TestKeysInBrowser holds what docs/bookers.md promises of the keyboard.
func TestKeysInBrowser(t *testing.T) {
	s := apptest.NewSite(t)
	one := s.Keep(t, apptest.Maria)
	b := apptest.OpenTab(t)
	b.Do(chromedp.Navigate(s.URL + "/bookings"))
	b.SignIn()

	t.Run("three Tabs lead from the top of the results to the first offer", func(t *testing.T) {
		b.Do(chromedp.Navigate(s.URL + "/searches/" + one.ID + "?wait=1"))
		b.Until(`document.querySelectorAll(".offer").length > 3`)
		b.Do(chromedp.KeyEvent(kb.Tab))
		b.Until(`document.activeElement.textContent === "Skip to the flights"`)
		b.Do(chromedp.KeyEvent(kb.Enter))
		b.Until(`document.activeElement.id === "flights"`)
		b.Do(chromedp.KeyEvent(kb.Tab))
		b.Until(`document.activeElement === document.querySelector(".offer a[data-row]")`)
	})
	t.Run("arrows go on from there, Enter opens, and Escape closes", func(t *testing.T) {
		b.Do(chromedp.KeyEvent(kb.ArrowDown))
		b.Until(`document.activeElement === document.querySelectorAll(".offer a[data-row]")[1]`)
		b.Do(chromedp.KeyEvent(kb.Enter))
		b.Until(`document.querySelectorAll(".offer")[1].matches(".shown") && document.querySelector(".opened") !== null`)
		b.Do(chromedp.KeyEvent(kb.Escape))
		b.Until(`document.querySelector(".opened") === null && location.pathname.startsWith("/searches/") && document.activeElement === document.querySelectorAll(".offer a[data-row]")[1]`)
	})
	t.Run("Escape goes back to the page before", func(t *testing.T) {
		b.Do(chromedp.Navigate(s.URL+"/bookings"), chromedp.Click(apptest.CSS(`.nav a[href="/deadlines"]`)))
		b.Until(`location.pathname === "/deadlines"`)
		b.Do(chromedp.KeyEvent(kb.Escape))
		b.Until(`location.pathname === "/bookings"`)
	})
	t.Run("… and without one, to the section", func(t *testing.T) {
		b.Do(chromedp.Navigate(s.URL + "/bookings/enter"))
		b.Until(`document.referrer === "" && document.querySelector(".nav [aria-current]") !== null`)
		b.Do(chromedp.KeyEvent(kb.Escape), chromedp.KeyEvent(kb.Escape))
		b.Until(`location.pathname === "/bookings"`)
	})
	t.Run("what was typed and not sent is not left by it", func(t *testing.T) {
		b.Do(chromedp.Navigate(s.URL+"/deadlines"), chromedp.KeyEvent("b"))
		b.Until(`location.pathname === "/book" && document.activeElement.id === "name"`)
		b.Do(chromedp.SendKeys(apptest.CSS("#vessel"), "Nordlys"), chromedp.KeyEvent(kb.Escape))
		b.Until(`document.activeElement.id !== "vessel"`)
		b.Do(chromedp.KeyEvent(kb.Escape))
		b.Until(`location.pathname === "/book" && document.querySelector("#vessel").value === "Nordlys"`)
	})
}
