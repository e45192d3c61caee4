package app_test

import (
	"net/http"
	"strings"
	"testing"

	"gangway"
)

// Before every hold one is told what the traveller has booked around the same
// days, and has to say that this is another journey.
func TestTwice(t *testing.T) {
	s := newSite(t)
	c := s.signedIn(t, gangway.Booker)
	c.booked("fare=marine")
	locator := s.bookings(t)[0].Locator

	t.Run("the main button", func(t *testing.T) {
		c := c.in(t)
		search := s.keep(t, maria)
		path := "/searches/" + search.ID
		results := c.get(path + "?wait=1")
		results.has("Booked around the same days already", locator, `required>This is another journey`)
		form := results.form(path + "/book")
		told := form.Get("other")
		form.Del("other")
		warned := c.post(path+"/book", form)
		if warned.status != http.StatusConflict || len(s.bookings(t)) != 1 {
			t.Fatalf("the answer is %d, with %d bookings; want the warning, and none made", warned.status, len(s.bookings(t)))
		}
		warned.has("Nothing is held yet", "Booked around the same days already", locator, "This is another journey")
		form.Set("other", "somebody-else")
		if again := c.post(path+"/book", form); again.status != http.StatusConflict {
			t.Fatalf("an acknowledgment of another booking is answered with %d; want 409", again.status)
		}
		if form = warned.form(path + "/book"); form.Get("other") != told || told == "" {
			t.Fatalf("the warning acknowledges %q, the results %q; want the booking in both", form.Get("other"), told)
		}
		c.post(path+"/book", form).has("Held as")
	})
	t.Run("the passenger page", func(t *testing.T) {
		c := c.in(t)
		search := s.keep(t, maria)
		path := "/searches/" + search.ID
		offer := c.get(path + "?wait=1").form(path + "/book").Get("offer")
		page := c.get(path + "/hold?offer=" + offer)
		page.has("Booked around the same days already", locator)
		form := page.form(path + "/book")
		form.Del("other")
		c.post(path+"/book", form).has("Nothing is held yet", "This is another journey")
		c.post(path+"/book", page.form(path+"/book")).has("Held as")
	})
	t.Run("a whole crew", func(t *testing.T) {
		c := c.in(t)
		search := s.keep(t, joiners()...)
		path := "/searches/" + search.ID
		review := c.get(path + "/book-all")
		form := review.form(path + "/book-all")
		form.Del("m0.other")
		before := len(s.bookings(t))
		warned := c.post(path+"/book-all", form)
		if warned.status != http.StatusConflict || len(s.bookings(t)) != before {
			t.Fatalf("the answer is %d, with %d made; want the warning, and nobody booked", warned.status, len(s.bookings(t))-before)
		}
		warned.has("Nobody was booked yet", `name="m0.other"`)
		warned.lacks(`name="m1.other"`)
		c.finish(c.post(path+"/book-all", warned.form(path+"/book-all"))).has("3 of 3 booked")
	})
	t.Run("a week later is another journey", func(t *testing.T) {
		c := c.in(t)
		search := s.keep(t, maria)
		search.Members[0].Legs[0].ArriveOn = "2036-12-11"
		if err := production(s).SaveSearch(t.Context(), search); err != nil {
			t.Fatal(err)
		}
		path := "/searches/" + search.ID
		page := c.get(path + "?wait=1")
		page.lacks("around the same days")
		c.post(path+"/book", page.form(path+"/book")).has("Held as")
	})
}

// What the fare forbids is not offered, and is refused whoever asks.
func TestNoChange(t *testing.T) {
	s := newSite(t)
	c := s.signedIn(t, gangway.Booker)
	search := s.keep(t, maria)
	path := "/searches/" + search.ID
	var form = c.get(path + "?wait=1&fare=public").form(path + "/book")
	c.post(path+"/book", form).has("Held as")
	b := s.bookings(t)[0]
	if b.Terms.Changes != gangway.NoChange {
		t.Fatalf("the cheapest public fare is %s; want one that forbids changes", b.Terms.Changes)
	}
	booking := "/bookings/" + b.ID
	page := c.get(booking)
	page.has("The fare allows no change")
	page.lacks(`"` + booking + `/change"`)
	for name, a := range map[string]answer{
		"the page": c.get(booking + "/change"), "with a day": c.get(booking + "/change?date0=2036-12-04"),
		"the form": c.post(booking+"/ask-change", map[string][]string{"offer": {"x"}}),
	} {
		if a.status != http.StatusConflict || !strings.Contains(a.body, "allows no change") {
			t.Errorf("%s is answered with %d; want 409 that says why", name, a.status)
		}
	}
}
