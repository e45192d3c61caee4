package flights_test

import (
	"net/http"
	"net/url"
	"testing"

	"gangway/internal/web/app/apptest"

	"gangway/internal/gangway"
)

// Impossible details are refused at their fields, before anything is held.
func TestHoldRefusesImpossibleDetails(t *testing.T) {
	s := apptest.NewSite(t)
	c := s.SignedIn(t, gangway.Booker)
	path := "/searches/" + s.Keep(t, apptest.Maria).ID
	offer := c.Get(path + "?wait=1").Form(path + "/book").Get("offer")
	form := c.Get(path + "/hold?offer=" + offer).Form(path + "/book")
	for field, value := range map[string]string{"doc_number": "!!", "phone": "12", "email": "nomail"} {
		form.Set(field, value)
	}
	c.Post(path+"/book", form).Is(http.StatusUnprocessableEntity, "To correct: Passport number, E-mail, Phone",
		"as in P1234567A", "as in ana@example.com", "917 555 0101", `value="!!"`)
	s.WantBookings(t, 0)
}

// Any phone number and e-mail address that the customer's system sent can be held with;
// what a person types in their place is checked.
func TestHoldTakesContactAsSent(t *testing.T) {
	s := apptest.NewSite(t)
	c := s.SignedIn(t, gangway.Booker)
	who := apptest.Maria
	who.Phone, who.Email = "ask the agent", "maria at home"
	path := "/searches/" + s.Keep(t, who).ID
	offer := c.Get(path + "?wait=1").Form(path + "/book").Get("offer")
	form := c.Get(path + "/hold?offer=" + offer).Form(path + "/book")
	if form.Get("phone") != who.Phone || form.Get("email") != who.Email {
		t.Fatalf("the form has phone %q, e-mail %q; want them as sent", form.Get("phone"), form.Get("email"))
	}
	form.Set("phone", "12")
	c.Post(path+"/book", form).Is(http.StatusUnprocessableEntity)
	s.WantBookings(t, 0)
	form.Set("phone", who.Phone)
	c.Post(path+"/book", form).Has("Held as")
}

// The page asks once about a passport that ends before travel, and the booking's page shows it.
func TestHoldAsksAboutPassport(t *testing.T) {
	s := apptest.NewSite(t)
	c := s.SignedIn(t, gangway.Booker)
	const words = "The passport, valid to 1 Jan 2020, ends before travel."
	c.Run("of one traveller", func(t *testing.T, c *apptest.Client) {
		path := "/searches/" + s.Keep(t, apptest.Maria).ID
		offer := c.Get(path + "?wait=1").Form(path + "/book").Get("offer")
		page := c.Get(path + "/hold?offer=" + offer).Lacks("Hold anyway")
		form := page.Form(path+"/book", "doc_expire", "2020-01-01")
		asked := c.Post(path+"/book", form).Is(http.StatusConflict, "Nothing is held yet. "+words, "Hold anyway")
		s.WantBookings(t, 0)
		form = asked.Form(path + "/book")
		form.Set("doc_expire", "2021-01-01") // not the passport that was agreed to
		c.Post(path+"/book", form).Is(http.StatusConflict)
		c.Post(path+"/book", asked.Form(path+"/book")).Has("Held as", words)
	})
	c.Run("of a whole crew", func(t *testing.T, c *apptest.Client) {
		people := apptest.Joiners()[1:]
		people[1].DocExpire = "2020-01-01"
		path := "/searches/" + s.Keep(t, people...).ID
		review := c.Get(path + "/book-all").Has("1 passport needs “Hold anyway”")
		form := review.Form(path + "/book-all")
		agreed := url.Values{}
		for name, values := range form {
			agreed[name] = values
		}
		form.Del("m1.passport")
		before := len(s.Bookings(t))
		asked := c.Post(path+"/book-all", form).
			Is(http.StatusConflict, "Some passports end before the last flight", words, `name="m1.passport"`)
		s.WantBookings(t, before)
		asked.Lacks(`name="m0.passport"`)
		c.Finish(c.Post(path+"/book-all", agreed)).Has("2 of 2 booked")
	})
}
