package app_test

import (
	"html"
	"net/url"
	"strings"
	"testing"

	"gangway"
	"gangway/internal/book/flight"
)

// lost has the supplier's own desk cancel a booking, and the automated user notice it.
func (c *client) lost(id string) {
	c.t.Helper()
	in := c.site.db.In(c.site.production.Scope())
	b, err := in.Booking(c.t.Context(), id)
	if err != nil {
		c.t.Fatal(err)
	}
	var sells flight.Supplier = c.site.sells.For(in.Ledger(), 0)
	quote, err := sells.QuoteCancel(c.t.Context(), b.Order)
	if err == nil {
		_, err = sells.Cancel(c.t.Context(), b.Order, quote.ID)
	}
	if err == nil {
		err = c.site.desk.Nudge(c.t.Context(), in, b.Supplier, b.Order)
	}
	if err == nil {
		err = c.site.desk.Tick(c.t.Context())
	}
	if err != nil {
		c.t.Fatal(err)
	}
}

func TestNeedsPerson(t *testing.T) {
	c := newSite(t).signedIn(t, gangway.Booker)
	c.get("/attention").has("No booking needs a person", "Nothing to look into")
	c.get("/").lacks("Needs a person")
	path := c.booked("")
	id := strings.TrimPrefix(path, "/bookings/")
	c.lost(id)
	b, err := production(c.site).Booking(t.Context(), id)
	if err != nil || b.State != gangway.Cancelled || !b.Attention.Open() {
		t.Fatalf("the booking is %s, attention %+v, %v", b.State, b.Attention, err)
	}
	c.get("/").has("Needs a person")
	c.get("/attention").has("1 booking needs a person", b.Locator, html.EscapeString(b.Attention.Why))
	c.get(path).has(html.EscapeString(b.Attention.Why), "I have seen to it")
	c.post(path+"/handled", url.Values{"back": {"list"}}).shows("/attention", "No booking needs a person", b.Locator+": noted that you have seen to it.")
	seen := c.get(path)
	seen.has(html.EscapeString(b.Attention.Why), "saw to it")
	seen.lacks("I have seen to it")
	c.post(path+"/handled", nil).shows(path, "needs nobody to look at it")
}
