package bookings_test

import (
	"net/url"
	"regexp"
	"strings"
	"testing"

	"gangway/internal/gangway"
	"gangway/internal/store/storetest"
	"gangway/internal/web/app/apptest"
	"gangway/internal/wire"
)

var flightKeys = regexp.MustCompile(`id="r-([^"]*)"`)

// The booking keeps the port that was asked for: where it is, the transfer by road, and when the
// traveller arrives there.
func TestPortStays(t *testing.T) {
	s := apptest.NewSite(t)
	c := s.SignedIn(t, gangway.Booker)
	always := gangway.Settings{Approval: gangway.ApprovalPolicy{Mode: gangway.ApproveAlways}}
	storetest.Settings(t, apptest.Production(s), always)
	path := "/searches/" + s.ToRotterdam(t).ID
	results := c.Get(path + "?wait=1&fare=marine&rule=change")
	// By way of Brussels, which is not the port's best airport.
	var brussels apptest.Answer
	for _, key := range flightKeys.FindAllStringSubmatch(results.Body, -1) {
		page := c.Get(path + "?wait=1&fare=marine&rule=change&open=" + key[1])
		if strings.Contains(page.Body, "by road from BRU to the port of Rotterdam") {
			brussels = page
			break
		}
	}
	if brussels.Body == "" {
		t.Fatal("no offer goes by way of BRU")
	}
	c.Post(path+"/book", brussels.Form(path+"/book")).Has("Held as")
	b := s.Bookings(t)[0]
	booking := "/bookings/" + b.ID
	last := b.Itinerary.Segments[len(b.Itinerary.Segments)-1]
	if last.Destination != "BRU" || b.Purpose.Port != "NLRTM" || len(b.Purpose.Between) != 1 ||
		b.Purpose.Between[0].ToRoad < 60 {
		t.Fatalf("the booking goes to %s for %+v; want BRU, the port and the road", last.Destination, b.Purpose)
	}
	const road = "by road from BRU to the port of Rotterdam, there "

	c.Get(booking).Has(road, "NLRTM port of Rotterdam")
	approver := s.SignedIn(t, gangway.Approver)
	approver.Get("/approvals").Has(road)
	approver.Post(booking+"/approve", url.Values{}).Has("Approved")
	c.Get(booking + "/issue").Has(road)

	t.Run("a change is looked for to all airports of the port", func(t *testing.T) {
		page := c.In(t).Get(booking+"/change?date0=2036-11-29").Has("MNL to the port of Rotterdam on", road)
		if !strings.Contains(page.Body, "from AMS to the port of Rotterdam") &&
			!strings.Contains(page.Body, "from RTM to the port of Rotterdam") {
			t.Fatal("the changes offered go to BRU only; want the port's other airports too")
		}
	})
	t.Run("the record names the port", func(t *testing.T) {
		doc, err := wire.Booking(b, nil)
		if err != nil || !strings.Contains(string(doc), `"crew_change_port":"NLRTM"`) {
			t.Fatalf("record = %s, %v; want crew_change_port", doc, err)
		}
	})
	c.Run("to an airport there is none", func(t *testing.T, c *apptest.Client) {
		storetest.Settings(t, apptest.Production(s), gangway.Settings{})
		c.Booked("fare=marine")
		for _, b := range s.Bookings(t) {
			doc, err := wire.Booking(b, nil)
			if b.Purpose.Port == "" && (err != nil || strings.Contains(string(doc), "crew_change_port") ||
				b.Purpose.Between != nil) {
				t.Fatalf("record = %s, %v, of %+v; want nothing invented", doc, err, b.Purpose)
			}
		}
	})
}
