package flights_test

import (
	"net/http"
	"testing"

	"gangway/internal/web/app/apptest"

	"gangway/internal/gangway"
)

// Before every hold the page shows the traveller's other bookings around the same days,
// and the booker has to say that this is another journey.
func TestTwice(t *testing.T) {
	s := apptest.NewSite(t)
	c := s.SignedIn(t, gangway.Booker)
	c.Booked("fare=marine")
	locator := s.Bookings(t)[0].Locator

	t.Run("the main button", func(t *testing.T) {
		c := c.In(t)
		search := s.Keep(t, apptest.Maria)
		path := "/searches/" + search.ID
		results := c.Get(path + "?wait=1")
		results.Has("Booked around the same days already", locator, `required>This is another journey`)
		form := results.Form(path + "/book")
		told := form.Get("other")
		form.Del("other")
		warned := c.Post(path+"/book", form)
		if warned.Status != http.StatusConflict || len(s.Bookings(t)) != 1 {
			t.Fatalf("the answer is %d, with %d bookings; want the warning, and none made", warned.Status,
				len(s.Bookings(t)))
		}
		warned.Has("Nothing is held yet", "Booked around the same days already", locator, "This is another journey")
		form.Set("other", "somebody-else")
		if again := c.Post(path+"/book", form); again.Status != http.StatusConflict {
			t.Fatalf("an acknowledgment of another booking is answered with %d; want 409", again.Status)
		}
		if form = warned.Form(path + "/book"); form.Get("other") != told || told == "" {
			t.Fatalf("the warning acknowledges %q, the results %q; want the booking in both", form.Get("other"), told)
		}
		c.Post(path+"/book", form).Has("Held as")
	})
	t.Run("the passenger page", func(t *testing.T) {
		c := c.In(t)
		search := s.Keep(t, apptest.Maria)
		path := "/searches/" + search.ID
		offer := c.Get(path + "?wait=1").Form(path + "/book").Get("offer")
		page := c.Get(path + "/hold?offer=" + offer)
		page.Has("Booked around the same days already", locator)
		form := page.Form(path + "/book")
		form.Del("other")
		c.Post(path+"/book", form).Has("Nothing is held yet", "This is another journey")
		c.Post(path+"/book", page.Form(path+"/book")).Has("Held as")
	})
	t.Run("a whole crew", func(t *testing.T) {
		c := c.In(t)
		search := s.Keep(t, apptest.Joiners()...)
		path := "/searches/" + search.ID
		review := c.Get(path + "/book-all")
		form := review.Form(path + "/book-all")
		form.Del("m0.other")
		before := len(s.Bookings(t))
		warned := c.Post(path+"/book-all", form)
		if warned.Status != http.StatusConflict || len(s.Bookings(t)) != before {
			t.Fatalf("the answer is %d, with %d made; want the warning, and nobody booked", warned.Status,
				len(s.Bookings(t))-before)
		}
		warned.Has("Nobody was booked yet", `name="m0.other"`)
		warned.Lacks(`name="m1.other"`)
		c.Finish(c.Post(path+"/book-all", warned.Form(path+"/book-all"))).Has("3 of 3 booked")
	})
	t.Run("a week later is another journey", func(t *testing.T) {
		c := c.In(t)
		search := s.Keep(t, apptest.Maria)
		search.Members[0].Legs[0].ArriveOn = "2036-12-11"
		if err := apptest.Production(s).SaveSearch(t.Context(), search); err != nil {
			t.Fatal(err)
		}
		path := "/searches/" + search.ID
		page := c.Get(path + "?wait=1")
		page.Lacks("around the same days")
		c.Post(path+"/book", page.Form(path+"/book")).Has("Held as")
	})
}
