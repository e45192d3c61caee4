package flights_test

import (
	"net/http"
	"testing"

	"gangway/internal/gangway"
	"gangway/internal/web/app/apptest"
)

// TestAnotherContinentIsAsked holds that a flight to another continent than the vessel's crew changes and the
// traveller's home is held only once the booker has said that the place is meant.
func TestAnotherContinentIsAsked(t *testing.T) {
	s := apptest.NewSite(t)
	c := s.SignedIn(t, gangway.Booker)
	to := func(place gangway.Place) string {
		search := s.Keep(t, apptest.Maria)
		search.Members[0].Legs[0].Destination = place
		s.Save(t, search)
		return "/searches/" + search.ID
	}
	path := to("AKL")
	c.Post(path+"/book", c.Get(path).Form(path+"/book")).Has("Held as") // nothing is planned to compare with

	plan := []gangway.CrewChange{{Vessel: "Nordlys", TravelRequestID: "NOR-1", ChangeDate: "2036-12-02",
		ChangeAirport: "BRU", OnSigners: apptest.Sailors(1)}}
	apptest.Must(apptest.Production(s).UpsertCrewChanges(t.Context(), plan, apptest.Today))(t)
	path = to("AKL")
	form := c.Get(path).Has("Manila → Auckland").Form(path + "/book")
	asked := c.Post(path+"/book", form).Is(http.StatusConflict, "Nothing is held yet", "Auckland, New Zealand", `name="far"`)
	s.WantBookings(t, 1)
	form = asked.Form(path + "/book")
	form.Set("far", "SYD") // another place was confirmed
	c.Post(path+"/book", form).Is(http.StatusConflict, `name="far"`)
	form.Set("far", "AKL")
	c.Post(path+"/book", form).Has("Held as")

	for _, near := range []gangway.Place{"AMS", "SIN"} { // the ship's continent, and the traveller's own
		path = to(near)
		form := c.Get(path).Form(path + "/book")
		c.Post(path+"/book", form).Has("Held as")
	}
}
