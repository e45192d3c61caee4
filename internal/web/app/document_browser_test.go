package app_test

import (
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"gangway"
)

// The button Show changes its field only, and what was typed elsewhere stays;
// the pages where it is, and the audit log, fit everywhere.
func TestPassportNumberIsShownInPlace(t *testing.T) {
	s := newSite(t)
	c := s.signedIn(t, gangway.Booker)
	search := s.keep(t, maria)
	path := "/searches/" + search.ID
	offer := c.get(path + "/stream").form(path + "/book").Get("offer")

	b := openTab(t)
	b.do(chromedp.Navigate(s.url + "/sign-in"))
	b.do(chromedp.SendKeys(css("#email"), "admin@example.com"), chromedp.SendKeys(css("#password"), password+kb.Enter))
	b.until(`document.querySelector(".nav") !== null`)
	for at, field := range map[string]string{path + "/hold?member=0&offer=" + offer: "#doc_number-p", path + "/members/0": "#doc_number"} {
		b.do(chromedp.Navigate(s.url + at))
		b.until(`document.querySelector("` + field + `").value === "••••67A"`)
		b.do(chromedp.SendKeys(css("[name=phone]"), "0917"), chromedp.Click(css("[data-shows]")))
		b.until(`document.querySelector("` + field + `").value === "P1234567A" && document.activeElement.matches("` + field + `")`)
		b.until(`document.querySelector("[name=phone]").value === "0917" && document.querySelector("[data-shows]") === null`)
	}
	for _, at := range []string{path + "/hold?member=0&offer=" + offer, path + "/members/0", "/settings/audit", "/settings/audit?who=nobody"} {
		for _, width := range []int64{390, 1280, 1440} {
			b.do(chromedp.EmulateViewport(width, 900), chromedp.Navigate(s.url+at))
			if faults := b.read(nameless) + axe(t, b); faults != "" {
				t.Errorf("%s at %d:\n%s", at, width, faults)
			}
			if wide := b.read(`document.documentElement.scrollWidth > innerWidth ? String(document.documentElement.scrollWidth) : ""`); wide != "" {
				t.Errorf("%s at %d is %s wide", at, width, wide)
			}
		}
	}
}
