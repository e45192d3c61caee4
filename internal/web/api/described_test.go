package api_test

import (
	"net/http"
	"sync"
	"testing"

	"gangway/internal/describe/describetest"
	"gangway/internal/web/api"
)

var descriptions sync.Map // by api.Limits: surfaces with the same limits describe themselves alike

// held passes requests on to a surface, and holds each request and answer against how surfaces with its limits describe
// themselves. The bookings of these tests are bare; those of the program are held in cmd/gangway.
func held(t testing.TB, limits api.Limits, surface http.Handler) http.Handler {
	d, known := descriptions.Load(limits)
	if !known {
		made := describetest.Of(t, surface)
		made.Bare = true
		d, _ = descriptions.LoadOrStore(limits, made)
	}
	return d.(*describetest.Description).Held(t, surface)
}
