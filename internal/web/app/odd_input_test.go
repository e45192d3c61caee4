package app_test

import (
	"net/http"
	"net/url"
	"testing"

	"gangway/internal/web/app/apptest"

	"gangway/internal/gangway"
)

// TestOddInput types what uploads refuse: characters that cannot be seen and make one name
// look like another, and bytes that are not text. Nothing of it is kept.
func TestOddInput(t *testing.T) {
	s := apptest.NewSite(t)
	c := s.SignedIn(t, gangway.Booker)
	for name, odd := range map[string]string{
		"turned around": "SAN\u202eTOS", "an isolate": "SAN\u2066TOS", "a mark": "SANTOS\u200f",
		"a line separator":    "SAN\u2028TOS",
		"a control character": "SAN\x07TOS", "a new line": "SAN\nTOS", "nothing": "SAN\x00TOS", "no text": "SAN\xffTOS",
	} {
		c.Run(name, func(_ *testing.T, c *apptest.Client) {
			c.Post("/searches", url.Values{"last_name": {odd}, "first_name": {"MARIA"}, "from": {"MNL"}, "to": {"AMS"},
				"date": {"2036-12-01"}}).Is(http.StatusUnprocessableEntity)
			c.Post("/bookings/enter", url.Values{"vessel": {odd}}).Is(http.StatusUnprocessableEntity)
			c.Post("/sign-in", url.Values{"email": {odd}}).Is(http.StatusUnprocessableEntity)
			c.Get("/bookings?find=" + url.QueryEscape(odd)).Is(http.StatusUnprocessableEntity)
		})
	}
	c.Post("/bookings/enter", url.Values{"id": {"1"}, "tickets": {"618-2412345678\r\n\t618-2412345679"}}).
		Has("618-2412345679")
	// a joiner, as Persian names have
	c.Get("/bookings?find=%D9%85%DB%8C%E2%80%8C%D8%AE%D9%88%D8%A7%D9%87").Has("Bookings")
}
