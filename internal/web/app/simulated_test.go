package app_test

import (
	"encoding/csv"
	"net/url"
	"slices"
	"strings"
	"testing"

	"gangway"
)

const notReal = "Simulated airlines: these tickets are not real"

// TestSimulatedAirlines holds that nobody takes a simulated ticket for a real one.
func TestSimulatedAirlines(t *testing.T) {
	s := newSite(t)
	c := s.signedIn(t, gangway.Booker)
	pretended := c.booked("fare=marine&rule=change")
	c.post(pretended+"/issue", c.get(pretended+"/issue").form(pretended+"/issue"))

	t.Run("every page of a production account without a real supplier says so", func(t *testing.T) {
		for _, path := range []string{"/", "/requests", "/crew-changes", "/hotels", "/bookings", "/approvals", "/deadlines", "/nothing-here", pretended, pretended + "/cancel"} {
			c.in(t).get(path).has(notReal)
		}
		c.in(t).get(pretended).has("not a real ticket")
	})
	t.Run("development says that nothing is real", func(t *testing.T) {
		c := s.signedIn(t, gangway.Booker)
		page := c.in(t).post("/environment", url.Values{"environment": {"development"}})
		page.has("Development: nothing here is real")
		page.lacks(notReal)
	})
	s.real.Store(true)
	real := c.booked("fare=marine&rule=change")
	t.Run("with a real supplier a booking's own decides", func(t *testing.T) {
		c.in(t).get("/deadlines").lacks(notReal)
		c.in(t).get(real).lacks(notReal, "not a real ticket")
		c.in(t).get(pretended).has(notReal, "not a real ticket")
		c.in(t).get(pretended + "/cancel").has(notReal)
		c.in(t).get("/bookings").has("simulated: not real")
	})
	t.Run("a list with both tells them apart", func(t *testing.T) {
		s.real.Store(false)
		list := c.in(t).get("/bookings")
		list.has(notReal, "a real ticket")
		list.lacks("simulated: not real")
		c.in(t).get(real).lacks(notReal)
	})
	t.Run("the file says it of each", func(t *testing.T) {
		rows, err := csv.NewReader(strings.NewReader(c.in(t).get("/bookings.csv").body)).ReadAll()
		if err != nil || len(rows) != 3 {
			t.Fatalf("the file has %d rows, %v; want a head and two", len(rows), err)
		}
		last := slices.Index(rows[0], "simulated")
		if last < 0 || rows[1][last]+rows[2][last] != "noyes" && rows[1][last]+rows[2][last] != "yesno" {
			t.Fatalf("the column simulated is %q, %q; want one simulated and one not", rows[1][last], rows[2][last])
		}
	})
}
