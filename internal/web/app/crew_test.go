package app_test

import (
	"context"
	"net/http"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"gangway"
)

// joiners is three people who join, from different places.
func joiners() []gangway.Traveller {
	juan, piotr := maria, maria
	juan.ID, juan.DocNumber, juan.LastName, juan.HomeAirport = "C-1002", "P1234567B", "Dela Cruz", "CEB"
	piotr.ID, piotr.DocNumber, piotr.LastName, piotr.HomeAirport = "C-1003", "P1234567C", "Kowalski", "GDN"
	return []gangway.Traveller{maria, juan, piotr}
}

// finish follows the batch that a page shows until all is done.
func (c *client) finish(page answer) answer {
	c.t.Helper()
	ctx, cancel := context.WithTimeout(c.t.Context(), 30*time.Second)
	defer cancel()
	for strings.Contains(page.body, "data-stream=") {
		if ctx.Err() != nil {
			c.t.Fatalf("the batch never ends:\n%s", page.body)
		}
		page = c.get(page.path)
	}
	return page
}

func TestCrewChange(t *testing.T) {
	s := newSite(t)
	c := s.signedIn(t, gangway.Booker)
	search := s.keep(t, joiners()...)
	path := "/searches/" + search.ID

	t.Run("one row for each, with a flight proposed", func(t *testing.T) {
		page := c.in(t).get(path + "?wait=1")
		page.has("Nordlys", "Amsterdam, Netherlands", "Santos, Maria", "Dela Cruz, Maria", "Kowalski, Maria", "0 of 3 booked · 3 ready to book", "proposed", "to spare", "Book all 3…")
	})
	t.Run("the results come as a stream, each row once, and its end counts them", func(t *testing.T) {
		page := c.in(t).get(path + "/stream")
		if got := page.head.Get("Content-Type"); got != "text/event-stream" {
			t.Fatalf("content type is %q", got)
		}
		page.has("event: end", `data: <header class="head" id="head">`, `id="m-0"`, `id="m-2"`, "3 ready to book")
	})
	t.Run("another flight is chosen and stays chosen", func(t *testing.T) {
		page := c.in(t).get(path + "?member=1")
		page.has("Dela Cruz, Maria:", "Choose this flight", "/members/1")
		keys := regexp.MustCompile(`name="key" value="([^"]*)"`).FindAllStringSubmatch(page.body, -1)
		form := page.form(path + "/choose")
		form.Set("key", keys[3][1])
		form.Set("query", "member=1&fare=public")
		chosen := c.in(t).post(path+"/choose", form)
		if chosen.path != path+"?fare=public&member=1" {
			t.Fatalf("choosing led to %s; want the page as it was", chosen.path)
		}
		c.in(t).get(path+"?wait=1").has("chosen", "proposed")
	})
	t.Run("it says who could be there around the day, and at another port, and moves nobody", func(t *testing.T) {
		c.in(t).get(path+"?wait=1").has("Who could be there", "Sun 30 Nov", "Mon 1 Dec", "Tue 2 Dec", "all 3 can make it")
		late := c.in(t).post(path+"/move", url.Values{"airport": {"NLRTM"}, "date": {"2036-11-21"}, "step": {"compare"}, "query": {"stops=1"}})
		late.shows(path+"/move", `value="NLRTM port of Rotterdam"`, `value="2036-11-21"`, `id="move" open`, "Thu 20 Nov", "Sat 22 Nov", "of 3 can make it", `value="1" checked`)
		same, err := production(s).Search(t.Context(), search.ID)
		if err != nil || same.Airport != "AMS" || same.Date != "2036-12-01" || same.Members[0].Legs[0].Destination != "AMS" {
			t.Fatalf("search = %+v, %v; want it as it was", same, err)
		}
	})
	t.Run("who cannot be there by then is said so", func(t *testing.T) {
		late := s.keep(t, joiners()...)
		for i := range late.Members {
			late.Members[i].Legs[0].ArriveOn, late.Members[i].Legs[0].ArriveBy = "2036-11-20", "18:00"
		}
		if err := production(s).SaveSearch(t.Context(), late); err != nil {
			t.Fatal(err)
		}
		c.in(t).get("/searches/"+late.ID+"?wait=1").has("No flights found.", "cannot be there by then", "without a flight")
	})
	t.Run("to a port, the way from its airports is counted", func(t *testing.T) {
		other := s.keep(t, joiners()...)
		page := c.in(t).post("/searches/"+other.ID+"/move", url.Values{"airport": {"NLRTM"}, "date": {"2036-12-01"}})
		page = c.in(t).get(page.path + "?wait=1&member=0")
		page.has("NLRTM port of Rotterdam", "by road from AMS to the port of Rotterdam", "by road included", "port of Rotterdam; the table below says the same")
	})
	t.Run("the ship moves, and everybody with it", func(t *testing.T) {
		other := s.keep(t, joiners()...)
		c.in(t).post("/searches/"+other.ID+"/move", url.Values{"airport": {"SIN"}, "date": {"2036-12-03"}}).has("Singapore", "Wed 3 Dec")
		moved, err := production(s).Search(t.Context(), other.ID)
		if err != nil || moved.Members[2].Legs[0].Destination != "SIN" || moved.Members[2].Legs[0].ArriveOn != "2036-12-03" {
			t.Fatalf("search = %+v, %v; want all to be at SIN on the 3rd", moved.Members, err)
		}
		if page := c.in(t).post("/searches/"+other.ID+"/move", url.Values{"airport": {"Atlantis"}, "date": {"2036-12-03"}}); page.status != http.StatusUnprocessableEntity {
			t.Fatalf("a place that is none is answered with %d; want 422", page.status)
		} else {
			page.has(`value="Atlantis"`, "No airport, city or port is called this.")
		}
	})
}

func TestBookAll(t *testing.T) {
	s := newSite(t)
	c := s.signedIn(t, gangway.Booker)

	t.Run("everything is quoted, then booked; sent twice it is booked once", func(t *testing.T) {
		search := s.keep(t, joiners()...)
		path := "/searches/" + search.ID
		review := c.in(t).get(path + "/book-all")
		review.has("3 travellers, priced just now", "Total for 3 travellers", "Hold all 3, USD", "Leave out")
		form := review.form(path + "/book-all")
		result := c.in(t).finish(c.in(t).post(path+"/book-all", form))
		result.has("3 of 3 booked", "confirmed")
		again := c.in(t).post(path+"/book-all", form)
		if again.path != result.path {
			t.Fatalf("the second time led to %s; want %s", again.path, result.path)
		}
		if n := len(s.bookings(t)); n != 3 {
			t.Fatalf("%d bookings were made; want 3", n)
		}
		c.in(t).get(path + "?wait=1").has("3 of 3 booked")
		c.in(t).get(path + "/book-all").has("There is nobody left to book")
		c.in(t).get(path + "/batches/another").shows(path)
	})
	t.Run("one failure never stops the others", func(t *testing.T) {
		search := s.keep(t, joiners()...)
		path := "/searches/" + search.ID
		review := c.in(t).get(path + "/book-all")
		review.has("Booked around the same days already", ", MNL →") // by the search before
		form := review.form(path + "/book-all")
		form.Set("m1.price", "USD 1.00")
		result := c.in(t).finish(c.in(t).post(path+"/book-all", form))
		result.has("2 of 3 booked", "1 to look at", "The price is now", "Choose another flight", path+"?member=1")
	})
	t.Run("who is left out is not booked", func(t *testing.T) {
		search := s.keep(t, joiners()...)
		path := "/searches/" + search.ID
		review := c.in(t).get(path + "/book-all?without=0&without=2")
		review.has("Left out", "Take in again", "Total for 1 traveller", "Hold 1 flight")
		c.in(t).finish(c.in(t).post(path+"/book-all", review.form(path+"/book-all"))).has("1 of 1 booked")
	})
	t.Run("what is missing of anybody is asked for before anybody is booked", func(t *testing.T) {
		people := joiners()
		people[1].DOB = ""
		search := s.keep(t, people...)
		path := "/searches/" + search.ID
		before := len(s.bookings(t))
		review := c.in(t).get(path + "/book-all")
		review.has(`name="m1.dob"`)
		form := review.form(path + "/book-all")
		form.Set("m1.dob", "30.04.1990")
		wrong := c.in(t).post(path+"/book-all", form)
		if wrong.status != http.StatusUnprocessableEntity || len(s.bookings(t)) != before {
			t.Fatalf("the answer is %d with %d bookings; want 422 and none made", wrong.status, len(s.bookings(t))-before)
		}
		wrong.has("Nobody was booked yet", `value="30.04.1990"`, "A date, as in")
		form = wrong.form(path + "/book-all")
		form.Set("m1.dob", "1990-04-30")
		c.in(t).finish(c.in(t).post(path+"/book-all", form)).has("3 of 3 booked")
	})
	t.Run("a form that is not ours", func(t *testing.T) {
		search := s.keep(t, joiners()...)
		for i, form := range []url.Values{{}, {"batch": {"r"}}, {"batch": {"r"}, "member": {"7"}}, {"batch": {"r"}, "member": {"0"}}} {
			if page := c.in(t).post("/searches/"+search.ID+"/book-all", form); page.status < 400 || page.status >= 500 {
				t.Errorf("form %s is answered with %d; want a refusal", strconv.Itoa(i), page.status)
			}
		}
	})
}
