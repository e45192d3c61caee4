package crew_test

import (
	"net/url"
	"regexp"
	"strings"
	"testing"

	"gangway/internal/web/app/apptest"

	"gangway/internal/gangway"
)

var ticks = regexp.MustCompile(`✓|badge good|class="flown good"`)

// ticked returns the ticks in the rows of people and in the timeline.
func ticked(page apptest.Answer) int {
	_, rows, _ := strings.Cut(page.Body, `<div id="crew"`)
	rows, _, _ = strings.Cut(rows, `Bookings that the plan has no use for`)
	_, head, _ := strings.Cut(rows, `</details>`) // after the days on which all could be there
	return len(ticks.FindAllString(head, -1))
}

// A tick is a promise: it is shown only where a booking was compared with today's plan
// and fits.
func TestShipMoved(t *testing.T) {
	s := apptest.NewSite(t)
	c := s.SignedIn(t, gangway.Booker)
	people := apptest.Sailors(8)
	s.Upload(t, "2036-12-05", people)
	path := c.BookEverybody("BRU")
	list := "/crew-changes?from=2036-12-01"

	fits := func(t *testing.T, path string) {
		t.Helper()
		page := c.In(t).Get(path+"?wait=1").Has("8 of 8 booked", " buffer").
			Lacks("not fit the plan", "no longer", "The ship is now")
		if ticked(page) == 0 {
			t.Fatal("nothing is ticked; want what fits ticked")
		}
		c.In(t).Get(list).Has("all 8", "8 of 8 travellers booked")
	}
	t.Run("booked as planned", func(t *testing.T) { fits(t, path) })

	// nothingFits fails the test if any row promises anything, since the plan has another day and place.
	nothingFits := func(t *testing.T, path string, texts ...string) apptest.Answer {
		t.Helper()
		page := c.In(t).Get(path + "?wait=1").Has(texts...)
		if n := ticked(page); n != 0 {
			t.Fatalf("%d ticks stand where nothing fits:\n%s", n, page.Body)
		}
		page.Lacks(" buffer")
		return page
	}

	t.Run("uploaded anew three days later, with two people dropped", func(t *testing.T) {
		s.Upload(t, "2036-12-08", append(people[:4:4], people[5:7]...))
		page := nothingFits(t, path, "0 of 6 booked as planned · 6 do not fit the plan · 2 no longer needed",
			"; the ship is there on Mon 8 Dec", "The ship is now at BRU on Mon 8 Dec; these flights were looked for "+
				"at BRU on Fri 5 Dec.",
			"no longer in this crew change", "Bookings that the plan has no use for", "Sailore, Maria",
			"Sailorh, Maria")
		for _, b := range s.Bookings(t) {
			if b.Passenger.LastName == "Sailore" || b.Passenger.LastName == "Sailorh" {
				_, beside, _ := strings.Cut(page.Body, "Bookings that the plan has no use for")
				if !strings.Contains(beside, b.Locator) || !strings.Contains(beside, "/bookings/"+b.ID) {
					t.Errorf("%s is not named beside the plan with %s and a way to it", b.Passenger.LastName, b.Locator)
				}
				c.In(t).Get("/bookings/" + b.ID).Has("Removed from this crew change")
				continue
			}
			// Each row has the flight's own day, never the plan's.
			page.Has(b.Itinerary.Departure().Format("Mon 2 Jan"))
			c.In(t).Get("/bookings/"+b.ID).Has("the ship is there on Mon 8 Dec", "Booked for the old plan")
		}
		c.In(t).Get(list).Has("0 of 6", "6 do not fit the plan", "2 no longer needed", "Mon 8 Dec")
		c.In(t).Get(list).Lacks("badge good")
	})
	t.Run("uploaded as it was, all is ticked again", func(t *testing.T) {
		s.Upload(t, "2036-12-05", people)
		fits(t, path)
	})

	move := func(t *testing.T, airport, date string) {
		t.Helper()
		c.In(t).Post(path+"/move", url.Values{"airport": {airport}, "date": {date}}).Shows(path)
	}
	t.Run("moved by the coordinator", func(t *testing.T) {
		move(t, "BRU", "2036-12-08")
		page := nothingFits(t, path, "0 of 8 booked as planned · 8 do not fit the plan",
			"; the ship is there on Mon 8 Dec", "all 8 can make it", "0 of 8 booked fit")
		if wanted := wantedDay(page); wanted != "Mon 8 Dec" {
			t.Errorf("the ship's line stands on %s; want the day it was moved to", wanted)
		}
		c.In(t).Get(list).Has("8 do not fit the plan", "Mon 8 Dec", "sent for", "Fri 5 Dec")
	})
	t.Run("what the customer sends again as before does not undo the move", func(t *testing.T) {
		s.Upload(t, "2036-12-05", people)
		nothingFits(t, path, "8 do not fit the plan")
	})
	t.Run("moved back, the ticks return", func(t *testing.T) {
		move(t, "BRU", "2036-12-05")
		fits(t, path)
	})

	t.Run("taken back by the customer, nobody is needed", func(t *testing.T) {
		if _, err := apptest.Production(s).DeleteCrewChange(t.Context(), "id:GEN-00"); err != nil {
			t.Fatal(err)
		}
		nothingFits(t, path, "0 of 0 booked · 8 no longer needed", "the crew change was taken back")
		c.In(t).Get("/bookings/" + s.Bookings(t)[0].ID).Has("Crew change withdrawn")
	})
}

var (
	wantedLine = regexp.MustCompile(`<line class="wanted" x1="([\d.]+)%"`)
	midnight   = regexp.MustCompile(`<line class="midnight" x1="([\d.]+)%"[^>]*><title>([^<]*)<`)
)

// wantedDay returns the day on which the ship's line of the timeline ends.
func wantedDay(page apptest.Answer) string {
	line := wantedLine.FindStringSubmatch(page.Body)
	if line == nil {
		return "no day"
	}
	day := "the first day"
	for _, m := range midnight.FindAllStringSubmatch(page.Body, -1) {
		// The line stands at the end of the day on which everybody is wanted.
		if apptest.Number(m[1]) < apptest.Number(line[1]) {
			day = m[2]
		}
	}
	return day
}
