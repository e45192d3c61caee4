package gangway_test

import (
	"testing"

	"gangway/internal/gangway"
)

// TestLoggedPath holds that no log has what opens an itinerary, or a key.
func TestLoggedPath(t *testing.T) {
	for path, want := range map[string]string{
		"/i/ABCDEFGHIJKLMNOPQRSTUVWXYZ":                    "/i/…",
		"/crew/i/ABCDEFGHIJKLMNOPQRSTUVWXY2/itinerary.pdf": "/crew/i/…/itinerary.pdf",
		"/bookings/gw_live_7Gd2xyz":                        "/bookings/gw_live_…",
		"/itinerary/link":                                  "/itinerary/link",
		"/invitations/2f9c/":                               "/invitations/…/",
	} {
		if got := gangway.LoggedPath(path); got != want {
			t.Errorf("%s is logged as %s; want %s", path, got, want)
		}
	}
}
