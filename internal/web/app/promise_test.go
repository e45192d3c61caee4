package app_test

import (
	"fmt"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"gangway"
)

// sailors is n people of different homes.
func sailors(n int) []gangway.CrewMember {
	var list []gangway.CrewMember
	for i := range n {
		who := maria
		who.ID, who.LastName = fmt.Sprintf("S-%d", i), "Sailor"+string(rune('a'+i))
		who.DocNumber = fmt.Sprintf("P%07d", i)
		who.HomeAirport = []gangway.Airport{"MNL", "CEB", "GDN", "BOM"}[i%4]
		list = append(list, gangway.CrewMember{Traveller: who})
	}
	return list
}

// upload sends a crew change of eight, or fewer: the first five join, the others leave.
func (s *site) upload(t *testing.T, date gangway.Date, people []gangway.CrewMember) {
	t.Helper()
	c := gangway.CrewChange{Vessel: "GENOA STAR", Flag: "PA", TravelRequestID: "GEN-00", ChangeDate: date}
	for _, m := range people {
		if number(strings.TrimPrefix(m.ID, "S-")) < 5 {
			c.OnSigners = append(c.OnSigners, m)
		} else {
			c.OffSigners = append(c.OffSigners, m)
		}
	}
	if _, err := production(s).UpsertCrewChanges(t.Context(), []gangway.CrewChange{c}, today); err != nil {
		t.Fatal(err)
	}
}

// bookEverybody looks for flights for the crew change and books all of them.
func (c *client) bookEverybody(airport string) (path string) {
	c.t.Helper()
	path = c.searchEverybody(airport)
	c.get(path + "?wait=1")
	review := c.get(path + "/book-all")
	c.finish(c.post(path+"/book-all", review.form(path+"/book-all")))
	return path
}

func (c *client) searchEverybody(airport string) (path string) {
	c.t.Helper()
	path, _, _ = strings.Cut(c.post("/crew-changes/search", url.Values{"key": {"id:GEN-00"}, "airport": {airport}}).path, "?")
	return path
}

var ticks = regexp.MustCompile(`✓|badge good|class="flown good"`)

// ticked returns the ticks in the rows of people and in the timeline.
func ticked(page answer) int {
	_, rows, _ := strings.Cut(page.body, `<div id="crew"`)
	rows, _, _ = strings.Cut(rows, `Bookings that the plan has no use for`)
	_, head, _ := strings.Cut(rows, `</details>`) // after the days on which all could be there
	return len(ticks.FindAllString(head, -1))
}

// A tick is a promise: it stands only where a booking was held against the plan
// of today, and fits.
func TestShipMoved(t *testing.T) {
	s := newSite(t)
	c := s.signedIn(t, gangway.Booker)
	people := sailors(8)
	s.upload(t, "2036-12-05", people)
	path := c.bookEverybody("BRU")
	list := "/crew-changes?from=2036-12-01"

	fits := func(t *testing.T, path string) {
		t.Helper()
		page := c.in(t).get(path + "?wait=1")
		page.has("8 of 8 booked", "to spare")
		page.lacks("not fit the plan", "no longer", "The ship is now")
		if ticked(page) == 0 {
			t.Fatal("nothing is ticked; want what fits ticked")
		}
		c.in(t).get(list).has("all 8", "8 of 8 travellers booked")
	}
	t.Run("booked as planned", func(t *testing.T) { fits(t, path) })

	// nothingFits fails the test unless no row promises anything, for the plan has another day and place.
	nothingFits := func(t *testing.T, path string, texts ...string) answer {
		t.Helper()
		page := c.in(t).get(path + "?wait=1")
		page.has(texts...)
		if n := ticked(page); n != 0 {
			t.Fatalf("%d ticks stand where nothing fits:\n%s", n, page.body)
		}
		page.lacks("to spare")
		return page
	}

	t.Run("uploaded anew three days later, with two people dropped", func(t *testing.T) {
		s.upload(t, "2036-12-08", append(people[:4:4], people[5:7]...))
		page := nothingFits(t, path, "0 of 6 booked as planned · 6 do not fit the plan · 2 no longer needed",
			"; the ship is there on Mon 8 Dec", "The ship is now at BRU on Mon 8 Dec; these flights were looked for at BRU on Fri 5 Dec.",
			"no longer in this crew change", "Bookings that the plan has no use for", "Sailore, Maria", "Sailorh, Maria")
		for _, b := range s.bookings(t) {
			if b.Passenger.LastName == "Sailore" || b.Passenger.LastName == "Sailorh" {
				_, beside, _ := strings.Cut(page.body, "Bookings that the plan has no use for")
				if !strings.Contains(beside, b.Locator) || !strings.Contains(beside, "/bookings/"+b.ID) {
					t.Errorf("%s is not named beside the plan with %s and a way to it", b.Passenger.LastName, b.Locator)
				}
				c.in(t).get("/bookings/" + b.ID).has("no longer in this crew change")
				continue
			}
			// Each row has the flight's own day, never the plan's in its stead.
			page.has(b.Itinerary.Departure().Format("Mon 2 Jan"))
			c.in(t).get("/bookings/"+b.ID).has("the ship is there on Mon 8 Dec", "does not fit the plan")
		}
		c.in(t).get(list).has("0 of 6", "6 do not fit the plan", "2 no longer needed", "Mon 8 Dec")
		c.in(t).get(list).lacks("badge good")
	})
	t.Run("a search made anew says the same", func(t *testing.T) {
		anew := c.in(t).searchEverybody("BRU")
		page := nothingFits(t, anew, "0 of 6 booked as planned · 6 do not fit the plan · 2 no longer needed", "Sailore, Maria", "Sailorh, Maria")
		page.lacks("The ship is now")
	})
	t.Run("uploaded as it was, all is ticked again", func(t *testing.T) {
		s.upload(t, "2036-12-05", people)
		fits(t, path)
	})

	move := func(t *testing.T, airport, date string) {
		t.Helper()
		c.in(t).post(path+"/move", url.Values{"airport": {airport}, "date": {date}}).shows(path)
	}
	t.Run("moved by the coordinator", func(t *testing.T) {
		move(t, "BRU", "2036-12-08")
		page := nothingFits(t, path, "0 of 8 booked as planned · 8 do not fit the plan", "; the ship is there on Mon 8 Dec", "all 8 can make it", "0 of 8 booked fit")
		if wanted := wantedDay(page); wanted != "Mon 8 Dec" {
			t.Errorf("the ship's line stands on %s; want the day it was moved to", wanted)
		}
		c.in(t).get(list).has("8 do not fit the plan", "Mon 8 Dec", "sent for", "Fri 5 Dec")
	})
	t.Run("moved to another port", func(t *testing.T) {
		move(t, "SIN", "2036-12-05")
		nothingFits(t, path, "to BRU; the crew change is now at SIN", "from BRU; the crew change is now at SIN", "8 do not fit the plan")
		c.in(t).get(list).has("8 do not fit the plan", `value="SIN Singapore"`)
	})
	t.Run("what the customer sends again as before does not undo the move", func(t *testing.T) {
		s.upload(t, "2036-12-05", people)
		nothingFits(t, path, "8 do not fit the plan")
	})
	t.Run("moved back, the ticks return", func(t *testing.T) {
		move(t, "BRU", "2036-12-05")
		fits(t, path)
	})
	t.Run("moved by a day, a night in a hotel still serves who joins; who leaves too soon does not", func(t *testing.T) {
		move(t, "BRU", "2036-12-06")
		page := c.in(t).get(path + "?wait=1")
		page.has("5 of 8 booked as planned · 3 do not fit the plan")
		move(t, "BRU", "2036-12-05")
	})
	t.Run("taken back by the customer, nobody is needed", func(t *testing.T) {
		if _, err := production(s).DeleteCrewChange(t.Context(), "id:GEN-00"); err != nil {
			t.Fatal(err)
		}
		nothingFits(t, path, "0 of 0 booked · 8 no longer needed", "the crew change was taken back")
		c.in(t).get("/bookings/" + s.bookings(t)[0].ID).has("the crew change was taken back")
	})
}

var (
	wantedLine = regexp.MustCompile(`<line class="wanted" x1="([\d.]+)%"`)
	midnight   = regexp.MustCompile(`<line class="midnight" x1="([\d.]+)%"[^>]*><title>([^<]*)<`)
)

// wantedDay returns the day on which the ship's line of the timeline ends.
func wantedDay(page answer) string {
	line := wantedLine.FindStringSubmatch(page.body)
	if line == nil {
		return "no day"
	}
	day := "the first day"
	for _, m := range midnight.FindAllStringSubmatch(page.body, -1) {
		// The line stands at the end of the day on which everybody is wanted.
		if number(m[1]) < number(line[1]) {
			day = m[2]
		}
	}
	return day
}

func number(s string) (n float64) {
	fmt.Sscan(s, &n)
	return n
}

// TestRequestMoved holds bookings against travel requests that were sent anew.
func TestRequestMoved(t *testing.T) {
	s := newSite(t)
	c := s.signedIn(t, gangway.Booker)
	send := func(t *testing.T, to gangway.Airport, date gangway.Date) {
		t.Helper()
		if _, err := production(s).UpsertTravelRequests(t.Context(), []gangway.TravelRequest{{
			RequestID: "TR-7", Traveller: maria, Flight: &gangway.FlightNeed{Origin: "MNL", Destination: to, Date: date},
		}}); err != nil {
			t.Fatal(err)
		}
	}
	send(t, "SIN", "2036-12-01")
	found := c.post("/requests/search", url.Values{"only": {"request=TR-7&sub="}})
	path, _, _ := strings.Cut(found.path, "?")
	c.post(path+"/book", c.get(path+"?wait=1").form(path+"/book")).has("Held as")
	booking := "/bookings/" + s.bookings(t)[0].ID

	c.get("/requests?date=2036-12-01").has("1 of 1 booked")
	c.get(booking).lacks("does not fit the plan")

	t.Run("another day", func(t *testing.T) {
		send(t, "SIN", "2036-12-04")
		page := c.in(t).get("/requests?date=2036-12-04")
		page.has("0 of 1 booked as planned · 1 does not fit", "for Mon 1 Dec; the request is now for Thu 4 Dec")
		c.in(t).get(booking).has("for Mon 1 Dec; the request is now for Thu 4 Dec")
	})
	t.Run("another place", func(t *testing.T) {
		send(t, "AMS", "2036-12-01")
		c.in(t).get("/requests?date=2036-12-01").has("to SIN; the request is now to AMS")
	})
	t.Run("as it was", func(t *testing.T) {
		send(t, "SIN", "2036-12-01")
		page := c.in(t).get("/requests?date=2036-12-01")
		page.has("1 of 1 booked")
		page.lacks("the request is now")
	})
	t.Run("taken back", func(t *testing.T) {
		if _, err := production(s).DeleteTravelRequests(t.Context(), "TR-7", nil); err != nil {
			t.Fatal(err)
		}
		c.in(t).get("/requests?date=2036-12-01").has("1 booking for a travel request that was taken back", "Santos, Maria", s.bookings(t)[0].Locator)
		c.in(t).get("/requests?date=2036-12-02").lacks("taken back")
		c.in(t).get(booking).has("the travel request was taken back")
	})
}
