package flights_test

import (
	"net/http"
	"testing"

	"gangway/internal/web/app/apptest"

	"gangway/internal/gangway"
)

// Before every hold the page shows the traveller's other bookings around the same days,
// and the booker has to say that this is a separate trip.
func TestTwice(t *testing.T) {
	s := apptest.NewSite(t)
	c := s.SignedIn(t, gangway.Booker)
	c.Booked("fare=marine")
	locator := s.Bookings(t)[0].Locator

	c.Run("the main button", func(t *testing.T, c *apptest.Client) {
		search := s.Keep(t, apptest.Maria)
		path := "/searches/" + search.ID
		results := c.Get(path+"?wait=1").Opened().Has("has a booking "+locator,
			`required>Separate trip from `+locator)
		form := results.Form(path + "/book")
		told := form.Get("other")
		form.Del("other")
		warned := c.Post(path+"/book", form).Is(http.StatusConflict, "Nothing is held yet",
			"Booked around the same days already", locator, "Separate trip, hold anyway")
		s.WantBookings(t, 1)
		form.Set("other", "somebody-else")
		c.Post(path+"/book", form).Is(http.StatusConflict)
		if form = warned.Form(path + "/book"); form.Get("other") != told || told == "" {
			t.Fatalf("the warning acknowledges %q, the results %q; want the booking in both", form.Get("other"), told)
		}
		c.Post(path+"/book", form).Has("Held as")
	})
	c.Run("a whole crew", func(t *testing.T, c *apptest.Client) {
		search := s.Keep(t, apptest.Joiners()...)
		path := "/searches/" + search.ID
		review := c.Get(path + "/book-all")
		form := review.Form(path + "/book-all")
		form.Del("m0.other")
		before := len(s.Bookings(t))
		warned := c.Post(path+"/book-all", form).Is(http.StatusConflict, "Nobody was booked yet", `name="m0.other"`)
		s.WantBookings(t, before)
		warned.Lacks(`name="m1.other"`)
		c.Finish(c.Post(path+"/book-all", warned.Form(path+"/book-all"))).Has("3 of 3 booked")
	})
}
