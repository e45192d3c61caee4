package app_test

import (
	"strings"
	"testing"

	"gangway"
)

// TestStaleSearch holds that a search counts the crew change as it is now, in
// its head and everywhere below, however many of it the search knows.
func TestStaleSearch(t *testing.T) {
	s := newSite(t)
	c := s.signedIn(t, gangway.Booker)
	people := sailors(8)
	s.upload(t, "2036-12-05", people[:6]) // five join, one leaves
	path := c.bookEverybody("BRU")
	chips := func(page answer) string {
		_, ship, _ := strings.Cut(page.body, `class="row ship"`)
		ship, _, _ = strings.Cut(ship, "</div>")
		return ship
	}
	look := func(t *testing.T, head string, badges ...string) answer {
		t.Helper()
		page := c.in(t).get(path + "?wait=1")
		page.has(head)
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
		look(t, "6 of 6 booked", "Joining 5", "Leaving 1").lacks("not in this search")
	})
	t.Run("uploaded with two more", func(t *testing.T) {
		s.upload(t, "2036-12-05", people)
		look(t, "6 of 8 booked; 2 are not in this search", "Joining 5", "Leaving 3")
	})
	t.Run("booked from another search, those two count as well", func(t *testing.T) {
		c := c.in(t)
		c.bookEverybody("BRU")
		look(t, "8 of 8 booked; 2 are not in this search", "Joining 5", "Leaving 3")
		c.get("/crew-changes?from=2036-12-01").has("8 of 8 travellers booked")
	})
	t.Run("uploaded with fewer", func(t *testing.T) {
		s.upload(t, "2036-12-05", people[:3])
		look(t, "3 of 3 booked", "Joining 3").has("2 no longer needed")
	})
}

// TestMarginIsSaid holds that the page of a crew says how far from the ship's
// day a booking still fits.
func TestMarginIsSaid(t *testing.T) {
	s := newSite(t)
	c := s.signedIn(t, gangway.Booker)
	s.upload(t, "2036-12-05", sailors(8))
	c.get(c.searchEverybody("BRU")+"?wait=1").has("or the day before; who leaves sets out on that day, or the day after", "a night more")
}
