package app_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"gangway"
	"gangway/internal/book/flight/sim"
)

// clocked is a site on which time can pass, for the airlines too.
func clocked(t *testing.T) *site {
	t.Helper()
	var s *site
	sells, err := sim.New(sim.Config{Now: func() time.Time {
		if s == nil {
			return today
		}
		return s.now()
	}})
	if err != nil {
		t.Fatal(err)
	}
	s = newSiteOf(t, sells, nil)
	return s
}

// TestPagesAfterThePriceEnded holds that every page names what ends next, and
// says once a price has ended that it has: nobody is offered what would buy
// by itself then, and who issues sees the price of now first.
func TestPagesAfterThePriceEnded(t *testing.T) {
	s := clocked(t)
	c := s.signedIn(t, gangway.Booker)
	path, _, _ := strings.Cut(c.hold("let-go").path, "?")
	b := s.bookings(t)[0]
	if !b.PriceUntil.Before(b.HoldUntil.Add(-48 * time.Hour)) {
		t.Fatalf("price until %s, seats until %s; this test wants them days apart", b.PriceUntil, b.HoldUntil)
	}
	everywhere := []string{path, "/bookings", "/deadlines"}

	s.passed.Store(int64(b.PriceUntil.Sub(today) - 11*time.Minute - time.Second))
	for _, at := range everywhere {
		c.in(t).get(at).has("price ends in 11 min")
	}
	c.get("/bookings").has(`class="left act"`)
	c.get("/deadlines").has("1 booking waits", "1 within a day", "next: price ends in 11 min")
	page := c.get(path)
	page.has("held, no ticket yet: price ends in 11 min", "Price is good until", "Issue automatically instead, for USD ")
	c.get(path+"/issue").has("The price is good until", "11 min left")

	s.passed.Store(int64(b.PriceUntil.Sub(today) + time.Minute))
	for _, at := range everywhere {
		page := c.in(t).get(at)
		page.has("seats end in ")
		page.lacks("past", "price ends in", `class="left act"`)
	}
	c.get("/deadlines").has("0 within a day", `<span class="muted">ended</span>`)
	page = c.get(path)
	page.has("price has ended, seats end in ", "Price was good until", "issuing costs what the airline asks now", "The price was good <span", letGo, "at the price of then")
	page.lacks("Issue automatically instead", "the price is good", "somebody has to decide")

	refused := c.post(path+"/unissued", url.Values{"unissued": {"issue"}})
	if refused.status != http.StatusConflict {
		t.Fatalf("choosing after the price ended is answered with %d; want 409", refused.status)
	}
	refused.has("so it is not issued automatically any more")
	if err := s.desk.Tick(t.Context()); err != nil {
		t.Fatal(err)
	}
	if now := s.bookings(t)[0]; now.State != gangway.Confirmed || now.AutoIssue {
		t.Fatalf("it is %s, issued automatically: %v; want it held as it was", now.State, now.AutoIssue)
	}

	issue := c.get(path + "/issue")
	issue.has("The price was guaranteed until ", "The airline was asked again: the ", "When it was booked", ", the price of now", "The seats are held until")
	issue.lacks("past", "The price is good until", "ended left")
	c.post(path+"/issue", issue.form(path+"/issue"))
	if now := s.bookings(t)[0]; now.State != gangway.Issued {
		t.Fatalf("issued at the price of now it is %s", now.State)
	}
}

// TestPagesAskWhereItWasNotIssued holds that a booking which was to be issued
// automatically, and was not while its price stood, says so and asks somebody.
func TestPagesAskWhereItWasNotIssued(t *testing.T) {
	s := clocked(t)
	c := s.signedIn(t, gangway.Booker)
	path, _, _ := strings.Cut(c.hold("issue").path, "?")
	b := s.bookings(t)[0]
	s.passed.Store(int64(b.PriceUntil.Sub(today) + time.Minute))
	if err := s.desk.Tick(t.Context()); err != nil {
		t.Fatal(err)
	}
	page := c.get(path)
	page.has("It was not issued automatically while its price stood: somebody has to decide", "Not issued automatically: ", "Do not issue automatically")
	page.lacks(automatically)
	c.get("/attention").has("1 booking needs a person")
	if now := s.bookings(t)[0]; now.State != gangway.Confirmed {
		t.Fatalf("it is %s; want it held", now.State)
	}
}
