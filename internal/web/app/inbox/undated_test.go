package inbox_test

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"gangway/internal/web/app/apptest"

	"gangway/internal/gangway"
)

// TestUndated holds that travel requests without a date are listed before the others, counted, and
// found by vessel.
func TestUndated(t *testing.T) {
	s := apptest.NewSite(t)
	apptest.PlanCrew(t, apptest.Production(s))
	vessel := &gangway.Vehicle{Name: "NORTHERN LIGHT", Flag: "PA"}
	if _, err := apptest.Production(s).UpsertTravelRequests(t.Context(), []gangway.TravelRequest{
		{RequestID: "TR-7", Traveller: apptest.Crew[1], Vehicle: vessel, Flight: &gangway.FlightNeed{Origin: "CEB",
			Destination: "SIN"}, Hotel: &gangway.HotelNeed{Location: "Jurong"}},
		{RequestID: "TR-8", Traveller: apptest.Crew[2], Hotel: &gangway.HotelNeed{Location: "Bedok",
			CheckOut: "2036-12-09"}},
		{RequestID: "TR-9", Traveller: apptest.Crew[2], Hotel: &gangway.HotelNeed{Location: "Changi",
			CheckIn: "2036-12-02"}},
	}); err != nil {
		t.Fatal(err)
	}
	c := s.SignedIn(t, gangway.Booker)

	c.Run("on the page of requests, whatever the day", func(t *testing.T, c *apptest.Client) {
		a := c.Get("/requests?date=2036-12-01")
		a.Has("0 of 2 booked", "1 without a date yet", "No date yet", "SANTIAGO, JOSE",
			"Fill in the date for SANTIAGO, JOSE", `href="/book?request=TR-7&amp;sub="`)
		if strings.Index(a.Body, "SANTIAGO, JOSE") > strings.Index(a.Body, "SANTOS, MARIA") {
			t.Error("the request without a date stands after those with one")
		}
		c.Get("/requests?date=2036-11-11&week=on").Has("No requests", "1 without a date yet", "SANTIAGO, JOSE",
			"no date yet")
	})
	c.Run("found by vessel", func(t *testing.T, c *apptest.Client) {
		c.Get("/requests?date=2036-12-01&vessel=light").Has("SANTIAGO, JOSE")
		c.Get("/requests?date=2036-12-01&vessel=%25").Lacks("SANTIAGO, JOSE")
		c.Get("/requests?date=2036-12-01&vessel=pioneer").Lacks("SANTIAGO, JOSE", "without a date")
	})
	c.Run("offered where flights are booked, and filled in without a date", func(t *testing.T, c *apptest.Client) {
		c.Get("/book?on=2036-11-11").Has("0 travel requests for Tue 11 Nov 2036 · 1 without a date yet", "No date yet",
			"SANTIAGO, JOSE", `href="/book?request=TR-7&amp;sub=&amp;on=2036-11-11"`)
		c.Get("/book?request=TR-7&sub=").Has(`value="CEB Cebu`, `value="SIN Singapore"`)
	})
	c.Run("on the page of hotels, by what was done about them", func(t *testing.T, c *apptest.Client) {
		a := c.Get("/hotels?from=2036-12-01&to=2036-12-05")
		a.Has("4 to arrange · 0 arranged", "2 without a date yet", "Jurong", "Bedok", "Changi",
			`datetime="2036-12-02"`, "no date yet", "No date yet", "Tue 9 Dec")
		if strings.Index(a.Body, "Bedok") > strings.Index(a.Body, "Singapore") || strings.Contains(a.Body, "-") &&
			strings.Contains(a.Body, `data-label="Nights">-`) {
			t.Error("hotels without a date do not stand first, or have nights that nobody knows")
		}
		c.Post("/hotels/handled", url.Values{"key": {"request=TR-8&sub="}, "back": {"/hotels"}})
		c.Get("/hotels?from=2036-12-01&to=2036-12-05").Lacks("Bedok")
		c.Get("/hotels?from=2036-12-01&to=2036-12-05&show=handled").Has("3 to arrange · 1 arranged", "Bedok")
	})
	t.Run("once it has one, on its day alone", func(t *testing.T) {
		if _, err := apptest.Production(s).UpsertTravelRequests(t.Context(), []gangway.TravelRequest{
			{RequestID: "TR-7", Traveller: apptest.Crew[1], Vehicle: vessel, Flight: &gangway.FlightNeed{Origin: "CEB",
				Destination: "SIN", Date: "2036-12-01"}},
		}); err != nil {
			t.Fatal(err)
		}
		c := c.In(t)
		a := c.Get("/requests?date=2036-12-01").Has("0 of 3 booked")
		a.Lacks("without a date")
		c.Get("/requests?date=2036-12-02").Lacks("SANTIAGO, JOSE")
	})
	t.Run("more than fit are counted", func(t *testing.T) {
		var many []gangway.TravelRequest
		for i := range 60 {
			many = append(many, gangway.TravelRequest{RequestID: fmt.Sprintf("U-%02d", i), Traveller: apptest.Crew[0],
				Flight: &gangway.FlightNeed{Origin: "MNL", Destination: "SIN"}})
		}
		s.SendRequests(t, many...)
		c := c.In(t)
		a := c.Get("/requests?date=2036-12-01")
		a.Has("60 without a date yet", "the first 50; 10 more", "U-49")
		a.Lacks("U-50")
		a = c.Get("/book?on=2036-12-01")
		a.Has("60 without a date yet", "55 more")
		a.Lacks("U-05")
	})
}

// TestDatesInNoOrder holds that a person fills in the days if those that were sent make no sense.
func TestDatesInNoOrder(t *testing.T) {
	s := apptest.NewSite(t)
	if _, err := apptest.Production(s).UpsertTravelRequests(t.Context(), []gangway.TravelRequest{
		{RequestID: "TR-1", Traveller: apptest.Crew[0], Flight: &gangway.FlightNeed{Origin: "MNL", Destination: "SIN",
			Date: "2036-12-02", Via: []gangway.Stop{{Airport: "DXB", Date: "2036-12-01"},
				{Airport: "LHR", Date: "2036-12-04"}}}},
		{RequestID: "TR-2", Traveller: apptest.Crew[1], Flight: &gangway.FlightNeed{Origin: "CEB", Destination: "SIN",
			Date: "2036-12-02", Via: []gangway.Stop{{Airport: "DXB", Date: "2036-12-01"}}}},
	}); err != nil {
		t.Fatal(err)
	}
	c := s.SignedIn(t, gangway.Booker)
	c.Get("/requests?date=2036-12-01").Has("0 of 2 booked", "in no order", "SANTIAGO, JOSE")
	search := apptest.Started(t, s, c, "/requests/search", url.Values{"only": {"request=TR-1&sub="}})
	if m := search.Members[0]; len(m.Legs) != 3 || m.Legs[0].Date != "" || len(m.Warnings) != 1 ||
		!strings.Contains(m.Warnings[0], "in no order") {
		t.Errorf("member = %+v; want three legs without dates, and why", m)
	}
	if a := c.Get("/searches/" + search.ID); a.Status != http.StatusOK || !strings.Contains(a.Body, "in no order") {
		t.Errorf("the results do not say why there are none")
	}
	search = apptest.Started(t, s, c, "/requests/search", url.Values{"only": {"request=TR-2&sub="}})
	if legs := search.Members[0].Legs; len(legs) != 2 || legs[0].Date != "2036-12-01" || legs[1].Date != "2036-12-02" {
		t.Errorf("legs = %+v; want the flight to DXB on the 1st and the last one on the 2nd", legs)
	}
}
