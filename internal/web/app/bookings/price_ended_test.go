package bookings_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"gangway/internal/gangway"
	"gangway/internal/web/app/apptest"
)

// TestPagesAfterThePriceEnded holds that every page names what ends next and says when a price has ended. Nobody
// is then offered to issue automatically, and whoever issues sees today's price first.
func TestPagesAfterThePriceEnded(t *testing.T) {
	s := apptest.NewClockedSite(t)
	c := s.SignedIn(t, gangway.Booker)
	path, _, _ := strings.Cut(c.Hold("let-go").Path, "?")
	b := s.Bookings(t)[0]
	if !b.PriceUntil.Before(b.HoldUntil.Add(-48 * time.Hour)) {
		t.Fatalf("price until %s, seats until %s; this test wants them days apart", b.PriceUntil, b.HoldUntil)
	}
	everywhere := []string{path, "/bookings"}

	s.Passed.Store(int64(b.PriceUntil.Sub(apptest.Today) - 11*time.Minute - time.Second))
	for _, at := range everywhere {
		c.In(t).Get(at).Has("11 min")
	}
	c.Get("/bookings").Has(`class="left act"`)
	c.Get("/deadlines").Has("1 needs you before ", "1 on hold", "next: fare ends in 11 min")
	c.Get(path).Has("on hold: fare ends in 11 min", "Fare until",
		"Issue automatically instead, for USD ")
	c.Get(path+"/issue").Has("Fare until", "11 min left")

	s.Passed.Store(int64(b.PriceUntil.Sub(apptest.Today) + time.Minute))
	for at, seats := range map[string]string{path: "seats end in ", "/deadlines?show=all": "seats end in ",
		"/bookings": `<span class="muted">seats</span>`} {
		c.In(t).Get(at).Has(seats).Lacks("past", "fare ends in", `class="left act"`)
	}
	c.Get("/deadlines").Has("Nothing needs you before ", "All holds 1")
	c.Get("/deadlines?show=all").Has(`<span class="muted">ended</span>`, "seats end in ").Lacks("fare ends in")
	c.Get(path).Has("fare ended, seats end in ", "Fare until",
		"shows the price of now", "Fare was guaranteed <span", apptest.LetGo, "the fare of that day").
		Lacks("Issue automatically instead", "Fare guaranteed", "somebody must decide")

	c.Post(path+"/unissued", url.Values{"unissued": {"issue"}}).
		Is(http.StatusConflict, "so it is not issued automatically any more")
	apptest.Done(t, s.Desk.Tick(t.Context()))
	if now := s.Bookings(t)[0]; now.State != gangway.Confirmed || now.AutoIssue {
		t.Fatalf("it is %s, issued automatically: %v; want it held as it was", now.State, now.AutoIssue)
	}

	issue := c.Get(path+"/issue").Has("The price was guaranteed until ", "The airline was asked again: the ",
		"When it was booked", ", today&#39;s price", "Seats until").
		Lacks("past", "Fare until", "ended left")
	c.Post(path+"/issue", issue.Form(path+"/issue"))
	if now := s.Bookings(t)[0]; now.State != gangway.Issued {
		t.Fatalf("issued at today's price it is %s", now.State)
	}
}

// TestPagesAskWhereItWasNotIssued holds that a booking that was not issued automatically while its
// price was guaranteed says so and asks for a person.
func TestPagesAskWhereItWasNotIssued(t *testing.T) {
	s := apptest.NewClockedSite(t)
	c := s.SignedIn(t, gangway.Booker)
	path, _, _ := strings.Cut(c.Hold("issue").Path, "?")
	b := s.Bookings(t)[0]
	s.Passed.Store(int64(b.PriceUntil.Sub(apptest.Today) + time.Minute))
	apptest.Done(t, s.Desk.Tick(t.Context()))
	c.Get(path).Has("Not issued automatically before its fare guarantee ended: somebody must decide",
		"Not issued automatically: ", "Do not issue automatically").Lacks(apptest.Automatically)
	c.Get("/").Has("1 thing needs you", "Not issued automatically: ", path+"/handled")
	if now := s.Bookings(t)[0]; now.State != gangway.Confirmed {
		t.Fatalf("it is %s; want it held", now.State)
	}
}
