package bookings_test

import (
	"html"
	"net/url"
	"strings"
	"testing"

	"gangway/internal/gangway"
	"gangway/internal/web/app/apptest"
)

func TestNeedsPerson(t *testing.T) {
	c := apptest.NewSite(t).SignedIn(t, gangway.Booker)
	c.Get("/attention").Has("No booking needs a person", "Nothing to look into")
	c.Get("/").Lacks("Needs a person")
	path := c.Booked("")
	id := strings.TrimPrefix(path, "/bookings/")
	c.Lost(id)
	b, err := apptest.Production(c.Site).Booking(t.Context(), id)
	if err != nil || b.State != gangway.Cancelled || !b.Attention.Open() {
		t.Fatalf("the booking is %s, attention %+v, %v", b.State, b.Attention, err)
	}
	c.Get("/").Has("Needs a person")
	c.Get("/attention").Has("1 booking needs a person", b.Locator, html.EscapeString(b.Attention.Why))
	c.Get(path).Has(html.EscapeString(b.Attention.Why), ">Done<")
	c.Post(path+"/handled", url.Values{"back": {"list"}}).Shows("/attention", "No booking needs a person", b.Locator+
		": marked as seen to.")
	seen := c.Get(path).Has(html.EscapeString(b.Attention.Why), "Done by ")
	seen.Lacks(">Done<")
	c.Post(path+"/handled", nil).Shows(path, "needs nobody to look at it")
}
