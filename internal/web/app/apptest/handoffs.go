package apptest

import (
	"crypto/rand"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/store/storetest"
)

// HandOver posts the form as a browser does from another site: without cookies.
func HandOver(t *testing.T, s *Site, form url.Values) *http.Response {
	t.Helper()
	return HandOverBytes(t, s, "application/x-www-form-urlencoded", form.Encode())
}

// HandOverBytes posts a form exactly as a page encoded it.
func HandOverBytes(t *testing.T, s *Site, contentType, body string) *http.Response {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, s.URL+"/integrations/search",
		strings.NewReader(body))
	Done(t, err)
	req.Header.Set("Content-Type", contentType)
	req.Header.Set("Origin", "https://crew.example")
	req.Header.Set("Sec-Fetch-Site", "cross-site")
	res := Must(http.DefaultTransport.RoundTrip(req))(t)
	t.Cleanup(func() { res.Body.Close() })
	return res
}

// Landed hands a form over and returns the page that c lands on.
func (c *Client) Landed(form url.Values) Answer {
	c.t.Helper()
	return c.Get(HandOver(c.t, c.Site, form).Header.Get("Location"))
}

// Stranger is a client in which somebody of another customer has signed in.
func (s *Site) Stranger(t *testing.T) *Client {
	t.Helper()
	name := strings.ToLower(rand.Text())
	other, _, err := s.DB.CreateCustomer(t.Context(), storetest.Operator, "Other Crewing "+name, Today)
	Done(t, err)
	u := gangway.User{ID: name, Customer: other.Customer.ID, Email: name + "@example.org", Name: "Jon Other",
		Role: gangway.Booker}
	Done(t, s.DB.CreateUser(t.Context(), storetest.Operator, u, PasswordHash, Today))
	c := s.Client(t)
	c.Post("/sign-in", url.Values{"email": {u.Email}, "password": {Password}}).Has("Other Crewing")
	return c
}

// Development is the development account of the site's customer.
func Development(s *Site) store.Scoped { return s.DB.In(s.Development.Scope()) }
