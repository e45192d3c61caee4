package inbox_test

import (
	"html"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/store/storetest"
	"gangway/internal/web/app/apptest"
)

// keepBooking stores a booking on hold that leaves on a day.
func keepBooking(t *testing.T, in store.Scoped, b gangway.Booking, leaves time.Time) gangway.Booking {
	t.Helper()
	b.CreatedAt, b.CreatedBy, b.Supplier, b.Simulated = apptest.Today, "booker@example.com", "simulated", true
	b.Itinerary.Segments = []gangway.Segment{{Origin: "CPH", Destination: "SIN", Carrier: "SQ", FlightNumber: "351",
		Departure: leaves, Arrival: leaves.Add(12 * time.Hour)}}
	b.Price.Total = gangway.Money{Minor: 64000, Currency: "USD"}
	return storetest.Book(t, in, b)
}

// keepFound fills an account with one of each kind that is found.
func keepFound(t *testing.T, s *apptest.Site) {
	t.Helper()
	in := apptest.Production(s)
	apptest.PlanCrew(t, in)
	s.SendChanges(t, apptest.Today, gangway.CrewChange{Vessel: "GENOA STAR", Flag: "PA", TravelRequestID: "GEN-77",
		ChangeDate: "2036-12-05", ChangeAirport: "SIN", OnSigners: []gangway.CrewMember{{Traveller: apptest.Crew[2]}}})
	s.SendTravellers(t, gangway.Traveller{ID: "w", LastName: "王", FirstName: "小明"})
	soon := apptest.Today.AddDate(0, 0, 12)
	keepBooking(t, in, gangway.Booking{ID: "one", Locator: "K7Q2MX", PNRs: []string{"XYZ9AB"},
		Tickets: []string{"6182412345678"}, Passenger: apptest.Crew[2],
		Purpose: gangway.Purpose{Vessel: "Sea Sparrow", Flag: "NO"}}, soon)
	keepBooking(t, in, gangway.Booking{ID: "two", Locator: "M4TT3R", Purpose: gangway.Purpose{Vessel: "Nordlys"},
		Passenger: gangway.Traveller{LastName: "UNLISTED", FirstName: "PERSON", DOB: "1970-01-01"}}, soon)
	// Words of names, and what erasure finds people by, are written soon after an upload.
	for more := true; more; {
		words := apptest.Must(s.DB.WriteTravellerWords(t.Context()))(t)
		more = apptest.Must(s.DB.Trace(t.Context()))(t) || words
	}
}

func TestFindAnything(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		s := apptest.NewSiteOn(t, db)
		keepFound(t, s)
		tests := []struct{ name, typed, leads string }{
			{"a locator", "k7q2mx", "/bookings/one"},
			{"the start of our locator", "k7q", "/bookings/one"},
			{"the start of an airline's locator", "xyz9", "/bookings/one"},
			{"the start of a ticket number", "618-2412", "/bookings/one"},
			{"a traveller without a booking", "santi", "/travellers/id:2"},
			{"a traveller as tickets spell the name", "oesterg", "/travellers/id:3"},
			{"a traveller's identifier", "3", ""}, // one letter is too little
			{"a passenger who is not on record", "unlist", "/bookings/two"},
			{"a surname of one syllable", "王", "/travellers/id:w"},
			{"a vessel that has bookings only", "sparrow", "/vessels/Sea%20Sparrow"},
			{"a vessel that has crew changes only", "light", "/vessels/NORTHERN%20LIGHT"},
			{"the next crew change of a vessel", "northern",
				"/crew-changes/plan?key=on%3A2036-12-03%3APA%3Anorthern+light"},
			{"the start of a crew change's identifier", "gen-7", "/crew-changes/plan?key=id%3AGEN-77"},
			{"the start of a travel request's identifier", "tr 1", "/requests?date=2036-12-01"},
			{"a port", "rotterd", "/ports/NLRTM"},
		}
		desk, elsewhere := s.SignedIn(t, gangway.Booker), s.InDevelopment(t, gangway.Booker)
		stranger := apptest.ReportedClient(t, s, 1)
		for _, tt := range tests {
			path := "/suggest/anything?find=" + url.QueryEscape(tt.typed)
			if tt.leads == "" {
				desk.Get(path).Lacks("data-go")
				continue
			}
			leads := `data-go="` + tt.leads + `"`
			if found := html.UnescapeString(desk.Get(path).Body); !strings.Contains(found, leads) {
				t.Errorf("%s: %q does not lead to %s:\n%s", tt.name, tt.typed, tt.leads, found)
			}
			desk.Get(tt.leads).Is(http.StatusOK)
			if tt.name == "a port" {
				continue
			}
			// Nothing of an account is suggested to any other.
			elsewhere.Get(path).Lacks("data-go")
			stranger.Get(path).Lacks(leads)
		}
		for _, path := range []string{"/travellers/id:2", "/vessels/Sea%20Sparrow", "/vessels/NORTHERN%20LIGHT"} {
			elsewhere.Get(path).Is(http.StatusNotFound)
			stranger.Get(path).Is(http.StatusNotFound)
		}
		elsewhere.Get("/ports/SGSIN").Lacks("GENOA STAR")
		desk.Get("/ports/SGSIN").Has("GENOA STAR")
	})
}

func TestPersonPage(t *testing.T) {
	s := apptest.NewSite(t)
	keepFound(t, s)
	in := apptest.Production(s)
	namesake := gangway.Traveller{LastName: "ØSTERGÅRD", FirstName: "LARS", ID: "33", DOB: "1960-01-01"}
	past := keepBooking(t, in, gangway.Booking{ID: "past", Locator: "P4ST00", Passenger: apptest.Crew[2]},
		apptest.Today.AddDate(0, -2, 0))
	other := keepBooking(t, in, gangway.Booking{ID: "other", Locator: "0TH3R0", Passenger: namesake},
		apptest.Today.AddDate(0, 0, 3))
	c := s.SignedIn(t, gangway.Booker)

	c.Run("journeys past and next, and what is planned", func(t *testing.T, c *apptest.Client) {
		c.Get("/travellers/id:3").Has("1 journey ahead", "K7Q2MX", past.Locator, "GENOA STAR, on-signer", "GEN-77",
			`traveller=id%3A3"`, `href="/travellers/take-back?key=id%3A3"`).Lacks(other.Locator)
	})
	c.Run("the passport's number is masked, and an expired one says so", func(t *testing.T, c *apptest.Client) {
		who := apptest.Maria
		who.DocExpire = "2031-01-31"
		s.SendTravellers(t, who)
		c.Get("/travellers/id:"+url.PathEscape(who.ID)).Has(`data-state="expired"`, "••••67A").Lacks(who.DocNumber)
	})
	c.Run("an address of somebody without an identifier names nobody", func(t *testing.T, c *apptest.Client) {
		nobody := gangway.Traveller{LastName: "QUIROGA", FirstName: "INES", DOB: "1991-02-03"}
		s.SendTravellers(t, nobody)
		c.Get("/suggest/anything?find=quiroga").Has(`data-go="/travellers/ref:`).Lacks("1991-02-03\"")
	})
	c.Run("a booking leads to its traveller and its vessel", func(t *testing.T, c *apptest.Client) {
		c.Get("/bookings/one").Has(`href="/travellers/id:3"`, `href="/vessels/Sea%20Sparrow"`)
		c.Get("/bookings/two").Lacks(`href="/travellers/`)
	})
	c.Run("a vessel shows who travels for it", func(t *testing.T, c *apptest.Client) {
		c.Get("/vessels/sea%20sparrow").Has("<h1>Sea Sparrow</h1>", "K7Q2MX").Lacks("M4TT3R")
		c.Get("/vessels/genoa%20star").Has("1 crew change ahead", "GEN-77", "0 of 1")
		c.Get("/vessels/flying%20dutchman").Is(http.StatusNotFound)
	})
}
