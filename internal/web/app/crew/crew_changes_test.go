package crew_test

import (
	"net/http"
	"net/url"
	"testing"

	"gangway/internal/web/app/apptest"

	"gangway/internal/gangway"
)

func TestCrewChanges(t *testing.T) {
	s := apptest.NewSite(t)
	apptest.PlanCrew(t, apptest.Production(s))
	c := s.SignedIn(t, gangway.Booker)

	c.Run("a vessel and a span of days find it", func(t *testing.T, c *apptest.Client) {
		c.Get("/crew-changes?vessel=north").Has("1 crew change · 0 of 3 travellers booked", "NORTHERN LIGHT",
			"Flights for all 3")
		c.Get("/crew-changes?vessel=south").Has("None are planned", "curl ")
		c.Get("/crew-changes?from=2036-12-04").Has("None are planned")
	})
	c.Run("all its members are searched for", func(t *testing.T, c *apptest.Client) {
		search := apptest.Started(t, s, c, "/crew-changes/search",
			url.Values{"key": {"on:2036-12-03:PA:northern light"}, "airport": {"sin"}})
		if len(search.Members) != 3 || search.Airport != "SIN" || search.Change != "on:2036-12-03:PA:northern light" {
			t.Fatalf("search = %+v", search)
		}
		on, off := search.Members[0], search.Members[2]
		if on.Legs[0] != (gangway.Leg{Origin: "MNL", Destination: "SIN", ArriveOn: "2036-12-03"}) || off.Legs[0] !=
			(gangway.Leg{Origin: "SIN", Destination: "CPH", Date: "2036-12-03"}) {
			t.Fatalf("legs = %+v and %+v", on.Legs, off.Legs)
		}
	})
	c.Run("an airport that nobody knows is asked for again, beside its field", func(t *testing.T, c *apptest.Client) {
		c.Post("/crew-changes/search", url.Values{"key": {"on:2036-12-03:PA:northern light"},
			"airport": {"Nowhereville"}}).Is(http.StatusUnprocessableEntity,
			"No airport, city or port is called this.", `value="Nowhereville"`)
	})
}
