package app_test

import (
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// TestKeysInBrowser holds what docs/bookers.md promises of the keyboard.
func TestKeysInBrowser(t *testing.T) {
	s := newSite(t)
	one := s.keep(t, maria)
	b := openTab(t)
	b.do(chromedp.Navigate(s.url + "/bookings"))
	b.signIn()
	b.until(`document.querySelector(".nav") !== null`)

	t.Run("three Tabs lead from the top of the results to the first offer", func(t *testing.T) {
		b.do(chromedp.Navigate(s.url + "/searches/" + one.ID + "?wait=1"))
		b.until(`document.querySelectorAll(".offer").length > 3`)
		b.do(chromedp.KeyEvent(kb.Tab))
		b.until(`document.activeElement.textContent === "Skip to the flights"`)
		b.do(chromedp.KeyEvent(kb.Enter))
		b.until(`document.activeElement.id === "flights"`)
		b.do(chromedp.KeyEvent(kb.Tab))
		b.until(`document.activeElement === document.querySelector(".offer summary")`)
	})
	t.Run("arrows go on from there, Enter opens, and Escape closes", func(t *testing.T) {
		b.do(chromedp.KeyEvent(kb.ArrowDown))
		b.until(`document.activeElement === document.querySelectorAll(".offer summary")[1]`)
		b.do(chromedp.KeyEvent(kb.Enter))
		b.until(`document.querySelectorAll(".offer")[1].open`)
		b.do(chromedp.KeyEvent(kb.Escape))
		b.until(`!document.querySelectorAll(".offer")[1].open && location.pathname.startsWith("/searches/")`)
	})
	t.Run("Escape goes back to the page before", func(t *testing.T) {
		b.do(chromedp.Navigate(s.url+"/bookings"), chromedp.Click(css(`.nav a[href="/deadlines"]`)))
		b.until(`location.pathname === "/deadlines"`)
		b.do(chromedp.KeyEvent(kb.Escape))
		b.until(`location.pathname === "/bookings"`)
	})
	t.Run("… and without one, to the section", func(t *testing.T) {
		b.do(chromedp.Navigate(s.url + "/bookings/enter"))
		b.until(`document.referrer === "" && document.querySelector(".nav [aria-current]") !== null`)
		b.do(chromedp.KeyEvent(kb.Escape), chromedp.KeyEvent(kb.Escape))
		b.until(`location.pathname === "/bookings"`)
	})
	t.Run("what was typed and not sent is not left by it", func(t *testing.T) {
		b.do(chromedp.Navigate(s.url+"/deadlines"), chromedp.Click(css(`.nav a[href="/"]`)))
		b.until(`location.pathname === "/" && document.activeElement.id === "name"`)
		b.do(chromedp.SendKeys(css("#vessel"), "Nordlys"), chromedp.KeyEvent(kb.Escape))
		b.until(`document.activeElement.id !== "vessel"`)
		b.do(chromedp.KeyEvent(kb.Escape))
		b.until(`location.pathname === "/" && document.querySelector("#vessel").value === "Nordlys"`)
	})
}
