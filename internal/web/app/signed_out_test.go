package app_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"gangway"
	"gangway/internal/store/storetest"
	"gangway/internal/web/access"
)

// sent is a form as browsers send it: with the address of its page.
func (c *client) sent(page, path string, form url.Values) answer {
	c.t.Helper()
	req, err := http.NewRequestWithContext(c.t.Context(), http.MethodPost, c.site.url+path, strings.NewReader(form.Encode()))
	if err != nil {
		c.t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	req.Header.Set("Referer", c.site.url+page)
	return c.do(req)
}

// TestSignedOutMeanwhile holds that whoever sends a form after the session was
// ended is told that it was not saved, and comes back to its page.
func TestSignedOutMeanwhile(t *testing.T) {
	s := newSite(t)
	c := s.signedIn(t, gangway.Booker)
	c.post("/environment", url.Values{"environment": {"development"}})
	by := storetest.Operator
	if _, err := s.db.SetPassword(t.Context(), by, s.production.Customer.ID, "booker@example.com", access.HashPassword(password), today); err != nil { // ends all sessions
		t.Fatal(err)
	}

	typed := url.Values{"opened-in": {"development"}, "last_name": {"Okonjo"}, "doc_number": {"A7654321"}}
	a := c.in(t).sent("/?on=2036-12-01", "/searches", typed)
	a.has("You were signed out before your form arrived", "what you typed was not saved", "Sign in, and you are back on its page")
	if strings.Contains(a.path, "A7654321") || strings.Contains(a.body, "A7654321") || strings.Contains(a.path, "Okonjo") {
		t.Fatalf("what was typed stands at %s", a.path)
	}
	t.Run("a wrong password forgets nothing of that", func(t *testing.T) {
		form := a.form("/sign-in")
		form.Set("email", "booker@example.com")
		form.Set("password", "not-my-password")
		c.in(t).post("/sign-in", form).has("You were signed out before your form arrived", `name="to" value="/?on=2036-12-01"`)
	})
	t.Run("signing in leads to the page of the form, in its environment", func(t *testing.T) {
		form := a.form("/sign-in")
		form.Set("email", "booker@example.com")
		form.Set("password", password)
		c.in(t).post("/sign-in", form).shows("/?on=2036-12-01", "Development: nothing here is real")
	})
	t.Run("who only opens a page has lost nothing", func(t *testing.T) {
		s.client(t).get("/hotels").lacks("what you typed")
	})
	t.Run("a form whose page is not known leads to where it stands", func(t *testing.T) {
		s.client(t).post("/bookings/b1/invoices", nil).has(`name="to" value="/bookings/b1/invoices"`) // which leads on to the booking
	})
}
