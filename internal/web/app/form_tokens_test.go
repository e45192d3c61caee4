package app_test

import (
	"net/http"
	"net/url"
	"testing"

	"gangway"
)

// TestIdentifiersAreGiven sends forms with identifiers of the sender's own
// choice, or given to somebody else or for something else: nothing is booked,
// what was typed stays, and the page that comes back can be sent.
func TestIdentifiersAreGiven(t *testing.T) {
	s := newSite(t)
	c, colleague := s.signedIn(t, gangway.Booker), s.signedIn(t, gangway.Approver)
	one, other := s.keep(t, maria), s.keep(t, maria)
	path := "/searches/" + one.ID
	given := func(c *client, path, action string) string { return c.get(path).form(action).Get("id") }
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
			c := c.in(t)
			form := c.get(path).form(path + "/book")
			form.Set("id", id)
			form.Set("phone", "+63 900 000 0000")
			page := c.post(path+"/book", form)
			if page.status != http.StatusConflict || len(s.bookings(t)) != 0 {
				t.Fatalf("the answer is %d with %d bookings; want 409 and none", page.status, len(s.bookings(t)))
			}
			page.has("open for too long, or was made for something else", "Nothing was done", "63 900 000 0000")
		})
	}
	t.Run("an entry", func(t *testing.T) {
		c := c.in(t)
		for _, id := range []string{"1", "", given(colleague, "/bookings/enter", "/bookings/enter"), given(c, path, path+"/book")} {
			page := c.post("/bookings/enter", elsewhere(id))
			if page.status != http.StatusConflict || len(s.bookings(t)) != 0 {
				t.Fatalf("the answer is %d with %d bookings; want 409 and none", page.status, len(s.bookings(t)))
			}
			page.has("Nothing was done", "OKAFOR", "618-2412345678")
		}
	})
	t.Run("a whole crew", func(t *testing.T) {
		c := c.in(t)
		crew := s.keep(t, joiners()...)
		path := "/searches/" + crew.ID
		swapped := func(form url.Values) { form["m0.id"], form["m1.id"] = form["m1.id"], form["m0.id"] }
		for name, forge := range map[string]func(url.Values){
			"its batch is chosen":         func(form url.Values) { form.Set("batch", "1") },
			"an identifier is chosen":     func(form url.Values) { form.Set("m1.id", "1") },
			"identifiers change places":   swapped,
			"an offer is another's":       func(form url.Values) { form.Set("m1.offer", form.Get("m0.offer")) },
			"nobody's identifier is left": func(form url.Values) { form.Del("m0.id") },
		} {
			form := c.get(path + "/book-all").form(path + "/book-all")
			forge(form)
			page := c.post(path+"/book-all", form)
			if page.status != http.StatusConflict || len(s.bookings(t)) != 0 {
				t.Fatalf("%s: %d with %d bookings; want 409 and none", name, page.status, len(s.bookings(t)))
			}
			page.has("Nobody was booked")
		}
		c.finish(c.post(path+"/book-all", c.get(path+"/book-all").form(path+"/book-all"))).has("3 of 3 booked")
	})
	t.Run("the page that comes back books, and twice is once", func(t *testing.T) {
		c := c.in(t)
		before := len(s.bookings(t))
		search := s.keep(t, maria)
		search.Members[0].Legs[0].ArriveOn = "2036-12-21"
		if err := production(s).SaveSearch(t.Context(), search); err != nil {
			t.Fatal(err)
		}
		path := "/searches/" + search.ID
		form := c.get(path + "?wait=1").form(path + "/book")
		form.Set("id", "1")
		form = c.post(path+"/book", form).form(path + "/book")
		first := c.post(path+"/book", form)
		first.has("Held as")
		if again := c.post(path+"/book", form); again.path != first.path || len(s.bookings(t)) != before+1 {
			t.Fatalf("the same form again ends at %s with %d bookings; want %s and one", again.path, len(s.bookings(t))-before, first.path)
		}
	})
}

// TestOffersAreFound books offers that were found for something else: another
// search, other fares, another traveller. None is held, and none is shown.
func TestOffersAreFound(t *testing.T) {
	s := newSite(t)
	c := s.signedIn(t, gangway.Booker)
	seafarer := s.keep(t, maria)
	marine := c.get("/searches/" + seafarer.ID + "?wait=1&fare=marine").form("/searches/" + seafarer.ID + "/book").Get("offer")
	plain := gangway.Search{ID: "plain", By: "booker@example.com", CreatedAt: today, Members: []gangway.SearchMember{seafarer.Members[0]}}
	plain.Members[0].FareType = gangway.Public
	if err := production(s).SaveSearch(t.Context(), plain); err != nil {
		t.Fatal(err)
	}
	refused := func(t *testing.T, search, offer string) {
		t.Helper()
		path, c := "/searches/"+search, c.in(t)
		form := c.get(path + "?wait=1").form(path + "/book")
		form.Set("offer", offer)
		page := c.post(path+"/book", form)
		if page.status != http.StatusConflict || len(s.bookings(t)) != 0 {
			t.Fatalf("the answer is %d with %d bookings; want 409 and none", page.status, len(s.bookings(t)))
		}
		page.has("was not found for this traveller and this search", "Nothing was booked", "Search again")
		c.get(path+"/hold?offer="+url.QueryEscape(offer)).has("was not found for this traveller", "Search again")
	}
	t.Run("a seafarer's fare for somebody who is none", func(t *testing.T) { refused(t, plain.ID, marine) })
	t.Run("made up", func(t *testing.T) { refused(t, seafarer.ID, "sim-1") })
	t.Run("without its mark", func(t *testing.T) {
		refused(t, seafarer.ID, marine[:len(marine)-25])
	})
	t.Run("once somebody else is to fly", func(t *testing.T) {
		changed := seafarer
		changed.Members = append([]gangway.SearchMember(nil), seafarer.Members...)
		changed.Members[0].Traveller.FirstName, changed.Members[0].Traveller.DOB = "PEDRO", "1990-01-01"
		if err := production(s).SaveSearch(t.Context(), changed); err != nil {
			t.Fatal(err)
		}
		refused(t, seafarer.ID, marine)
	})
	t.Run("a change that was found for another booking", func(t *testing.T) {
		c := c.in(t)
		first, second := c.booked("fare=marine&rule=change"), c.booked("fare=marine&rule=change")
		offer := c.get(first + "/change?date0=2036-12-05").form(first + "/ask-change").Get("offer")
		for _, forged := range []string{offer, "x", ""} {
			page := c.post(second+"/ask-change", url.Values{"offer": {forged}, "date0": {"2036-12-05"}})
			if page.status != http.StatusConflict {
				t.Fatalf("the answer is %d; want 409", page.status)
			}
			page.has("were not found for a change of this booking", `value="2036-12-05"`)
		}
		c.post(first+"/ask-change", url.Values{"offer": {offer}}).has("Other flights are chosen")
	})
}
