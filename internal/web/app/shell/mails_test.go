package shell_test

import (
	"net/http"
	"testing"
	"time"

	"gangway/internal/gangway"
	"gangway/internal/web/access"
	"gangway/internal/web/app/apptest"
)

// TestChooseMails has a person choose the daily mail, and the other one off.
func TestChooseMails(t *testing.T) {
	s := apptest.NewSite(t)
	c := s.SignedIn(t, gangway.Booker)
	const ticked = `name="endings" checked`
	form := c.Get("/mails").Has(ticked).Lacks("selected").Form("/mails")
	form.Set("hour", "7")
	form.Set("zone", "Europe/Atlantis")
	if a := c.Post("/mails", form); a.Status != http.StatusUnprocessableEntity {
		t.Errorf("a wrong zone is answered with %d", a.Status)
	}
	form.Set("zone", " Asia/Manila ")
	c.Post("/mails", form).Shows("/mails", "Your mails are saved.", `value="7" selected`, "07:00 PST", `value="Asia/Manila"`)
	u, _, err := s.DB.UserByEmail(t.Context(), "booker@example.com")
	if want := (gangway.Mails{Hour: 7, Zone: "Asia/Manila", NoEndings: true}); err != nil || u.Mails != want ||
		!u.MailDue.After(s.Now()) || u.MailDue.Sub(s.Now()) > 24*time.Hour {
		t.Errorf("Mails = %+v, next at %s, %v; want %+v", u.Mails, u.MailDue, err, want)
	}
	form = c.Get("/mails").Lacks(ticked).Form("/mails")
	form.Set("hour", "")
	c.Post("/mails", form)
	if u, _, err = s.DB.UserByEmail(t.Context(), "booker@example.com"); err != nil || !u.MailDue.IsZero() {
		t.Errorf("switched off, the next is at %s, %v", u.MailDue, err)
	}
}

// TestAtWork holds that an account is in use when a person asks for a page of it, and not when a page asks by itself.
func TestAtWork(t *testing.T) {
	s := apptest.NewClockedSite(t)
	s.SignedIn(t, gangway.Booker).Booked("")
	ends := s.Bookings(t)[0].Deadline()
	quiet := func(want int) {
		t.Helper()
		apptest.Done(t, s.DB.KeepUses(t.Context()))
		list, err := s.DB.EndingsToMail(t.Context(), s.Now().Add(-gangway.Unattended), s.Now(), 10)
		if err != nil || len(list) != want {
			t.Fatalf("EndingsToMail = %v, %v; want %d", list, err, want)
		}
	}
	s.Passed.Store(int64(ends.Sub(apptest.Today) - 3*time.Hour))
	c, development := s.SignedIn(t, gangway.Booker), s.InDevelopment(t, gangway.Approver)
	s.Passed.Add(int64(90 * time.Minute))
	quiet(1)
	asked := apptest.Must(http.NewRequestWithContext(t.Context(), http.MethodGet, s.URL+"/deadlines", nil))(t)
	asked.Header.Set(access.LiveHeader, "x")
	c.Do(asked)
	development.Get("/deadlines").Shows("/deadlines")
	quiet(1)
	c.Get("/deadlines").Shows("/deadlines")
	quiet(0)
}
