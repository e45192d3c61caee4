package flights_test

import (
	"testing"

	"gangway/internal/web/app/apptest"

	"github.com/chromedp/chromedp"

	"gangway/internal/gangway"
)

// The button Show changes only its own field and keeps what was typed elsewhere.
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
}
