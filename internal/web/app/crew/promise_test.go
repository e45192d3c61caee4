package crew_test

import (
	"net/url"
	"regexp"
	"strings"
	"testing"

	"gangway/internal/web/app/apptest"
	"gangway/internal/web/app/flights"
	"gangway/internal/web/app/shell"

	"gangway/internal/gangway"
)

var ticks = regexp.MustCompile(`✓|badge good|data-grade="good"|class="flown good"`)

// ticked returns the ticks in the rows of people and in the timeline.
func ticked(page apptest.Answer) int {
	_, rows, _ := strings.Cut(page.Body, `<div id="crew"`)
	_, people, _ := strings.Cut(rows, `class="pictures"`) // after the days on which all could be there
	return len(ticks.FindAllString(people, -1))
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
		page := c.In(t).Get(path+"?wait=1&view=map").Has("8 booked: 8 ").
			Lacks("old plan", "no longer needed", "The ship is now")
		if ticked(page) == 0 {
			t.Fatal("nothing is ticked; want what fits ticked")
		}
		c.In(t).Get(list).Has("all 8", "8 of 8 travellers booked")
	}
	t.Run("booked as planned", func(t *testing.T) { fits(t, path) })

	// nothingFits fails the test if any row promises anything, since the plan has another day and place.
	nothingFits := func(t *testing.T, path string, texts ...string) apptest.Answer {
		t.Helper()
		page := c.In(t).Get(path + "?wait=1&view=map").Has(texts...)
		if n := ticked(page); n != 0 {
			t.Fatalf("%d ticks stand where nothing fits:\n%s", n, page.Body)
		}
		return page
	}

	t.Run("uploaded anew three days later, with two people dropped", func(t *testing.T) {
		s.Upload(t, "2036-12-07", people)
		s.Upload(t, "2036-12-08", append(people[:4:4], people[5:7]...))
		page := nothingFits(t, path,
			"8 booked: 8 on hold (free to release) · <strong>6 booked for the old plan</strong> · 2 removed",
			"too early · 3 nights", "Moved BRU 7 Dec → BRU 8 Dec by your crewing system",
			" → ship 8 Dec", `datetime="`, "The ship is now at BRU on Mon 8 Dec. These flights are for the ship "+
				"at BRU on Fri 5 Dec.",
			"removed from this crew change", "Bookings no longer needed", "Sailore, Maria",
			"Sailorh, Maria")
		var owed []gangway.Money // for all who are booked, as the head counts them
		for _, b := range s.Bookings(t) {
			c.In(t).Get(flights.CrewChangePath("id:GEN-00")).Has(b.Locator, "Removed from this crew change")
			if n := strings.Count(page.Body, `aria-label="Tick `+b.Passenger.LastName+", "); n != 1 {
				t.Errorf("%s is listed %d times; want once", b.Passenger.LastName, n)
			}
			owed = gangway.AddMoney(owed, b.Price.Total)
			if b.Passenger.LastName == "Sailore" || b.Passenger.LastName == "Sailorh" {
				_, beside, _ := strings.Cut(page.Body, "Bookings no longer needed")
				if !strings.Contains(beside, b.Locator) || !strings.Contains(beside, "/bookings/"+b.ID) {
					t.Errorf("%s is not named beside the plan with %s and a way to it", b.Passenger.LastName, b.Locator)
				}
				c.In(t).Get("/bookings/" + b.ID).Has("Removed from this crew change")
				continue
			}
			// Each row has the flight's own day, never the plan's.
			page.Has(b.Itinerary.Departure().Format("Mon 2 Jan"))
			c.In(t).Get("/bookings/"+b.ID).Has(" → ship 8 Dec", `data-standing="`+map[gangway.Side]string{
				gangway.OnSigner: "too_early", gangway.OffSigner: "leaves_before_ship"}[b.Purpose.Side])
		}
		page.Has(" · " + shell.Amount(owed[0]))
		c.In(t).Get(list).Has("0 of 6", "6 for the old plan", "2 removed", "Mon 8 Dec")
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
		page := nothingFits(t, path,
			"8 booked: 8 on hold (free to release) · <strong>8 booked for the old plan</strong>",
			"too early · 3 nights", " → ship 8 Dec")
		c.In(t).Get(path+"?wait=1&view=move").Has("flights exist for all 8", "0 of 8 bookings fit").Lacks("✓")
		c.In(t).Post(path+"/move", url.Values{"airport": {"BRU"}, "date": {"2036-12-08"}, "step": {"compare"}}).
			Has("flights exist for all 8", "0 of 8 bookings fit").Lacks("✓")
		if wanted := wantedDay(page); wanted != "Mon 8 Dec" {
			t.Errorf("the ship's line stands on %s; want the day it was moved to", wanted)
		}
		c.In(t).Get(list).Has("8 for the old plan", "Mon 8 Dec", "sent for", "Fri 5 Dec")
	})
	t.Run("what the customer sends again as before does not undo the move", func(t *testing.T) {
		s.Upload(t, "2036-12-05", people)
		nothingFits(t, path, "8 booked for the old plan")
	})
	t.Run("moved to another airport on the same day, nothing is said of another plan", func(t *testing.T) {
		move(t, "AMS", "2036-12-05")
		nothingFits(t, path, "8 booked: 8 on hold (free to release) · <strong>8 booked for another airport</strong>",
			">wrong place<", "at BRU, ship at AMS")
		c.In(t).Get(list).Has("8 for another airport").Lacks("old plan")
		c.In(t).Get("/bookings/"+s.Bookings(t)[0].ID).Has("Wrong place", "at BRU, ship at AMS")
	})
	t.Run("moved there a day later, all who are booked for the old plan are one number", func(t *testing.T) {
		move(t, "AMS", "2036-12-06")
		nothingFits(t, path, "<strong>8 booked for the old plan (5 another airport)</strong>")
		c.In(t).Get(list).Has("8 booked for the old plan (5 another airport)", "8 for the old plan (5 another airport)")
	})
	t.Run("moved back, the ticks return", func(t *testing.T) {
		move(t, "BRU", "2036-12-05")
		fits(t, path)
	})

	t.Run("taken back by the customer, nobody is needed", func(t *testing.T) {
		apptest.Must(apptest.Production(s).DeleteCrewChange(t.Context(), "id:GEN-00"))(t)
		nothingFits(t, path, "8 booked: 8 on hold (free to release) · 8 removed", "the crew change was taken back")
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
