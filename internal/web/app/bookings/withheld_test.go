package bookings_test

import (
	"strings"
	"testing"

	"gangway/internal/web/app/apptest"

	"gangway/internal/gangway"
)

// TestPagesSayWhatIsNotIssued holds that no page promises to issue a booking automatically when it
// no longer fits the plan, and that each says why.
func TestPagesSayWhatIsNotIssued(t *testing.T) {
	s := apptest.NewSite(t)
	c := s.SignedIn(t, gangway.Booker)
	people := apptest.Sailors(2)
	s.Upload(t, "2036-12-05", people)
	path := c.SearchEverybody("BRU")
	c.Get(path + "?wait=1")
	c.Finish(c.Post(path+"/book-all", c.Get(path+"/book-all").Form(path+"/book-all", "unissued", "issue")))
	pages := func(b gangway.Booking) []string {
		return []string{"/bookings/" + b.ID, "/deadlines?show=all", "/bookings"}
	}
	for _, b := range s.Bookings(t) {
		c.Get("/bookings/" + b.ID).Has(apptest.Automatically)
		c.Get("/deadlines?show=all").Has("issues itself")
	}
	says := func(t *testing.T, words string) {
		t.Helper()
		for _, b := range s.Bookings(t) {
			for _, at := range append(pages(b), "/bookings/"+b.ID+"/issue") {
				page := c.In(t).Get(at).Has(words).Lacks(apptest.Automatically, "issues itself")
				if !strings.HasSuffix(at, "/issue") {
					page.Has(`data-standing="too_early"`)
				}
				if strings.HasSuffix(at, b.ID) {
					page.Has("Will not be issued automatically: ", "If it fits the plan again",
						apptest.LetGo)
				}
			}
		}
	}
	t.Run("the ship comes later", func(t *testing.T) {
		s.Upload(t, "2036-12-08", people)
		says(t, " → ship 8 Dec")
		apptest.Done(t, s.Desk.Tick(t.Context()))
		c.In(t).Get("/").Has("3 things need you", "Not issued automatically: ",
			" → ship 8 Dec", "issue it by hand, change it or cancel it")
	})
	t.Run("as it was, it is promised again", func(t *testing.T) {
		s.Upload(t, "2036-12-05", people)
		b := s.Bookings(t)[0]
		c.In(t).Get("/bookings/" + b.ID).Has(apptest.Automatically)
		c.In(t).Get("/deadlines?show=all").Has("issues itself").Lacks("too_early")
	})
}

// TestOwnDay holds that a day on which one traveller is wanted is not called the ship's.
func TestOwnDay(t *testing.T) {
	s := apptest.NewSite(t)
	c := s.SignedIn(t, gangway.Booker)
	people := apptest.Sailors(1)
	people[0].Arrive = gangway.PortCall{Date: "2036-12-04"}
	s.Upload(t, "2036-12-05", people)
	path := c.BookEverybody("BRU")
	c.Get(path + "?wait=1").Lacks("ship there on Thu 4 Dec")
	s.Upload(t, "2036-12-05", people)
	c.Post(path+"/move", map[string][]string{"airport": {"BRU"}, "date": {"2036-12-09"}})
	for _, at := range []string{path + "?wait=1", "/bookings/" + s.Bookings(t)[0].ID} {
		c.Get(at).Has(" → wanted 8 Dec").Lacks("ship 8 Dec")
	}
}
