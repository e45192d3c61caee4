package shell_test

import (
	"net/url"
	"strings"
	"testing"

	"gangway/internal/gangway"
	"gangway/internal/store/storetest"
	"gangway/internal/web/app/apptest"
)

// TestSignedOutMeanwhile holds that a person who sends a form after the session
// ended reads that it was not saved, and gets back to its page.
func TestSignedOutMeanwhile(t *testing.T) {
	s := apptest.NewSite(t)
	c := s.InDevelopment(t, gangway.Booker)
	by := storetest.Operator
	// ends all sessions
	if _, err := s.DB.SetPassword(t.Context(), by, s.Production.Customer.ID, "booker@example.com",
		apptest.PasswordHash, apptest.Today); err != nil {
		t.Fatal(err)
	}

	typed := url.Values{"opened-in": {"development"}, "last_name": {"Okonjo"}, "doc_number": {"A7654321"}}
	a := c.In(t).Sent("/book?on=2036-12-01", "/searches", typed).
		Has("You were signed out before your form arrived", "what you typed was not saved",
			"Sign in, and you are back on its page")
	if strings.Contains(a.Path, "A7654321") || strings.Contains(a.Body, "A7654321") ||
		strings.Contains(a.Path, "Okonjo") {
		t.Fatalf("what was typed stands at %s", a.Path)
	}
	t.Run("a wrong password forgets nothing of that", func(t *testing.T) {
		form := a.Form("/sign-in", "email", "booker@example.com", "password", "not-my-password")
		c.In(t).Post("/sign-in", form).Has("You were signed out before your form arrived",
			`name="to" value="/book?on=2036-12-01"`)
	})
	t.Run("signing in leads to the page of the form, in its environment", func(t *testing.T) {
		form := a.Form("/sign-in", "email", "booker@example.com", "password", apptest.Password)
		c.In(t).Post("/sign-in", form).Shows("/book?on=2036-12-01", "Development: nothing here is real")
	})
	t.Run("who only opens a page has lost nothing", func(t *testing.T) {
		s.Client(t).Get("/hotels").Lacks("what you typed")
	})
	t.Run("a form whose page is not known leads to where it stands", func(t *testing.T) {
		// which leads on to the booking
		s.Client(t).Post("/bookings/b1/invoices", nil).Has(`name="to" value="/bookings/b1/invoices"`)
	})
}
