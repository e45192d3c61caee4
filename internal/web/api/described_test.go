package api_test

import (
	"net/http"
	"testing"

	"gangway/internal/describe/describetest"
)

// held passes requests on to a surface, and holds each request and answer against how the surface describes itself.
// The bookings of these tests are bare; those of the program are held in cmd/gangway.
func held(t testing.TB, surface http.Handler) http.Handler {
	d := describetest.Of(t, surface)
	d.Bare = true
	return d.Held(t, surface)
}
