package shell_test

import (
	"net/http"
	"testing"

	"gangway/internal/web/app/apptest"

	"gangway/internal/gangway"
)

func TestStreamPlaces(t *testing.T) {
	s := apptest.NewGatedSite(t)
	c := s.SignedIn(t, gangway.Booker)
	path := "/searches/" + s.Keep(t, apptest.Maria).ID + "/stream"
	for range 24 {
		c.OpenStream(path)
	}
	if a := c.Get(path); a.Status != http.StatusTooManyRequests || a.Head.Get("Retry-After") == "" {
		t.Errorf("one stream too many of one person = %d, Retry-After %q; want 429 with one", a.Status,
			a.Head.Get("Retry-After"))
	}
	s.SignedIn(t, gangway.Approver).OpenStream(path) // others are not held up
}
