package app_test

import (
	"net/http"
	"testing"

	"gangway"
)

func TestStreamPlaces(t *testing.T) {
	sells, err := network()
	if err != nil {
		t.Fatal(err)
	}
	s := newSiteOf(t, sells, newGate())
	c := s.signedIn(t, gangway.Booker)
	path := "/searches/" + s.keep(t, maria).ID + "/stream"
	for range 24 {
		c.openStream(path)
	}
	if a := c.get(path); a.status != http.StatusTooManyRequests || a.head.Get("Retry-After") == "" {
		t.Errorf("one stream too many of one person = %d, Retry-After %q; want 429 with one", a.status, a.head.Get("Retry-After"))
	}
	s.signedIn(t, gangway.Approver).openStream(path) // others are not held up
}
