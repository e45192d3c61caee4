package app_test

import (
	"testing"

	"gangway/internal/web/app/apptest"

	"github.com/chromedp/chromedp"

	"gangway/internal/gangway"
)

// TestPaperInBrowser holds that paper has the itinerary, and nothing to press.
func TestPaperInBrowser(t *testing.T) {
	s := apptest.NewSite(t)
	c := s.SignedIn(t, gangway.Booker)
	path := c.Booked("fare=marine&rule=change")
	c.Post(path+"/ask-change", c.Get(path+"/change?date0=2036-12-04").Form(path+"/ask-change")).
		Has("to pay with the tickets")

	b := apptest.OpenTab(t)
	b.Become(c)
	b.OnPaper()
	b.Do(chromedp.Navigate(s.URL + path))
	if left := b.Read(pressable); left != "" {
		t.Errorf("on paper the booking has %s", left)
	}
	b.Until(`document.body.innerText.includes("Itinerary") && !/Invoices|For the report/.test(document.body.innerText)`)
}

// TestReportOnPaper holds that paper has the report's charts with their tables, and the days and the customer that they
// are of, and nothing to press.
func TestReportOnPaper(t *testing.T) {
	s := apptest.NewSite(t)
	apptest.Reported(t, apptest.Production(s), 60)
	b := apptest.OpenTab(t)
	b.Become(s.SignedIn(t, gangway.Booker))
	b.OnPaper()
	b.Resize(800)
	b.Do(chromedp.Navigate(s.URL + "/report"))
	const unread = `[...document.querySelectorAll(".waiting, nav a")].filter(e => e.checkVisibility())
		.map(e => e.textContent).join("; ")`
	if left := b.Read(pressable + " + " + unread); left != "" {
		t.Errorf("on paper the report has %s", left)
	}
	const folded = `[...document.querySelectorAll("summary")].filter(e => e.checkVisibility() &&
		![...e.parentElement.querySelectorAll("table, .points")].some(t => t.getBoundingClientRect().height > 10))
		.map(e => e.textContent).join("; ")`
	if left := b.Read(folded); left != "" {
		t.Errorf("on paper these are folded away: %s", left)
	}
	b.Until(`/Harbour Crewing/.test(document.body.innerText) &&
		/Booked from Sat 1 Dec 2035 to/.test(document.body.innerText) &&
		[...document.querySelectorAll(".chart svg")].filter(e => e.checkVisibility()).length >= 6`)
}

// pressable names the buttons and fields that can be seen.
const pressable = `[...document.querySelectorAll("button, input:not([type=hidden]), select, textarea, a.button")].filter(e => e.checkVisibility() && e.getBoundingClientRect().width > 1).map(e => e.textContent || e.name).join("; ")`
