package crew_test

import (
	"net/http"
	"net/url"
	"strings"
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
			"Choose port…")
		c.Get("/crew-changes/plan?key=on:2036-12-03:PA:northern+light").Has("Find flights (3)", "not booked")
		c.Get("/crew-changes?vessel=south").Has("None are planned", "curl ")
		c.Get("/crew-changes?from=2036-12-04").Has("None are planned")
	})
	c.Run("what is due soon and not booked is marked", func(t *testing.T, c *apptest.Client) {
		for _, days := range []int{3, 6} {
			s.SendChanges(t, apptest.Today, gangway.CrewChange{Vessel: "NEAR", Flag: "PA", TravelRequestID: "near",
				ChangeDate: gangway.DateOf(apptest.Today).AddDays(days), OnSigners: apptest.Sailors(1)})
			c.Get("/crew-changes?vessel=near").Has(map[int]string{
				3: `class="act"><span class="sign" aria-hidden="true">!</span> in 3 days`, 6: `class="watch">in 6 days`}[days])
		}
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
		s.SendChanges(t, apptest.Today, gangway.CrewChange{Vessel: "SECOND", Flag: "PA", TravelRequestID: "second",
			ChangeDate: "2036-12-02", OnSigners: apptest.Sailors(1)})
		c.Post("/searches/"+search.ID+"/move", url.Values{"airport": {"SIN"}, "date": {"2036-12-01"}})
		list := c.Get("/crew-changes?from=2036-12-01").Body
		if strings.Index(list, "NORTHERN LIGHT") > strings.Index(list, "SECOND") {
			t.Error("a ship that was moved is listed by the date it had before")
		}
	})
	c.Run("an airport that nobody knows is asked for again, beside its field", func(t *testing.T, c *apptest.Client) {
		c.Post("/crew-changes/search", url.Values{"key": {"on:2036-12-03:PA:northern light"},
			"airport": {"Nowhereville"}}).Is(http.StatusUnprocessableEntity,
			"No airport, city or port is called this.", `value="Nowhereville"`)
	})
}
