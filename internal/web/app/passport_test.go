package app_test

import (
	"net/http"
	"net/url"
	"testing"

	"gangway"
)

// Details that nobody can have are refused at their fields, before anything is held.
func TestHoldRefusesImpossibleDetails(t *testing.T) {
	s := newSite(t)
	c := s.signedIn(t, gangway.Booker)
	path := "/searches/" + s.keep(t, maria).ID
	offer := c.get(path + "?wait=1").form(path + "/book").Get("offer")
	form := c.get(path + "/hold?offer=" + offer).form(path + "/book")
	for field, value := range map[string]string{"doc_number": "!!", "phone": "12", "email": "nomail"} {
		form.Set(field, value)
	}
	refused := c.post(path+"/book", form)
	if refused.status != http.StatusUnprocessableEntity || len(s.bookings(t)) != 0 {
		t.Fatalf("the answer is %d, with %d held; want 422 and none", refused.status, len(s.bookings(t)))
	}
	refused.has("To look at: Passport number, E-mail, Phone", "as in P1234567A", "as in ana@example.com", "917 555 0101", `value="!!"`)
}

// What the customer's system sent as phone and e-mail keeps nobody from being
// held, whatever it is; what a person types in its place is looked at.
func TestHoldTakesContactAsSent(t *testing.T) {
	s := newSite(t)
	c := s.signedIn(t, gangway.Booker)
	who := maria
	who.Phone, who.Email = "ask the agent", "maria at home"
	path := "/searches/" + s.keep(t, who).ID
	offer := c.get(path + "?wait=1").form(path + "/book").Get("offer")
	form := c.get(path + "/hold?offer=" + offer).form(path + "/book")
	if form.Get("phone") != who.Phone || form.Get("email") != who.Email {
		t.Fatalf("the form has phone %q, e-mail %q; want them as sent", form.Get("phone"), form.Get("email"))
	}
	form.Set("phone", "12")
	if refused := c.post(path+"/book", form); refused.status != http.StatusUnprocessableEntity || len(s.bookings(t)) != 0 {
		t.Fatalf("a phone that was typed is answered with %d, and %d held; want 422 and none", refused.status, len(s.bookings(t)))
	}
	form.Set("phone", who.Phone)
	c.post(path+"/book", form).has("Held as")
}

// A passport that ends before travel is asked about once, and stands on the booking's page.
func TestHoldAsksAboutPassport(t *testing.T) {
	s := newSite(t)
	c := s.signedIn(t, gangway.Booker)
	const words = "The passport, valid to 2020-01-01, ends before travel."
	t.Run("of one traveller", func(t *testing.T) {
		c := c.in(t)
		path := "/searches/" + s.keep(t, maria).ID
		offer := c.get(path + "?wait=1").form(path + "/book").Get("offer")
		page := c.get(path + "/hold?offer=" + offer)
		page.lacks("Hold anyway")
		form := page.form(path + "/book")
		form.Set("doc_expire", "2020-01-01")
		asked := c.post(path+"/book", form)
		if asked.status != http.StatusConflict || len(s.bookings(t)) != 0 {
			t.Fatalf("the answer is %d, with %d held; want 409 and none", asked.status, len(s.bookings(t)))
		}
		asked.has("Nothing is held yet. "+words, "Hold anyway")
		form = asked.form(path + "/book")
		form.Set("doc_expire", "2021-01-01") // not the passport that was agreed to
		if again := c.post(path+"/book", form); again.status != http.StatusConflict {
			t.Fatalf("another passport is answered with %d; want 409", again.status)
		}
		c.post(path+"/book", asked.form(path+"/book")).has("Held as", words)
	})
	t.Run("of a whole crew", func(t *testing.T) {
		c := c.in(t)
		people := joiners()[1:]
		people[1].DocExpire = "2020-01-01"
		path := "/searches/" + s.keep(t, people...).ID
		form := c.get(path + "/book-all").form(path + "/book-all")
		agreed := url.Values{}
		for name, values := range form {
			agreed[name] = values
		}
		form.Del("m1.passport")
		before := len(s.bookings(t))
		asked := c.post(path+"/book-all", form)
		if asked.status != http.StatusConflict || len(s.bookings(t)) != before {
			t.Fatalf("the answer is %d, with %d held; want 409 and nobody", asked.status, len(s.bookings(t))-before)
		}
		asked.has("Some passports end before the last flight", words, `name="m1.passport"`)
		asked.lacks(`name="m0.passport"`)
		c.finish(c.post(path+"/book-all", agreed)).has("2 of 2 booked")
	})
}
