package app_test

import (
	"strings"
	"testing"

	"gangway"
	"gangway/internal/store/storetest"
	"gangway/internal/web/app/apptest"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

func TestAccessibility(t *testing.T) {
	s := apptest.NewSite(t)
	apptest.PlanCrew(t, apptest.Production(s))
	b := apptest.OpenTab(t)
	b.Do(chromedp.Navigate(s.URL + "/sign-in"))
	check := func(t *testing.T, path string) {
		t.Helper()
		for _, width := range []int64{1440, 390} {
			b.Do(chromedp.EmulateViewport(width, 900), chromedp.Navigate(s.URL+path))
			if faults := b.Read(apptest.Nameless); faults != "" {
				t.Errorf("%s at %d:\n%s", path, width, faults)
			}
			if faults := apptest.Axe(t, b); faults != "" {
				t.Errorf("%s at %d:\n%s", path, width, faults)
			}
		}
	}
	check(t, "/sign-in")
	b.Do(chromedp.EmulateViewport(1440, 900), chromedp.Navigate(s.URL+"/"))
	b.SignIn()
	b.Until(`document.querySelector(".nav") !== null`)
	for _, path := range []string{
		"/", "/?request=TR-2&sub=&on=2036-12-01", "/?last_name=PEREIRA", "/requests?date=2036-12-01", "/requests?date=2036-12-01&week=on",
		"/requests", "/crew-changes", "/crew-changes?vessel=none", "/hotels", "/hotels?show=handled", "/travellers", "/travellers/take-back?key=id:1",
		"/crew-changes/plan?key=on:2036-12-03:PA:NORTHERN%20LIGHT", "/crew-changes/take-back?key=on:2036-12-03:PA:NORTHERN%20LIGHT", "/deadlines", "/attention", "/password", "/nothing-here",
	} {
		t.Run(path, func(t *testing.T) { check(t, path) })
	}
}

func TestAccessibilityOfBookings(t *testing.T) {
	s := apptest.NewSite(t)
	c := s.SignedIn(t, gangway.Booker)
	held := c.Booked("fare=marine&rule=change")
	c.Post("/bookings/"+strings.TrimPrefix(c.Booked("fare=marine"), "/bookings/")+"/issue", nil)
	always := gangway.Settings{Approval: gangway.ApprovalPolicy{Mode: gangway.ApproveAlways}}
	storetest.Settings(t, apptest.Production(s), always)
	waits := c.Booked("")
	people := apptest.Joiners()
	people[1].DOB, people[2].HomeAirport = "", "XQX"
	one, all := s.Keep(t, people[1]), s.Keep(t, people...)
	offer := c.Get("/searches/" + one.ID).Form("/searches/" + one.ID + "/book").Get("offer")

	b := apptest.OpenTab(t)
	b.Do(chromedp.Navigate(s.URL + "/sign-in"))
	b.Do(chromedp.SendKeys(apptest.CSS("#email"), "approver@example.com"), chromedp.SendKeys(apptest.CSS("#password"), apptest.Password+kb.Enter))
	b.Until(`document.querySelector(".nav") !== null`)
	for _, path := range []string{
		"/searches/" + one.ID, "/searches/" + one.ID + "?stops=0&sort=spare", "/searches/" + one.ID + "/hold?offer=" + offer,
		"/searches/" + all.ID + "?wait=1", "/searches/" + all.ID + "?member=1", "/searches/" + all.ID + "?member=2", "/searches/" + all.ID + "/book-all",
		held, held + "/issue", held + "/cancel", held + "/change?date0=2036-12-05", waits, "/bookings", "/bookings?state=declined", "/approvals",
	} {
		t.Run(path, func(t *testing.T) {
			for _, width := range []int64{1440, 390} {
				b.Do(chromedp.EmulateViewport(width, 900), chromedp.Navigate(s.URL+path))
				b.Read(`document.querySelector("details.offer")?.setAttribute("open", ""); ""`)
				if faults := b.Read(apptest.Nameless) + apptest.Axe(t, b); faults != "" {
					t.Errorf("%s at %d:\n%s", path, width, faults)
				}
			}
		})
	}
}
