package shell_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/web/app/apptest"
)

// Whoever signs in lands where the data is that they look for: an integrator who has sent records with a development
// key is not shown an empty production.
func TestSignInLandsWhereTheDataIs(t *testing.T) {
	const nothingReal = "Development: nothing here is real"
	send := func(t *testing.T, in store.Scoped) {
		t.Helper()
		apptest.Must(in.UpsertTravellers(t.Context(), []gangway.Traveller{apptest.Maria}))(t)
	}
	s := apptest.NewSite(t)

	s.SignedIn(t, gangway.Booker).Get("/").Lacks(nothingReal) // nothing anywhere: production
	send(t, apptest.Development(s))
	s.SignedIn(t, gangway.Booker).Get("/").Has(nothingReal)

	c := s.SignedIn(t, gangway.Booker)
	form := c.Get("/bookings/enter").Form("/bookings/enter")
	booking, _, _ := strings.Cut(c.Post("/bookings/enter", apptest.Elsewhere(form.Get("id"))).Path, "?")

	send(t, apptest.Production(s))
	t.Run("production once it is used", func(t *testing.T) {
		s.SignedIn(t, gangway.Booker).Get("/").Lacks(nothingReal)
	})
	t.Run("a link to a booking leads to where it is", func(t *testing.T) {
		c := s.Client(t)
		c.Get(booking).Shows("/sign-in?to="+url.QueryEscape(booking), "Sign in")
		c.Post("/sign-in", url.Values{"email": {"booker@example.com"}, "password": {apptest.Password},
			"to": {booking}}).Shows(booking, nothingReal)
	})
	t.Run("who is signed in elsewhere is told, and led there", func(t *testing.T) {
		c := s.SignedIn(t, gangway.Booker)
		c.Get(booking).Is(http.StatusNotFound, "It is in Development.", "Open it there")
		there := url.Values{"environment": {"development"}, "back": {booking}}
		c.Post("/environment", there).Shows(booking, nothingReal)
		c.Get("/bookings/nothing").Lacks("It is in", "Open it there")
	})
}
