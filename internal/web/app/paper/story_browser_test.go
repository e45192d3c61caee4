package paper_test

import (
	"testing"

	"gangway/internal/gangway"
	"gangway/internal/web/app/apptest"

	"github.com/chromedp/chromedp"
)

// TestPaperInBrowser is how a booker hands out an itinerary: three clicks from the booking to a link, which somebody
// without a session opens and prints, and which opens nothing once it is revoked with one more click.
func TestPaperInBrowser(t *testing.T) {
	s := apptest.NewSite(t)
	booker := s.SignedIn(t, gangway.Booker)
	path := booker.Booked("fare=marine")
	b := apptest.OpenTab(t)
	b.Become(booker)
	b.Do(chromedp.Navigate(s.URL+path), chromedp.Click(apptest.CSS(`.head a[href^="/itinerary"]`)))
	b.Until(`document.querySelector(".paper .lines time") !== null`)
	b.Do(chromedp.Click(apptest.CSS(`form[action="/itinerary/link"] button`)))
	b.Until(`document.querySelector("#link") !== null`)
	link := b.Read(`document.querySelector("#link").textContent`)

	b.Become(nil)
	b.Do(chromedp.Navigate(link))
	b.Until(`document.querySelector(".paper .code")?.textContent === "SANTOS/MARIA" && !document.querySelector("nav")`)
	b.OnPaper()
	const pressable = `[...document.querySelectorAll("button, input, textarea, a.button")].filter(e =>
		e.checkVisibility()).length + ""`
	if left := b.Read(pressable); left != "0" {
		t.Errorf("on paper the link has %s buttons", left)
	}
	b.Become(booker)
	b.Do(chromedp.Navigate(s.URL + "/itinerary?booking=" + path[len("/bookings/"):]))
	b.Until(`document.querySelector(".links li").textContent.includes("opened 1 time")`)
	if left := b.Read(pressable); left != "0" {
		t.Errorf("on paper the itinerary has %s buttons and fields", left)
	}
	b.Sends("/itinerary/revoke", nil)
	b.Until(`document.querySelector(".links") === null`)
	b.Become(nil)
	b.Do(chromedp.Navigate(link))
	b.Until(`document.querySelector(".paper") === null && document.querySelector("h1") !== null`)
}
