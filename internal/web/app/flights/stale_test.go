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
	chips := func(page apptest.Answer) string {
		_, ship, _ := strings.Cut(page.Body, `class="row ship"`)
		ship, _, _ = strings.Cut(ship, "</div>")
		return ship
	}
	look := func(t *testing.T, head string, badges ...string) apptest.Answer {
		t.Helper()
		page := c.In(t).Get(path + "?wait=1").Has(head)
		for _, b := range badges {
			if !strings.Contains(chips(page), `<span class="badge">`+b+`</span>`) {
				t.Errorf("the head's line is %s; want %q in it", chips(page), b)
			}
		}
		if n := strings.Count(chips(page), `class="badge"`); n != len(badges) {
			t.Errorf("%d counts stand beside the ship; want %d", n, len(badges))
		}
		return page
	}
	t.Run("as it was looked for", func(t *testing.T) {
		look(t, "6 of 6 booked", "Joining 5", "Leaving 1").Lacks("not in this search")
	})
	t.Run("uploaded with two more", func(t *testing.T) {
		s.Upload(t, "2036-12-05", people)
		look(t, "6 of 8 booked; 2 are not in this search", "Joining 5", "Leaving 3")
	})
	c.Run("booked from another search, those two count as well", func(t *testing.T, c *apptest.Client) {
		c.BookEverybody("BRU")
		look(t, "8 of 8 booked; 2 are not in this search", "Joining 5", "Leaving 3")
		c.Get("/crew-changes?from=2036-12-01").Has("8 of 8 travellers booked")
	})
	t.Run("uploaded with fewer", func(t *testing.T) {
		s.Upload(t, "2036-12-05", people[:3])
		look(t, "3 of 3 booked", "Joining 3").Has("2 no longer needed")
	})
}

// TestMarginIsSaid holds that the page of a crew change says how far from the ship's day a
// booking still fits.
func TestMarginIsSaid(t *testing.T) {
	s := apptest.NewSite(t)
	c := s.SignedIn(t, gangway.Booker)
	s.Upload(t, "2036-12-05", apptest.Sailors(8))
	c.Get(c.SearchEverybody("BRU")+"?wait=1").Has("or the day before; who leaves sets out on that day, or the day "+
		"after", "a night more")
}
