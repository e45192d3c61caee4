package app_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"gangway"
	"gangway/internal/store/storetest"
	"gangway/internal/web/app/apptest"
)

// cutOff lists what a page shows in part only, and what has to be pushed
// sideways to be read.
const cutOff = `(() => {
	const faults = [];
	for (const e of document.querySelectorAll("main *")) {
		if (!e.offsetParent || e.closest(".unseen, .timeline, .facet, .clip, svg, pre, details:not([open]) > :not(summary)")) continue;
		const style = getComputedStyle(e);
		if (style.display === "inline" || style.overflowX === "visible" || e.clientWidth < 2 || e.scrollWidth <= e.clientWidth + 1) continue;
		faults.push(e.tagName + "." + e.className + " " + e.scrollWidth + " in " + e.clientWidth + ": " + (e.value ?? e.textContent).trim().slice(0, 60));
	}
	if (document.documentElement.scrollWidth > innerWidth) faults.push("the page is " + document.documentElement.scrollWidth + " wide");
	return faults.join("\n");
})()`

// TestNothingIsCutInBrowser holds that no connection, name, price or button is
// cut off or beyond the edge: a tight connection that is cut is one that nobody
// is warned of.
func TestNothingIsCutInBrowser(t *testing.T) {
	s := apptest.NewSite(t)
	c := s.SignedIn(t, gangway.Booker)
	crew := apptest.Joiners()
	for i, home := range []gangway.Airport{"ILO", "COK", "CMB", "TBS", "RIX", "ACC", "DLC", "CGK"} {
		who := apptest.Maria
		who.ID, who.LastName, who.HomeAirport = fmt.Sprintf("C-20%d", i), "Wiśniewska-Dimaculangan", home
		crew = append(crew, who)
	}
	far := crew[3]
	far.ID, far.DocNumber, far.Email = "C-3000", "P7654321Z", "crew.298@corvina.example"
	one, all := s.Keep(t, far), s.Keep(t, crew...)
	offer := c.Get("/searches/" + one.ID).Form("/searches/" + one.ID + "/book").Get("offer")
	c.Booked("fare=marine")
	storetest.Settings(t, apptest.Production(s), gangway.Settings{Approval: gangway.ApprovalPolicy{Mode: gangway.ApproveAlways}})
	c.Booked("")

	b := apptest.OpenTab(t)
	b.Do(chromedp.Navigate(s.URL + "/sign-in"))
	b.Do(chromedp.SendKeys(apptest.CSS("#email"), "admin@example.com"), chromedp.SendKeys(apptest.CSS("#password"), apptest.Password+kb.Enter))
	b.Until(`document.querySelector(".nav") !== null`)
	tight := 0
	for _, path := range []string{
		"/searches/" + one.ID, "/searches/" + all.ID + "?wait=1", "/searches/" + all.ID + "/book-all", "/searches/" + one.ID + "/hold?offer=" + offer,
		"/bookings", "/approvals", "/deadlines", "/settings/audit",
	} {
		for _, width := range []int64{390, 1280, 1440} {
			b.Do(chromedp.EmulateViewport(width, 900), chromedp.Navigate(s.URL+path))
			if faults := b.Read(cutOff); faults != "" {
				t.Errorf("%s at %d:\n%s", path, width, faults)
			}
		}
		tight += strings.Count(b.Read(`document.querySelector("main").innerText`), "△ ")
	}
	for range 20 {
		if err := s.DB.Record(t.Context(), gangway.AuditEntry{
			At: apptest.Today, By: gangway.ByCommand("root", "vm"), Customer: s.Production.Customer.ID, Environment: gangway.Production, What: gangway.UserCreated,
			After: map[string]any{"email": "mara.lindqvist@corvina.example", "name": "Mara Lindqvist", "role": "booker", "user": "usr_lfmt4hzxjibsjqr56h7cflralj"},
		}); err != nil {
			t.Fatal(err)
		}
	}
	b.Do(chromedp.EmulateViewport(1440, 900), chromedp.Navigate(s.URL+"/settings/audit"))
	if n := b.Read(`String([...document.querySelectorAll(".audit tbody tr")].filter(e => e.getBoundingClientRect().bottom <= innerHeight).length)`); len(n) < 2 || n < "15" {
		t.Errorf("a screen of the audit log shows %s entries; want 15 at least", n)
	}
	if tight < 3 {
		t.Errorf("%d tight connections were shown; want some on the pages looked at", tight)
	}
}
