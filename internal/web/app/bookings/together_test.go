package bookings_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"gangway/internal/gangway"
	"gangway/internal/store/storetest"
	"gangway/internal/web/app/apptest"
)

// heldCrew holds seats for so many sailors, and returns their bookings and the ticks for all of them.
func heldCrew(t *testing.T, s *apptest.Site, c *apptest.Client, people int) (list []gangway.Booking, ticks url.Values) {
	t.Helper()
	s.Upload(t, "2036-12-05", apptest.Sailors(people))
	c.BookEverybody("BRU")
	list, ticks = s.Bookings(t), url.Values{}
	for _, b := range list {
		ticks.Add("booking", b.ID)
	}
	return list, ticks
}

// together returns the quotes of an act on what is ticked.
func together(c *apptest.Client, act string, ticks url.Values) apptest.Answer {
	return c.Get("/bookings/together?do=" + act + "&" + ticks.Encode())
}

// states counts the rows of a page by their data-state.
func states(a apptest.Answer) map[string]int {
	n := map[string]int{}
	for _, part := range strings.Split(a.Body, `data-state="`)[1:] {
		state, _, _ := strings.Cut(part, `"`)
		n[state]++
	}
	return n
}

// sent returns the form of the quotes as a browser sends it.
func sent(page apptest.Answer) url.Values { return page.Sent("/bookings/together") }

func TestTogether(t *testing.T) {
	s := apptest.NewSite(t)
	c := s.SignedIn(t, gangway.Booker)
	list, ticks := heldCrew(t, s, c, 4)
	issued := list[0]
	c.Submit("/bookings/" + issued.ID + "/issue")
	sum := list[1].Price.Total.Add(list[2].Price.Total).Add(list[3].Price.Total)

	c.Run("the list has a tick for each booking, and the three acts", func(t *testing.T, c *apptest.Client) {
		c.Get("/bookings").Has(`value="`+list[1].ID+`" form="bulk"`, `name="do" value="issue"`,
			`name="do" value="release"`, `name="do" value="cancel"`)
	})
	c.Run("nothing ticked", func(t *testing.T, c *apptest.Client) {
		together(c, "issue", nil).Has("Nothing is ticked").Lacks(`form="together"`)
		together(c, "spend", ticks).Is(http.StatusBadRequest)
	})
	c.Run("issue: one sum in the button, one run, a result for each, whoever sends the form twice",
		func(t *testing.T, c *apptest.Client) {
			page := together(c, "issue", ticks).Has("Issue 3 tickets · "+sum.Words(), "1 left out",
				"had the tickets issued at")
			if n := states(page)["out"]; n != 1 {
				t.Fatalf("%d are left out; want the one with tickets", n)
			}
			c.Post("/bookings/together", with(sent(page), "run", "chosen")).Is(http.StatusConflict)
			form := sent(page)
			form["ask"][0] = strings.Replace(form["ask"][0], `"minor":`, `"minor":1`, 1)
			c.Post("/bookings/together", form).Is(http.StatusConflict)
			run := c.Finish(c.Post("/bookings/together", sent(page)))
			run.Has("3 of 3 issued · "+sum.Words(), "Started by Ingrid Holm")
			if n := states(run)["done"]; n != 3 {
				t.Fatalf("%d are done; want 3", n)
			}
			c.Post("/bookings/together", sent(page)).Shows(run.Path)
			for _, b := range list {
				history, err := apptest.Production(s).History(t.Context(), b.ID)
				if err != nil || len(history) != 2 || history[1].By != "booker@example.com" {
					t.Errorf("%s: %+v, %v", b.Locator, history, err)
				}
			}
		})
	c.Run("cancel: what comes back is in the button; tickets are not released", func(t *testing.T, c *apptest.Client) {
		together(c, "release", ticks).Has("Not possible for any of them", "It has tickets: cancel it.")
		page := together(c, "cancel", url.Values{"booking": {list[0].ID, list[0].ID, list[1].ID}})
		page.Has("Cancel 2 · ", " back")
		if n := states(c.Finish(c.Post("/bookings/together", sent(page)))); n["done"] != 2 {
			t.Errorf("%v", n)
		}
	})
	c.Run("another customer's people see none of it", func(t *testing.T, c *apptest.Client) {
		other := s.InDevelopment(t, gangway.Booker)
		together(other, "issue", ticks).Is(http.StatusNotFound)
	})
}

// TestReleaseTogether holds that a release is undone by one click for each, or by two for all.
func TestReleaseTogether(t *testing.T) {
	s := apptest.NewSite(t)
	c := s.SignedIn(t, gangway.Booker)
	list, ticks := heldCrew(t, s, c, 3)
	ask, err := http.NewRequestWithContext(t.Context(), http.MethodGet,
		s.URL+"/bookings/together?do=release&"+ticks.Encode(), nil)
	apptest.Done(t, err)
	ask.Header.Set("Referer", s.URL+"/deadlines?show=all")
	page := c.Do(ask).Has("Release 3", "Nothing was paid for these", `href="/deadlines?show=all">Back`)
	run := c.Finish(c.Post("/bookings/together", sent(page)))
	run.Has("3 of 3 released", "Released</span>", `href="/deadlines?show=all">Back`).Lacks("Cancelled</span>")
	for _, b := range s.Bookings(t) {
		if b.State != gangway.Cancelled {
			t.Fatalf("%s is %s", b.Locator, b.State)
		}
	}
	to := "/bookings/" + list[0].ID + "/hold-again"
	c.Post(to, run.Form(to)).Has("Held as ")
	s.WantBookings(t, 4)

	_, query, _ := strings.Cut(run.Body, `href="/bookings/together?`)
	query, _, _ = strings.Cut(query, `"`)
	again := c.Get("/bookings/together?"+strings.ReplaceAll(query, "&amp;", "&")).Has("Hold again 2", "1 left out")
	if n := states(c.Finish(c.Post("/bookings/together", sent(again)))); n["done"] != 2 {
		t.Errorf("%v; want both held again", n)
	}
	s.WantBookings(t, 6)
}

// TestTogetherKeepsToPolicy holds that a run goes around nothing that one booking has to keep to.
func TestTogetherKeepsToPolicy(t *testing.T) {
	s := apptest.NewSite(t)
	c, approver := s.SignedIn(t, gangway.Booker), s.SignedIn(t, gangway.Approver)
	people := apptest.Sailors(3)
	list, ticks := heldCrew(t, s, c, 3)
	s.Upload(t, "2036-12-08", people)
	together(c, "issue", ticks).Has("Not possible for any of them", "It does not fit the plan: ")
	s.Upload(t, "2036-12-05", people)
	page := together(c, "issue", ticks).Has("Issue 3 tickets")
	s.Upload(t, "2036-12-08", people)
	run := c.Finish(c.Post("/bookings/together", sent(page)))
	if n := states(run.Has("It does not fit the plan: ")); n["refused"] != 3 {
		t.Errorf("%v; want none issued", n)
	}

	storetest.Settings(t, apptest.Production(s),
		gangway.Settings{Approval: gangway.ApprovalPolicy{Mode: gangway.ApproveAlways}})
	path := c.Booked("")
	waits := url.Values{"booking": {strings.TrimPrefix(path, "/bookings/")}}
	together(approver, "issue", waits).Has("Not possible for any of them").Lacks(`form="together"`)
	if b := s.Booking(t, "/bookings/"+list[0].ID); b.State != gangway.Confirmed {
		t.Errorf("%s is %s", b.Locator, b.State)
	}
}
