package app_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"gangway"
	"gangway/internal/store"
	"gangway/internal/store/storetest"
)

// crew are invented travellers.
var crew = []gangway.Traveller{
	{ID: "1", LastName: "SANTOS", FirstName: "MARIA CRISTINA", DOB: "1985-03-12", Nationality: "PH", Gender: "F", DocCountry: "PH", DocNumber: "P1234567A", DocExpire: "2037-01-30", HomeAirport: "MNL"},
	{ID: "2", LastName: "SANTIAGO", FirstName: "JOSE", DOB: "1979-11-02", Nationality: "PH", Gender: "M", DocCountry: "PH", DocNumber: "P1234568A", DocExpire: "2040-01-30", HomeAirport: "CEB"},
	{ID: "3", LastName: "ØSTERGÅRD", FirstName: "LARS", DOB: "1990-07-21", Nationality: "DK", Gender: "M", DocCountry: "DK", DocNumber: "201234567", DocExpire: "2039-05-01", HomeAirport: "CPH"},
}

// planCrew fills an account with the crew, two travel requests for 1 December 2036,
// one of them with a hotel, and a crew change on the 3rd.
func planCrew(t *testing.T, in store.Scoped) {
	t.Helper()
	if _, err := in.UpsertTravellers(t.Context(), crew); err != nil {
		t.Fatal(err)
	}
	vessel := &gangway.Vehicle{Name: "NORTHERN LIGHT", Flag: "PA", Type: "Vessel"}
	if _, err := in.UpsertTravelRequests(t.Context(), []gangway.TravelRequest{
		{
			RequestID: "TR 1&2", SubRequestID: "a/b", Traveller: crew[0], Rank: "Cook", Remarks: "Needs a visa letter",
			Flight: &gangway.FlightNeed{Origin: "MNL", Destination: "SIN", Date: "2036-12-01"}, Vehicle: vessel,
			Hotel: &gangway.HotelNeed{Location: "Singapore", CheckIn: "2036-12-02", CheckOut: "2036-12-04"},
		},
		{
			RequestID: "TR-2", Traveller: gangway.Traveller{LastName: "PEREIRA", FirstName: "ANA", Gender: "F"},
			Flight:  &gangway.FlightNeed{Origin: "LIS", Destination: "SIN", Date: "2036-12-01", Via: []gangway.Stop{{Airport: "DXB", Date: "2036-12-02"}}},
			Vehicle: &gangway.Vehicle{Name: "OCEAN PIONEER", Flag: "LR", Type: "Vessel"},
		},
	}); err != nil {
		t.Fatal(err)
	}
	if _, err := in.UpsertCrewChanges(t.Context(), []gangway.CrewChange{{
		Vessel: "NORTHERN LIGHT", Flag: "PA", ChangeDate: "2036-12-03",
		OnSigners:  []gangway.CrewMember{{Traveller: crew[0]}, {Traveller: crew[1]}},
		OffSigners: []gangway.CrewMember{{Traveller: crew[2]}},
	}}, storetest.Began); err != nil {
		t.Fatal(err)
	}
}

// started returns the search that the answer led to.
func started(t *testing.T, s *site, c *client, path string, form url.Values) gangway.Search {
	t.Helper()
	c.http.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	defer func() { c.http.CheckRedirect = nil }()
	a := c.post(path, form)
	id, ok := strings.CutPrefix(a.head.Get("Location"), "/searches/")
	if a.status != http.StatusSeeOther || !ok {
		t.Fatalf("POST %s = %d to %q; want a search\n%s", path, a.status, a.head.Get("Location"), a.body)
	}
	search, err := production(s).Search(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	return search
}

func TestRequests(t *testing.T) {
	s := newSite(t)
	planCrew(t, production(s))
	c := s.signedIn(t, gangway.Booker)

	t.Run("those of the chosen date are listed with vessel, rank, remarks and state", func(t *testing.T) {
		c := c.in(t)
		a := c.get("/requests?date=2036-12-01")
		a.shows("/requests?date=2036-12-01", "0 of 2 booked", "SANTOS, MARIA CRISTINA", "Cook", "NORTHERN LIGHT", "Needs a visa letter", "TR 1&amp;2", "not booked")
		c.get("/requests?date=2036-12-02").has("Nothing is planned", "curl "+s.url+"/api/travelers-requests")
		c.get("/requests?date=2036-11-28&week=on").has("0 of 2 booked")
	})
	t.Run("a vessel narrows them", func(t *testing.T) {
		c := c.in(t)
		a := c.get("/requests?date=2036-12-01&vessel=light")
		a.has("0 of 1 booked")
		a.lacks("PEREIRA")
	})
	t.Run("one click searches for what was asked, leg by leg", func(t *testing.T) {
		c := c.in(t)
		search := started(t, s, c, "/requests/search", url.Values{"only": {"request=TR-2&sub="}})
		m := search.Members[0]
		want := []gangway.Leg{{Origin: "LIS", Destination: "DXB", Date: "2036-12-01"}, {Origin: "DXB", Destination: "SIN", Date: "2036-12-02"}}
		if m.RequestID != "TR-2" || search.Vessel != "OCEAN PIONEER" || search.By != "booker@example.com" || len(m.Legs) != 2 || m.Legs[0] != want[0] || m.Legs[1] != want[1] {
			t.Fatalf("search = %+v", search)
		}
	})
	t.Run("requests of different vessels are not searched together", func(t *testing.T) {
		c := c.in(t)
		a := c.post("/requests/search", url.Values{"request": {"request=TR-2&sub=", "request=TR+1%262&sub=a%2Fb"}})
		if a.status != http.StatusBadRequest {
			t.Fatalf("status = %d; want 400", a.status)
		}
		a.has("one vessel at a time")
	})
	t.Run("a request that is gone says so", func(t *testing.T) {
		c := c.in(t)
		if a := c.post("/requests/search", url.Values{"only": {"request=gone&sub="}}); a.status != http.StatusNotFound {
			t.Fatalf("status = %d; want 404", a.status)
		}
	})
	t.Run("the other environment has none", func(t *testing.T) {
		c := s.signedIn(t, gangway.Booker)
		c.post("/environment", url.Values{"environment": {"development"}})
		c.get("/requests?date=2036-12-01").has("Nothing is planned")
	})
}

func TestCrewChanges(t *testing.T) {
	s := newSite(t)
	planCrew(t, production(s))
	c := s.signedIn(t, gangway.Booker)

	t.Run("a vessel and a span of days find it", func(t *testing.T) {
		c := c.in(t)
		c.get("/crew-changes?vessel=north").has("1 crew change · 0 of 3 travellers booked", "NORTHERN LIGHT", "Flights for all 3")
		c.get("/crew-changes?vessel=south").has("None are planned", "curl ")
		c.get("/crew-changes?from=2036-12-04").has("None are planned")
	})
	t.Run("all its members are searched for, to and from the airport of the change", func(t *testing.T) {
		c := c.in(t)
		search := started(t, s, c, "/crew-changes/search", url.Values{"key": {"on:2036-12-03:PA:NORTHERN LIGHT"}, "airport": {"sin"}})
		if len(search.Members) != 3 || search.Airport != "SIN" || search.Change != "on:2036-12-03:PA:NORTHERN LIGHT" {
			t.Fatalf("search = %+v", search)
		}
		on, off := search.Members[0], search.Members[2]
		if on.Legs[0] != (gangway.Leg{Origin: "MNL", Destination: "SIN", ArriveOn: "2036-12-03"}) || off.Legs[0] != (gangway.Leg{Origin: "SIN", Destination: "CPH", Date: "2036-12-03"}) {
			t.Fatalf("legs = %+v and %+v", on.Legs, off.Legs)
		}
	})
	t.Run("an airport that nobody knows is asked for again, beside its field", func(t *testing.T) {
		c := c.in(t)
		a := c.post("/crew-changes/search", url.Values{"key": {"on:2036-12-03:PA:NORTHERN LIGHT"}, "airport": {"Nowhereville"}})
		if a.status != http.StatusUnprocessableEntity {
			t.Fatalf("status = %d; want 422", a.status)
		}
		a.has("No airport, city or port is called this.", `value="Nowhereville"`)
	})
}

func TestHotels(t *testing.T) {
	s := newSite(t)
	planCrew(t, production(s))
	c := s.signedIn(t, gangway.Booker)
	key := url.Values{"request": {"TR 1&2"}, "sub": {"a/b"}}.Encode()

	c.get("/hotels").has("1 to be looked after · 0 handled", "SANTOS, MARIA CRISTINA", "Singapore", "Thu 4 Dec")
	a := c.post("/hotels/handled", url.Values{"key": {key}, "note": {" Village Hotel, ref 88213 "}, "back": {"/hotels?show=handled"}})
	a.shows("/hotels?show=handled", "Marked as handled", "0 to be looked after · 1 handled", "Village Hotel, ref 88213", "booker@example.com")
	c.get("/hotels").has("Nothing to do")

	a = c.post("/hotels/handled", url.Values{"key": {key}, "undo": {"yes"}, "back": {"/hotels"}})
	a.shows("/hotels", "to be looked after again", "1 to be looked after · 0 handled")

	if a := c.post("/hotels/handled", url.Values{"key": {"request=gone"}}); a.status != http.StatusNotFound {
		t.Fatalf("status = %d; want 404", a.status)
	}
	if a := c.post("/hotels/handled", url.Values{"key": {key}, "note": {strings.Repeat("x", 501)}}); a.status != http.StatusBadRequest {
		t.Fatalf("status = %d; want 400", a.status)
	}
}
