package flights_test

import (
	"testing"

	"gangway/internal/web/app/apptest"

	"github.com/chromedp/chromedp"

	"gangway/internal/gangway"
)

// The button Show changes only its own field and keeps what was typed elsewhere. The
// pages that have it, and the audit log, fit at every width.
func TestPassportNumberIsShownInPlace(t *testing.T) {
	s := apptest.NewSite(t)
	c := s.SignedIn(t, gangway.Booker)
	search := s.Keep(t, apptest.Maria)
	path := "/searches/" + search.ID
	offer := c.Get(path + "/stream").Form(path + "/book").Get("offer")

	b := apptest.OpenTab(t)
	b.Become(s.SignedIn(t, gangway.Admin))
	for at, field := range map[string]string{path + "/hold?member=0&offer=" + offer: "#doc_number-p", path +
		"/members/0": "#doc_number"} {
		b.Do(chromedp.Navigate(s.URL + at))
		b.Until(`document.querySelector("` + field + `").value === "••••67A"`)
		b.Do(chromedp.SendKeys(apptest.CSS("[name=phone]"), "0917"), chromedp.Click(apptest.CSS("[data-shows]")))
		b.Until(`document.querySelector("` + field + `").value === "P1234567A" && document.activeElement.matches("` +
			field + `")`)
		b.Until(`document.querySelector("[name=phone]").value === "0917" && document.querySelector("[data-shows]") === null`)
	}
	for _, at := range []string{path + "/hold?member=0&offer=" + offer, path + "/members/0", "/settings/audit",
		"/settings/audit?who=nobody"} {
		for _, width := range []int64{390, 1280, 1440} {
			b.Do(chromedp.EmulateViewport(width, 900), chromedp.Navigate(s.URL+at))
			if faults := b.Read(apptest.Nameless) + apptest.Axe(t, b); faults != "" {
				t.Errorf("%s at %d:\n%s", at, width, faults)
			}
			if wide := b.Read(`document.documentElement.scrollWidth > innerWidth ? String(document.documentElement.scrollWidth) : ""`); wide != "" {
				t.Errorf("%s at %d is %s wide", at, width, wide)
			}
		}
	}
}
