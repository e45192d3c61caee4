package app_test

import (
	"net/url"
	"regexp"
	"strings"
	"testing"

	"gangway"
	"gangway/internal/store/storetest"
	"gangway/internal/wire"
)

// toRotterdam keeps a search for Maria, who joins at the port of Rotterdam.
func (s *site) toRotterdam(t *testing.T) gangway.Search {
	t.Helper()
	search := s.keep(t, maria)
	search.Airport, search.Date = "NLRTM", "2036-12-01"
	search.Members[0].Side, search.Members[0].Legs[0].Destination = gangway.OnSigner, "NLRTM"
	if err := production(s).SaveSearch(t.Context(), search); err != nil {
		t.Fatal(err)
	}
	return search
}

var bookForms = regexp.MustCompile(`(?s)<details class="offer.*?</details>`)

// The port that was asked for stays with the booking: where it is, the road to
// it, and when the traveller is there.
func TestPortStays(t *testing.T) {
	s := newSite(t)
	c := s.signedIn(t, gangway.Booker)
	always := gangway.Settings{Approval: gangway.ApprovalPolicy{Mode: gangway.ApproveAlways}}
	storetest.Settings(t, production(s), always)
	path := "/searches/" + s.toRotterdam(t).ID
	results := c.get(path + "?wait=1&fare=marine&rule=change")
	// By way of Brussels, which is not the port's best airport.
	brussels := ""
	for _, offer := range bookForms.FindAllString(results.body, -1) {
		if strings.Contains(offer, "by road from BRU to the port of Rotterdam") {
			brussels = offer
			break
		}
	}
	if brussels == "" {
		t.Fatal("no offer goes by way of BRU")
	}
	only := results
	only.body = brussels
	c.post(path+"/book", only.form(path+"/book")).has("Held as")
	b := s.bookings(t)[0]
	booking := "/bookings/" + b.ID
	last := b.Itinerary.Segments[len(b.Itinerary.Segments)-1]
	if last.Destination != "BRU" || b.Purpose.Port != "NLRTM" || len(b.Purpose.Between) != 1 || b.Purpose.Between[0].ToRoad < 60 {
		t.Fatalf("the booking goes to %s for %+v; want BRU, the port and the road", last.Destination, b.Purpose)
	}
	const road = "by road from BRU to the port of Rotterdam, there "

	c.get(booking).has(road, "NLRTM port of Rotterdam")
	approver := s.signedIn(t, gangway.Approver)
	approver.get("/approvals").has(road)
	approver.post(booking+"/approve", url.Values{}).has("Approved")
	c.get(booking + "/issue").has(road)

	t.Run("a change is looked for to all airports of the port", func(t *testing.T) {
		page := c.in(t).get(booking + "/change?date0=2036-11-29")
		page.has("MNL to the port of Rotterdam on", road)
		if !strings.Contains(page.body, "from AMS to the port of Rotterdam") && !strings.Contains(page.body, "from RTM to the port of Rotterdam") {
			t.Fatal("the changes offered go to BRU only; want the port's other airports too")
		}
	})
	t.Run("the record names the port", func(t *testing.T) {
		doc, err := wire.Booking(b, nil)
		if err != nil || !strings.Contains(string(doc), `"crew_change_port":"NLRTM"`) {
			t.Fatalf("record = %s, %v; want crew_change_port", doc, err)
		}
	})
	t.Run("to an airport there is none", func(t *testing.T) {
		c := c.in(t)
		storetest.Settings(t, production(s), gangway.Settings{})
		c.booked("fare=marine")
		for _, b := range s.bookings(t) {
			doc, err := wire.Booking(b, nil)
			if b.Purpose.Port == "" && (err != nil || strings.Contains(string(doc), "crew_change_port") || b.Purpose.Between != nil) {
				t.Fatalf("record = %s, %v, of %+v; want nothing invented", doc, err, b.Purpose)
			}
		}
	})
}

// What was entered by hand says so, with the agency, and leads to no search that nobody made.
func TestEnteredSaysSo(t *testing.T) {
	s := newSite(t)
	c := s.signedIn(t, gangway.Booker)
	page := c.post("/bookings/enter", elsewhere(c.get("/bookings/enter").form("/bookings/enter").Get("id")))
	page.has("entered by hand, booked at Harbour Travel")
	page.lacks("The search")
}
