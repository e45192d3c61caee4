package flights_test

import (
	"strings"
	"testing"

	"gangway/internal/web/app/apptest"

	"gangway/internal/gangway"
)

// TestStaleSearch holds that a search's page counts the crew change as it is now, in its
// head and everywhere below, however many of its members the search has.
func TestStaleSearch(t *testing.T) {
	s := apptest.NewSite(t)
	c := s.SignedIn(t, gangway.Booker)
	people := apptest.Sailors(8)
	s.Upload(t, "2036-12-05", people[:6]) // five join, one leaves
	path := c.BookEverybody("BRU")
	look := func(t *testing.T, head string, groups ...string) apptest.Answer {
		t.Helper()
		page := c.In(t).Get(path + "?wait=1").Has(head)
		for _, g := range groups {
			page.Has(`scope="colgroup">` + g + ` <`)
		}
		people, _, _ := strings.Cut(page.Body, `class="beside"`)
		if n := strings.Count(people, `scope="colgroup"`); n != len(groups) {
			t.Errorf("there are %d groups; want %d", n, len(groups))
		}
		return page
	}
	t.Run("as it was looked for", func(t *testing.T) {
		look(t, "6 booked: 6 on hold (free to release)", "On-signers 5", "Off-signers 1").Lacks("not in this search")
	})
	t.Run("uploaded with two more", func(t *testing.T) {
		s.Upload(t, "2036-12-05", people)
		look(t, "6 booked: 6 on hold (free to release) · 2 not booked · 2 not in this search", "On-signers 5",
			"Off-signers 3")
	})
	c.Run("booked from another search, those two count as well", func(t *testing.T, c *apptest.Client) {
		c.BookEverybody("BRU")
		look(t, "8 booked: 8 on hold (free to release) · 2 not in this search", "On-signers 5", "Off-signers 3")
		c.Get("/crew-changes?from=2036-12-01").Has("8 of 8 travellers booked")
	})
	t.Run("uploaded with fewer", func(t *testing.T) {
		s.Upload(t, "2036-12-05", people[:3])
		look(t, "8 booked: 8 on hold (free to release) · 5 removed", "On-signers 3")
	})
}

// TestMarginIsSaid holds that the page of a crew change says how far from the ship's day a
// booking still fits.
func TestMarginIsSaid(t *testing.T) {
	s := apptest.NewSite(t)
	c := s.SignedIn(t, gangway.Booker)
	s.Upload(t, "2036-12-05", apptest.Sailors(8))
	c.Get(c.SearchEverybody("BRU")+"?wait=1").Has("one night more than planned", "from noon of the ship’s day")
}
