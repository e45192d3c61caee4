package bookings_test

import (
	"testing"

	"gangway/internal/gangway"
	"gangway/internal/web/app/apptest"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// TestFiltersKeepTheFocusInBrowser holds that keyboard users keep their place when the filters
// they fill in replace the list.
func TestFiltersKeepTheFocusInBrowser(t *testing.T) {
	s := apptest.NewSite(t)
	s.SignedIn(t, gangway.Booker).Booked("fare=marine")
	b := apptest.OpenTab(t)
	b.Do(chromedp.Navigate(s.URL + "/bookings"))
	b.SignIn()
	b.Until(`document.querySelector("#by") !== null`)
	b.Read(`document.querySelector("#show-more").click(); ""`)

	t.Run("from the last filter Tab leads into the list, and stays there", func(t *testing.T) {
		b.Read(`window.here = "yes"`)
		b.Do(chromedp.SendKeys(apptest.CSS("#by"), "Ingrid"+kb.Tab))
		b.Until(`document.querySelector("#head").textContent.includes("1 booking found")`)
		b.Until(`document.activeElement.matches("#list [data-tick-all], #list a[data-row]")`)
		if b.Read(`window.here ?? "no"`) != "yes" {
			t.Error("the page was loaded again")
		}
	})
	t.Run("a ticked row that is still there stays ticked", func(t *testing.T) {
		b.Read(`document.querySelector("#list .tick input[name]").click(); ""`)
		b.Do(chromedp.SendKeys(apptest.CSS("#find-here"), "san"+kb.Tab))
		b.Until(`location.search.includes("find=san")`)
		b.Until(`document.querySelector("#list .tick input[name]:checked") !== null`)
		b.Until(`document.querySelector(".bulk output").textContent.startsWith("1 ticked · USD ")`)
	})
	t.Run("a date that is refused says both ways to read it, once", func(t *testing.T) {
		b.Do(chromedp.SendKeys(apptest.CSS("#since"), "3/4"+kb.Tab))
		b.Until(`[...document.querySelectorAll("#bar .wrong")].map((p) => /3 Apr \d+ or 4 Mar/.test(p.textContent)).join() ===
			"true"`)
		b.Read(`document.querySelector("#since").value = ""; document.querySelector("#since").form.requestSubmit(); ""`)
		b.Until(`document.querySelector("#bar .wrong") === null`)
	})
	t.Run("when the row is gone, the list has the focus", func(t *testing.T) {
		b.Do(chromedp.SendKeys(apptest.CSS("#by"), "nobody"+kb.Tab))
		b.Until(`document.querySelector("#head").textContent.includes("No bookings found")`)
		b.Until(`document.querySelector("#list").contains(document.activeElement)`)
	})
}
