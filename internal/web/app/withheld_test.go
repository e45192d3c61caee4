package app_test

import (
	"strings"
	"testing"

	"gangway"
)

// TestPagesSayWhatIsNotIssued holds that no page promises to issue a booking
// automatically that is not what is planned any more, and that each says why.
func TestPagesSayWhatIsNotIssued(t *testing.T) {
	s := newSite(t)
	c := s.signedIn(t, gangway.Booker)
	people := sailors(2)
	s.upload(t, "2036-12-05", people)
	path := c.searchEverybody("BRU")
	c.get(path + "?wait=1")
	review := c.get(path + "/book-all").form(path + "/book-all")
	review.Set("unissued", "issue")
	c.finish(c.post(path+"/book-all", review))
	pages := func(b gangway.Booking) []string {
		return []string{"/bookings/" + b.ID, "/deadlines", "/bookings"}
	}
	for _, b := range s.bookings(t) {
		for _, at := range pages(b)[:2] {
			c.get(at).has(automatically)
		}
	}
	says := func(t *testing.T, words string) {
		t.Helper()
		for _, b := range s.bookings(t) {
			for _, at := range append(pages(b), "/bookings/"+b.ID+"/issue") {
				page := c.in(t).get(at)
				page.has(words)
				page.lacks(automatically)
				if at == "/deadlines" || at == "/bookings" {
					page.has(`class="misfit"`)
				}
				if strings.HasSuffix(at, b.ID) || at == "/deadlines" {
					page.has("Will not be issued automatically: ", "Should it fit the plan again", "Seats are let go on ")
				}
			}
		}
	}
	t.Run("the ship comes later", func(t *testing.T) {
		s.upload(t, "2036-12-08", people)
		says(t, "; the ship is there on Mon 8 Dec")
		if err := s.desk.Tick(t.Context()); err != nil {
			t.Fatal(err)
		}
		c.in(t).get("/attention").has("2 bookings need a person", "Not issued automatically: ", "; the ship is there on Mon 8 Dec", "issue it by hand, change it or cancel it")
	})
	t.Run("nobody needs them", func(t *testing.T) {
		s.upload(t, "2036-12-05", sailors(4)[2:])
		says(t, "no longer in this crew change")
	})
	t.Run("taken back", func(t *testing.T) {
		if _, err := production(s).DeleteCrewChange(t.Context(), "id:GEN-00"); err != nil {
			t.Fatal(err)
		}
		says(t, "the crew change was taken back")
	})
	t.Run("as it was, it is promised again", func(t *testing.T) {
		s.upload(t, "2036-12-05", people)
		b := s.bookings(t)[0]
		c.in(t).get("/bookings/" + b.ID).has(automatically)
		c.in(t).get("/deadlines").lacks("Will not be issued")
	})
}

// TestOwnDay holds that the day on which one traveller is wanted is not called
// the ship's.
func TestOwnDay(t *testing.T) {
	s := newSite(t)
	c := s.signedIn(t, gangway.Booker)
	people := sailors(1)
	people[0].Arrive = gangway.PortCall{Date: "2036-12-04"}
	s.upload(t, "2036-12-05", people)
	path := c.bookEverybody("BRU")
	c.get(path + "?wait=1").lacks("ship there on Thu 4 Dec")
	s.upload(t, "2036-12-05", people)
	c.post(path+"/move", map[string][]string{"airport": {"BRU"}, "date": {"2036-12-09"}})
	for _, at := range []string{path + "?wait=1", "/bookings/" + s.bookings(t)[0].ID} {
		page := c.get(at)
		page.has("; wanted there on Mon 8 Dec")
		page.lacks("the ship is there on Mon 8 Dec")
	}
}
