package today_test

import (
	"testing"
	"time"

	"gangway/internal/gangway"
	"gangway/internal/web/app/apptest"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// TestMorningInBrowser is a morning of a coordinator: two holds ended overnight, one is held again with two clicks, and
// the other is seen; what ends next is found on Deadlines with the keyboard, a whole vessel is ticked with one box, and
// the form to book is one key away.
func TestMorningInBrowser(t *testing.T) {
	s := apptest.NewClockedSite(t)
	people := apptest.Sailors(3)
	s.Upload(t, "2036-12-01", people)
	night := s.SignedIn(t, gangway.Booker)
	path := night.SearchEverybody("BRU")
	night.Get(path + "?wait=1")
	night.Finish(night.Post(path+"/book-all", night.Get(path+"/book-all").Form(path+"/book-all", "unissued", "let-go")))
	held := s.Bookings(t)
	ends := held[0].HoldUntil
	for _, b := range held {
		if b.HoldUntil.After(ends) {
			ends = b.HoldUntil
		}
	}
	s.Passed.Store(int64(ends.Sub(apptest.Today) + time.Minute))
	apptest.Done(t, s.Desk.Tick(t.Context()))

	b := apptest.OpenTab(t)
	b.Do(chromedp.Navigate(s.URL + "/"))
	b.SignIn()
	b.Until(`document.querySelectorAll("#today tr.act").length === 3`)
	b.Until(`document.querySelector('.nav a[href="/"] .count').textContent === "3"`)
	b.Do(chromedp.Click(apptest.CSS(`#today a[href$="/hold-again"]`)))
	b.Until(`location.pathname.endsWith("/hold-again")`)
	b.Do(chromedp.Click(apptest.CSS(`form[action$="/hold-again"] button[value="let-go"]`)))
	b.Until(`document.querySelector("main [role=status]")?.textContent.startsWith("Held as ")`)
	b.Do(chromedp.Navigate(s.URL + "/"))
	b.Until(`document.querySelectorAll("#today tr.act").length === 2`)
	b.Do(chromedp.Click(apptest.CSS(`tr.group form[action="/seen"] button`)))
	b.Until(`document.querySelectorAll("#today tr.act").length === 0`)

	b.Do(chromedp.Navigate(s.URL+"/deadlines?show=all"), chromedp.Click(apptest.CSS("[data-tick-all]")))
	b.Until(`document.querySelectorAll('td.tick input:checked').length === 1`)
	b.Do(chromedp.Focus(apptest.CSS("#holds [data-row]")), chromedp.KeyEvent(kb.Enter))
	b.Until(`location.pathname.startsWith("/bookings/")`)
	b.Do(chromedp.KeyEvent("b"))
	b.Until(`location.pathname === "/book" && document.activeElement.id === "name"`)
	s.WantBookings(t, 4)
}
