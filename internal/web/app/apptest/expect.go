package apptest

import (
	"net/url"
	"strings"
	"testing"
	"time"

	"gangway/internal/gangway"
)

// Is fails the test unless the answer has the status and all texts.
func (a Answer) Is(status int, texts ...string) Answer {
	a.t.Helper()
	if a.Status != status {
		a.t.Fatalf("%s is answered with %d; want %d\n%s", a.Path, a.Status, status, a.Body)
	}
	return a.Has(texts...)
}

// WantBookings fails the test unless the production account has n bookings.
func (s *Site) WantBookings(t *testing.T, n int) {
	t.Helper()
	if got := len(s.Bookings(t)); got != n {
		t.Fatalf("there are %d bookings; want %d", got, n)
	}
}

// Booking returns the booking at a path of the production account.
func (s *Site) Booking(t *testing.T, path string) gangway.Booking {
	t.Helper()
	path, _, _ = strings.Cut(path, "?")
	b := Must(Production(s).Booking(t.Context(), strings.TrimPrefix(path, "/bookings/")))(t)
	return b
}

// Search returns the search at a path of the production account.
func (s *Site) Search(t *testing.T, path string) gangway.Search {
	t.Helper()
	path, _, _ = strings.Cut(path, "?")
	search := Must(Production(s).Search(t.Context(), strings.TrimPrefix(path, "/searches/")))(t)
	return search
}

// Save stores a search in the production account.
func (s *Site) Save(t *testing.T, search gangway.Search) {
	t.Helper()
	Done(t, Production(s).SaveSearch(t.Context(), search))
}

// SendTravellers uploads travellers to the production account.
func (s *Site) SendTravellers(t *testing.T, list ...gangway.Traveller) {
	t.Helper()
	Must(Production(s).UpsertTravellers(t.Context(), list))(t)
}

// SendRequests uploads travel requests to the production account.
func (s *Site) SendRequests(t *testing.T, list ...gangway.TravelRequest) {
	t.Helper()
	Must(Production(s).UpsertTravelRequests(t.Context(), list))(t)
}

// SendChanges uploads crew changes to the production account, as begun at a time.
func (s *Site) SendChanges(t *testing.T, at time.Time, list ...gangway.CrewChange) {
	t.Helper()
	Must(Production(s).UpsertCrewChanges(t.Context(), list, at))(t)
}

// InDevelopment is a client in which the user of the role has signed in and works in development.
func (s *Site) InDevelopment(t *testing.T, role gangway.Role) *Client {
	t.Helper()
	c := s.SignedIn(t, role)
	c.Post("/environment", url.Values{"environment": {"development"}, "back": {"/"}})
	return c
}

// Submit opens the page at a path and sends its form for the same path as it stands.
func (c *Client) Submit(path string) Answer {
	c.t.Helper()
	return c.Post(path, c.Get(path).Form(path))
}

// Run runs a subtest with the client.
func (c *Client) Run(name string, test func(t *testing.T, c *Client)) {
	c.t.Helper()
	c.t.Run(name, func(t *testing.T) { test(t, c.In(t)) })
}
