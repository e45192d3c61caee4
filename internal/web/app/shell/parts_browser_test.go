package shell_test

import (
	"strings"
	"testing"

	"gangway/internal/web/app/apptest"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

func TestKeysAndPartsInBrowser(t *testing.T) {
	s := apptest.NewSite(t)
	apptest.PlanCrew(t, apptest.Production(s))
	b := apptest.OpenTab(t)
	b.Do(chromedp.Navigate(s.URL + "/requests?date=2036-11-30"))
	b.SignIn()
	b.Until(`document.querySelector("#list")?.textContent.includes("No requests")`)

	t.Run("a date is changed in place, and the address with it", func(t *testing.T) {
		b.Do(chromedp.Click(apptest.CSS(`a[aria-label="Later"]`)))
		b.Until(`document.querySelector("#list").textContent.includes("SANTOS") && document.querySelector("#head").textContent.includes("0 of 2 booked")`)
		if got := b.Read(`location.search + document.querySelector("#date").value`); !strings.Contains(got,
			"date=2036-12-01") || !strings.HasSuffix(got, "Mon 1 Dec 2036") {
			t.Fatalf("the address and the field are %s; want the date in both", got)
		}
		b.Do(chromedp.NavigateBack())
		b.Until(`document.querySelector("#list")?.textContent.includes("No requests")`)
	})
	t.Run("/ goes to the search field, Escape leaves it", func(t *testing.T) {
		b.Do(chromedp.KeyEvent("/"))
		b.Until(`document.activeElement.id === "find"`)
		b.Do(chromedp.KeyEvent(kb.Escape))
		b.Until(`document.activeElement.id !== "find"`)
	})
	t.Run("arrows walk the rows", func(t *testing.T) {
		b.Do(chromedp.Navigate(s.URL+"/requests?date=2036-12-01"), chromedp.Focus(apptest.CSS("[data-row]")),
			chromedp.KeyEvent(kb.ArrowDown))
		b.Until(`document.activeElement === document.querySelectorAll("[data-row]")[1]`)
	})
}
