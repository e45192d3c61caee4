package sandbox_test

import (
	"net/http"
	"net/url"
	"regexp"
	"testing"
	"time"

	"gangway/internal/book"
	"gangway/internal/gangway"
	"gangway/internal/web/app/apptest"
)

// TestSandboxPage: somebody who books sends a booking in development, has an airline change its flight and moves
// the clock, and is told what came of each; the log has all of it. In production it is refused.
func TestSandboxPage(t *testing.T) {
	s := apptest.NewSite(t)
	c := s.SignedIn(t, gangway.Booker)
	a := c.Post("/settings/sandbox/send", url.Values{"state": {"issued"}})
	a.Is(http.StatusForbidden).Has("Not in production", "Switch to development")
	c.Get("/settings/sandbox").Shows("/settings/sandbox", "The sandbox is in development only")
	c.Post("/environment", url.Values{"environment": {"development"}, "back": {"/bookings"}}).
		Shows("/bookings", "Sandbox…")
	c.Get("/settings/sandbox").Shows("/settings/sandbox", "which is real time", "MAGICTICKET",
		"tickets are refused once", `<option value="approval_required">approval required<`,
		"changed: change pending, then issued", "keep real time")

	magic := gangway.Search{ID: book.NewID(), By: "booker@example.com", CreatedAt: apptest.Today,
		Members: []gangway.SearchMember{{Traveller: apptest.Maria, Legs: []gangway.Leg{{Origin: "MNL",
			Destination: "AMS", ArriveOn: "2036-12-01"}}}}}
	magic.Members[0].Traveller.LastName = string(gangway.MagicDeclined)
	apptest.Done(t, apptest.Development(s).SaveSearch(t.Context(), magic))
	found := "/searches/" + magic.ID
	c.Post(found+"/book", c.Get(found).Form(found+"/book")).
		Has("was declined: the approval of MAGICDECLINED is always refused. Its seats are not held.").
		Lacks("Held as")
	a = c.Post("/settings/sandbox/send", url.Values{"state": {"issued"}})
	a.Has("confirmed, then issued.", "Open booking")
	locator := regexp.MustCompile(`Booking ([A-Z0-9]{6}):`).FindStringSubmatch(a.Body)[1]
	sent, err := apptest.Development(s).BookingByLocator(t.Context(), locator)
	if err != nil || sent.CreatedBy != "booker@example.com" {
		t.Errorf("it was booked by %q, %v; want the person at the page", sent.CreatedBy, err)
	}
	c.Post("/settings/sandbox/disrupt", url.Values{"booking": {locator}, "disruption": {"cancel"}}).
		Shows("/settings/sandbox?booking="+sent.ID, "Booking "+locator+": change pending.",
			`href="/bookings/`+sent.ID)
	a = c.Post("/settings/sandbox/disrupt", url.Values{"booking": {"NOSUCH"}, "disruption": {"cancel"}})
	a.Is(http.StatusUnprocessableEntity).Has(`value="NOSUCH"`)
	c.Post("/settings/sandbox/advance", url.Values{"by": {"tomorrow"}}).Has("by a time such as 26h, 90m or 3d",
		`value="tomorrow"`)

	c.Post("/settings/sandbox/send", url.Values{"state": {"confirmed"}})
	form := c.Get("/settings/sandbox").Form("/settings/sandbox/advance")
	form.Set("by", "4d 4 h")
	for range 2 { // as by a double click
		c.Post("/settings/sandbox/advance", form).Shows("/settings/sandbox", "4 days 4 h ahead of real time",
			"confirmed", "cancelled.",
			"clock says "+apptest.Today.Add(100*time.Hour).Format("Mon 2 Jan 2006 15:04 UTC"))
	}
	for what, want := range map[gangway.AuditEvent]int{gangway.SandboxSent: 2, gangway.SandboxDisrupted: 1,
		gangway.SandboxAdvanced: 1} {
		if got := len(s.Audit(t, what)); got != want {
			t.Errorf("%s is %d times in the log; want %d", what, got, want)
		}
	}
}

// TestPagesGoByTheAccountsClock: where the clock of a development account was moved, its pages say how much time is
// left by that clock, and the browser counts down by it.
func TestPagesGoByTheAccountsClock(t *testing.T) {
	s := apptest.NewSite(t)
	c := s.SignedIn(t, gangway.Booker)
	c.Post("/environment", url.Values{"environment": {"development"}, "back": {"/"}})
	a := c.Post("/settings/sandbox/send", url.Values{"state": {"confirmed"}})
	in := apptest.Development(s)
	held := apptest.Must(in.BookingByLocator(t.Context(), regexp.MustCompile(`Booking ([A-Z0-9]{6}):`).
		FindStringSubmatch(a.Body)[1]))(t)
	c.Get("/bookings/" + held.ID).Lacks("data-ahead")
	to := apptest.Must(in.AdvanceClock(t.Context(), gangway.ByCommand("ines", "bridge"),
		held.HoldUntil.Add(-100*time.Minute).Sub(apptest.Today), apptest.Today))(t)
	c.Get("/settings/sandbox").Has("which is real time, and is on its way to ") // by whoever moves it
	apptest.Must(in.MoveClock(t.Context(), to))(t)
	c.Get("/bookings/"+held.ID).Has("1 h 40 min", ` data-ahead="`, "and its clock says")
	for _, path := range []string{"/bookings", "/deadlines"} {
		c.Get(path).Has("1 h 40 min")
	}
	c.Post("/environment", url.Values{"environment": {"production"}, "back": {"/"}})
	c.Get("/bookings").Lacks("data-ahead")
}
