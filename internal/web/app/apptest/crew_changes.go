package apptest

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/store/storetest"
)

// Crew are invented travellers.
var Crew = []gangway.Traveller{
	{ID: "1", LastName: "SANTOS", FirstName: "MARIA CRISTINA", DOB: "1985-03-12", Nationality: "PH", Gender: "F",
		DocCountry: "PH", DocNumber: "P1234567A", DocExpire: "2037-01-30", HomeAirport: "MNL"},
	{ID: "2", LastName: "SANTIAGO", FirstName: "JOSE", DOB: "1979-11-02", Nationality: "PH", Gender: "M",
		DocCountry: "PH", DocNumber: "P1234568A", DocExpire: "2040-01-30", HomeAirport: "CEB"},
	{ID: "3", LastName: "ØSTERGÅRD", FirstName: "LARS", DOB: "1990-07-21", Nationality: "DK", Gender: "M",
		DocCountry: "DK", DocNumber: "201234567", DocExpire: "2039-05-01", HomeAirport: "CPH"},
}

// PlanCrew fills an account with the crew, two travel requests for 1 December 2036,
// one of them with a hotel, and a crew change on the 3rd.
func PlanCrew(t *testing.T, in store.Scoped) {
	t.Helper()
	Must(in.UpsertTravellers(t.Context(), Crew))(t)
	vessel := &gangway.Vehicle{Name: "NORTHERN LIGHT", Flag: "PA", Type: "Vessel"}
	if _, err := in.UpsertTravelRequests(t.Context(), []gangway.TravelRequest{
		{
			RequestID: "TR 1&2", SubRequestID: "a/b", Traveller: Crew[0], Rank: "Cook", Remarks: "Needs a visa letter",
			Flight: &gangway.FlightNeed{Origin: "MNL", Destination: "SIN", Date: "2036-12-01"}, Vehicle: vessel,
			Hotel: &gangway.HotelNeed{Location: "Singapore", CheckIn: "2036-12-02", CheckOut: "2036-12-04"},
		},
		{
			RequestID: "TR-2", Traveller: gangway.Traveller{LastName: "PEREIRA", FirstName: "ANA", Gender: "F"},
			Flight: &gangway.FlightNeed{Origin: "LIS", Destination: "SIN", Date: "2036-12-01",
				Via: []gangway.Stop{{Airport: "DXB", Date: "2036-12-02"}}},
			Vehicle: &gangway.Vehicle{Name: "OCEAN PIONEER", Flag: "LR", Type: "Vessel"},
		},
	}); err != nil {
		t.Fatal(err)
	}
	if _, err := in.UpsertCrewChanges(t.Context(), []gangway.CrewChange{{
		Vessel: "NORTHERN LIGHT", Flag: "PA", ChangeDate: "2036-12-03",
		OnSigners:  []gangway.CrewMember{{Traveller: Crew[0]}, {Traveller: Crew[1]}},
		OffSigners: []gangway.CrewMember{{Traveller: Crew[2]}},
	}}, storetest.Began); err != nil {
		t.Fatal(err)
	}
}

// Started returns the search that the answer led to.
func Started(t *testing.T, s *Site, c *Client, path string, form url.Values) gangway.Search {
	t.Helper()
	c.HTTP.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	defer func() { c.HTTP.CheckRedirect = nil }()
	a := c.Post(path, form)
	id, ok := strings.CutPrefix(a.Head.Get("Location"), "/searches/")
	if a.Status != http.StatusSeeOther || !ok {
		t.Fatalf("POST %s = %d to %q; want a search\n%s", path, a.Status, a.Head.Get("Location"), a.Body)
	}
	search := Must(Production(s).Search(t.Context(), id))(t)
	return search
}

// Joiners is three people who join, from different places.
func Joiners() []gangway.Traveller {
	juan, piotr := Maria, Maria
	juan.ID, juan.DocNumber, juan.LastName, juan.HomeAirport = "C-1002", "P1234567B", "Dela Cruz", "CEB"
	piotr.ID, piotr.DocNumber, piotr.LastName, piotr.HomeAirport = "C-1003", "P1234567C", "Kowalski", "GDN"
	return []gangway.Traveller{Maria, juan, piotr}
}

// Finish follows the batch on a page until it is finished.
func (c *Client) Finish(page Answer) Answer {
	c.t.Helper()
	ctx, cancel := context.WithTimeout(c.t.Context(), Patience)
	defer cancel()
	for strings.Contains(page.Body, "data-stream=") {
		if ctx.Err() != nil {
			c.t.Fatalf("the batch never ends:\n%s", page.Body)
		}
		page = c.Get(page.Path)
	}
	return page
}

// Sailors returns n people with different home airports.
func Sailors(n int) []gangway.CrewMember {
	var list []gangway.CrewMember
	for i := range n {
		who := Maria
		who.ID, who.LastName = fmt.Sprintf("S-%d", i), "Sailor"+string(rune('a'+i))
		who.DocNumber = fmt.Sprintf("P%07d", i)
		who.HomeAirport = []gangway.Airport{"MNL", "CEB", "GDN", "BOM"}[i%4]
		list = append(list, gangway.CrewMember{Traveller: who})
	}
	return list
}

// Upload sends a crew change of eight, or fewer: the first five join, the others leave.
func (s *Site) Upload(t *testing.T, date gangway.Date, people []gangway.CrewMember) {
	t.Helper()
	c := gangway.CrewChange{Vessel: "GENOA STAR", Flag: "PA", TravelRequestID: "GEN-00", ChangeDate: date}
	for _, m := range people {
		if Number(strings.TrimPrefix(m.ID, "S-")) < 5 {
			c.OnSigners = append(c.OnSigners, m)
		} else {
			c.OffSigners = append(c.OffSigners, m)
		}
	}
	Must(Production(s).UpsertCrewChanges(t.Context(), []gangway.CrewChange{c}, Today))(t)
}

// BookEverybody looks for flights for the crew change and books all of them.
func (c *Client) BookEverybody(airport string) (path string) {
	c.t.Helper()
	path = c.SearchEverybody(airport)
	c.Get(path + "?wait=1")
	review := c.Get(path + "/book-all")
	c.Finish(c.Post(path+"/book-all", review.Form(path+"/book-all")))
	return path
}

// SearchEverybody starts a search for everybody in the crew change.
func (c *Client) SearchEverybody(airport string) (path string) {
	c.t.Helper()
	path, _, _ = strings.Cut(c.Post("/crew-changes/search", url.Values{"key": {"id:GEN-00"}, "airport": {airport}}).
		Path, "?")
	return path
}

// Number reads a number.
func Number(s string) (n float64) {
	fmt.Sscan(s, &n)
	return n
}
