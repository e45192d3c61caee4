package inbox_test

import (
	"net/url"
	"strings"
	"testing"

	"gangway/internal/web/app/apptest"

	"gangway/internal/gangway"
)

// TestRequestMoved compares bookings with travel requests that were sent again.
func TestRequestMoved(t *testing.T) {
	s := apptest.NewSite(t)
	c := s.SignedIn(t, gangway.Booker)
	send := func(t *testing.T, to gangway.Airport, date gangway.Date) {
		t.Helper()
		if _, err := apptest.Production(s).UpsertTravelRequests(t.Context(), []gangway.TravelRequest{{
			RequestID: "TR-7", Traveller: apptest.Maria, Flight: &gangway.FlightNeed{Origin: "MNL", Destination: to,
				Date: date},
		}}); err != nil {
			t.Fatal(err)
		}
	}
	send(t, "SIN", "2036-12-01")
	found := c.Post("/requests/search", url.Values{"only": {"request=TR-7&sub="}})
	path, _, _ := strings.Cut(found.Path, "?")
	c.Post(path+"/book", c.Get(path+"?wait=1").Form(path+"/book")).Has("Held as")
	booking := "/bookings/" + s.Bookings(t)[0].ID

	c.Get("/requests?date=2036-12-01").Has("1 of 1 booked")
	c.Get(booking).Lacks("old plan")

	t.Run("another day", func(t *testing.T) {
		send(t, "SIN", "2036-12-04")
		c.In(t).Get("/requests?date=2036-12-04").
			Has("0 of 1 booked as planned · 1 booked for the old plan", "Leaves 1 Dec → requested 4 Dec")
		c.In(t).Get(booking).Has("Leaves 1 Dec → requested 4 Dec")
	})
	t.Run("as it was", func(t *testing.T) {
		send(t, "SIN", "2036-12-01")
		c.In(t).Get("/requests?date=2036-12-01").Has("1 of 1 booked").Lacks("requested 4 Dec")
	})
	t.Run("taken back", func(t *testing.T) {
		apptest.Must(apptest.Production(s).DeleteTravelRequests(t.Context(), "TR-7", nil))(t)
		c.In(t).Get("/requests?date=2036-12-01").Has("1 booking of a withdrawn request",
			"Santos, Maria", s.Bookings(t)[0].Locator)
		c.In(t).Get("/requests?date=2036-12-02").Lacks("taken back")
		c.In(t).Get(booking).Has("Request withdrawn")
	})
}
