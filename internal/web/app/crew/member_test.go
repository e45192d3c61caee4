package crew_test

import (
	"net/http"
	"net/url"
	"testing"

	"gangway/internal/web/app/apptest"

	"gangway/internal/gangway"
)

func TestMendMember(t *testing.T) {
	s := apptest.NewSite(t)
	c := s.SignedIn(t, gangway.Booker)
	search := gangway.Search{ID: "s1", By: "booker@example.com", CreatedAt: apptest.Today, Vessel: "NORTHERN LIGHT",
		Members: []gangway.SearchMember{
			{Traveller: apptest.Crew[0], Side: gangway.OnSigner},
			{
				Traveller: gangway.Traveller{ID: "7", LastName: "PEREIRA", FirstName: "ANA", HomeAirport: "LIS"},
				Side:      gangway.OnSigner,
				Legs:      []gangway.Leg{{Origin: "LIS", Destination: "SIN"}},
				Warnings:  []string{"The date of arrival is missing."},
			},
		}}
	s.Save(t, search)
	fine := url.Values{"last_name": {"PEREIRA"}, "first_name": {"ANA"}, "gender": {"F"}, "from": {"LIS Lisbon"},
		"to": {"SIN"}, "date": {"2036-12-03"}, "when": {"arrive"}, "time": {"18:00"}}

	c.Get("/searches/s1/members/1").Shows("/searches/s1/members/1", "PEREIRA, ANA", "1 field to correct by hand",
		"The date of arrival is missing.", `value="LIS Lisbon"`)

	wrong := url.Values{"last_name": {"PEREIRA"}, "from": {"LIS"}, "to": {"SIN"}, "date": {"soon"}}
	c.Post("/searches/s1/members/1", wrong).Is(http.StatusUnprocessableEntity, "a day such as 28 nov",
		"Letters and spaces, as in the passport.")

	c.Post("/searches/s1/members/1", fine)
	got := apptest.Must(apptest.Production(s).Search(t.Context(), "s1"))(t)
	m := got.Members[1]
	if len(m.Warnings) != 0 || m.Traveller.ID != "7" || m.Traveller.Gender != "F" ||
		m.Legs[0] != (gangway.Leg{Origin: "LIS", Destination: "SIN", ArriveOn: "2036-12-03", ArriveBy: "18:00"}) {
		t.Fatalf("member = %+v; want the member corrected", m)
	}

	for _, path := range []string{"/searches/s1/members/2", "/searches/s1/members/x", "/searches/gone/members/0"} {
		c.Get(path).Is(http.StatusNotFound)
	}
}
