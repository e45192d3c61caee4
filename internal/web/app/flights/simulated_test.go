package flights_test

import (
	"encoding/csv"
	"slices"
	"strings"
	"testing"

	"gangway/internal/web/app/apptest"

	"gangway/internal/gangway"
)

const notReal = "Simulated airlines: these tickets are not real"

// TestSimulatedAirlines holds that nobody can take a simulated ticket for a real one.
func TestSimulatedAirlines(t *testing.T) {
	s := apptest.NewSite(t)
	c := s.SignedIn(t, gangway.Booker)
	pretended := c.Booked("fare=marine&rule=change")
	c.Submit(pretended + "/issue")

	t.Run("every page of a production account without a real supplier says so", func(t *testing.T) {
		for _, path := range []string{"/", "/requests", "/crew-changes", "/hotels", "/bookings", "/approvals",
			"/deadlines", "/nothing-here", pretended, pretended + "/cancel"} {
			c.In(t).Get(path).Has(notReal)
		}
		c.In(t).Get(pretended).Has("not a real ticket")
	})
	s.Real.Store(true)
	real := c.Booked("fare=marine&rule=change")
	t.Run("with a real supplier a booking's own decides", func(t *testing.T) {
		c.In(t).Get("/deadlines").Lacks(notReal)
		c.In(t).Get(real).Lacks(notReal, "not a real ticket")
		c.In(t).Get(pretended).Has(notReal, "not a real ticket")
		c.In(t).Get(pretended + "/cancel").Has(notReal)
		c.In(t).Get("/bookings").Has("simulated: not real")
	})
	t.Run("a list with both tells them apart", func(t *testing.T) {
		s.Real.Store(false)
		c.In(t).Get("/bookings").Has(notReal, "a real ticket").Lacks("simulated: not real")
		c.In(t).Get(real).Lacks(notReal)
	})
	t.Run("the file says it of each", func(t *testing.T) {
		rows, err := csv.NewReader(strings.NewReader(c.In(t).Get("/bookings.csv").Body)).ReadAll()
		if err != nil || len(rows) != 3 {
			t.Fatalf("the file has %d rows, %v; want a head and two", len(rows), err)
		}
		last := slices.Index(rows[0], "simulated")
		if last < 0 || rows[1][last]+rows[2][last] != "noyes" && rows[1][last]+rows[2][last] != "yesno" {
			t.Fatalf("the column simulated is %q, %q; want one simulated and one not", rows[1][last], rows[2][last])
		}
	})
}
