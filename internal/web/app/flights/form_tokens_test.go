package flights_test

import (
	"net/http"
	"net/url"
	"testing"

	"gangway/internal/web/app/apptest"

	"gangway/internal/gangway"
)

// TestIdentifiersAreGiven sends forms with identifiers that the sender made up, or that
// were given to another person or for another purpose. Nothing is booked, what was typed
// stays, and the page that comes back can be sent.
func TestIdentifiersAreGiven(t *testing.T) {
	s := apptest.NewSite(t)
	c, colleague := s.SignedIn(t, gangway.Booker), s.SignedIn(t, gangway.Approver)
	one, other := s.Keep(t, apptest.Maria), s.Keep(t, apptest.Maria)
	path := "/searches/" + one.ID
	given := func(c *apptest.Client, path, action string) string { return c.Get(path).Form(action).Get("id") }
	bad := map[string]string{
		"chosen":                 "1",
		"none":                   "",
		"of another's form":      given(colleague, path, path+"/book"),
		"of another search":      given(c, "/searches/"+other.ID, "/searches/"+other.ID+"/book"),
		"of the entry":           given(c, "/bookings/enter", "/bookings/enter"),
		"with another's mark":    "booking.zzzzzz.AAAAAAAAAAAAAAAAAAAAAAAA",
		"with too many parts":    given(c, path, path+"/book") + ".1",
		"with its time extended": "x" + given(c, path, path+"/book"),
	}
	for name, id := range bad {
		t.Run("an identifier "+name, func(t *testing.T) {
			c := c.In(t)
			form := c.Get(path).Form(path+"/book", "id", id, "phone", "+63 900 000 0000")
			c.Post(path+"/book", form).Is(http.StatusConflict, "open for too long, or was made for something else",
				"Nothing was done", "63 900 000 0000")
			s.WantBookings(t, 0)
		})
	}
	c.Run("an entry", func(t *testing.T, c *apptest.Client) {
		for _, id := range []string{"1", "", given(colleague, "/bookings/enter", "/bookings/enter"),
			given(c, path, path+"/book")} {
			c.Post("/bookings/enter", apptest.Elsewhere(id)).
				Is(http.StatusConflict, "Nothing was done", "OKAFOR", "618-2412345678")
			s.WantBookings(t, 0)
		}
	})
	c.Run("a whole crew", func(t *testing.T, c *apptest.Client) {
		crew := s.Keep(t, apptest.Joiners()...)
		path := "/searches/" + crew.ID
		swapped := func(form url.Values) { form["m0.id"], form["m1.id"] = form["m1.id"], form["m0.id"] }
		for name, forge := range map[string]func(url.Values){
			"its batch is chosen":         func(form url.Values) { form.Set("batch", "1") },
			"an identifier is chosen":     func(form url.Values) { form.Set("m1.id", "1") },
			"identifiers change places":   swapped,
			"an offer is another's":       func(form url.Values) { form.Set("m1.offer", form.Get("m0.offer")) },
			"nobody's identifier is left": func(form url.Values) { form.Del("m0.id") },
		} {
			c.Run(name, func(t *testing.T, c *apptest.Client) {
				form := c.Get(path + "/book-all").Form(path + "/book-all")
				forge(form)
				c.Post(path+"/book-all", form).Is(http.StatusConflict, "Nobody was booked")
				s.WantBookings(t, 0)
			})
		}
		c.Finish(c.Submit(path + "/book-all")).Has("3 of 3 booked")
	})
}

// TestOffersAreFound books offers that were found for another search, other fares or
// another traveller. None is held, and none is shown.
func TestOffersAreFound(t *testing.T) {
	s := apptest.NewSite(t)
	c := s.SignedIn(t, gangway.Booker)
	seafarer := s.Keep(t, apptest.Maria)
	marine := c.Get("/searches/" + seafarer.ID + "?wait=1&fare=marine").Form("/searches/" + seafarer.ID +
		"/book").Get("offer")
	plain := gangway.Search{ID: "plain", By: "booker@example.com", CreatedAt: apptest.Today,
		Members: []gangway.SearchMember{seafarer.Members[0]}}
	plain.Members[0].FareType = gangway.Public
	s.Save(t, plain)
	refused := func(t *testing.T, search, offer string) {
		t.Helper()
		path, c := "/searches/"+search, c.In(t)
		form := c.Get(path+"?wait=1").Form(path+"/book", "offer", offer)
		c.Post(path+"/book", form).Is(http.StatusConflict, "was not found for this traveller and this search",
			"Nothing was booked", "Search again")
		s.WantBookings(t, 0)
		c.Get(path+"/hold?offer="+url.QueryEscape(offer)).Has("was not found for this traveller", "Search again")
	}
	t.Run("a seafarer's fare for somebody who is not a seafarer", func(t *testing.T) { refused(t, plain.ID, marine) })
	t.Run("made up", func(t *testing.T) { refused(t, seafarer.ID, "sim-1") })
	t.Run("without its mark", func(t *testing.T) {
		refused(t, seafarer.ID, marine[:len(marine)-25])
	})
	t.Run("once somebody else is to fly", func(t *testing.T) {
		changed := seafarer
		changed.Members = append([]gangway.SearchMember(nil), seafarer.Members...)
		changed.Members[0].Traveller.FirstName, changed.Members[0].Traveller.DOB = "PEDRO", "1990-01-01"
		s.Save(t, changed)
		refused(t, seafarer.ID, marine)
	})
	c.Run("a change that was found for another booking", func(t *testing.T, c *apptest.Client) {
		first, second := c.Booked("fare=marine&rule=change"), c.Booked("fare=marine&rule=change")
		offer := c.Get(first + "/change?date0=2036-12-05").Form(first + "/ask-change").Get("offer")
		for _, forged := range []string{offer, "x", ""} {
			c.Post(second+"/ask-change", url.Values{"offer": {forged}, "date0": {"2036-12-05"}}).
				Is(http.StatusConflict, "were not found for a change of this booking", `value="Fri 5 Dec 2036"`)
		}
		c.Post(first+"/ask-change", url.Values{"offer": {offer}}).Has("Change to confirm")
	})
}
