package shell_test

import (
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"testing"

	"gangway/internal/gangway"
	"gangway/internal/store/storetest"
	"gangway/internal/web/access"
	"gangway/internal/web/app/apptest"
)

// TestSignInLimits holds that the limits stop those who guess passwords, and nobody else.
func TestSignInLimits(t *testing.T) {
	const wrong, right = http.StatusUnprocessableEntity, http.StatusOK
	lockedOut := func(t *testing.T, a apptest.Answer) {
		t.Helper()
		after, err := strconv.Atoi(a.Head.Get("Retry-After"))
		if a.Status != http.StatusTooManyRequests || err != nil || after < 1 {
			t.Fatalf("status = %d, Retry-After %q; want 429 with seconds", a.Status, a.Head.Get("Retry-After"))
		}
		a.Has("Too many tries. Please wait")
	}
	t.Run("while somebody guesses, the right person gets in from anywhere else", func(t *testing.T) {
		s := apptest.NewSite(t)
		for range 5 {
			s.Tries(t, "booker@example.com", "wrong", "203.0.113.9").Is(wrong)
		}
		for range 10 {
			lockedOut(t, s.Tries(t, "booker@example.com", "wrong", "203.0.113.9"))
		}
		lockedOut(t, s.Tries(t, "booker@example.com", apptest.Password, "203.0.113.9"))
		s.Tries(t, "booker@example.com", apptest.Password, "203.0.113.10").Is(right)
	})
	t.Run("in the same network, she gets in with the browser in which she signed in before", func(t *testing.T) {
		s := apptest.NewSite(t)
		hers := s.Client(t)
		hers.From = "203.0.113.9"
		form := url.Values{"email": {"booker@example.com"}, "password": {apptest.Password}}
		hers.Post("/sign-in", form).Shows("/")
		hers.Post("/sign-out", nil).Shows("/sign-in")
		for range 6 {
			s.Tries(t, "booker@example.com", "wrong", "203.0.113.9")
		}
		lockedOut(t, s.Tries(t, "booker@example.com", apptest.Password, "203.0.113.9"))
		hers.Post("/sign-in", form).Shows("/")
	})
	t.Run("while many networks guess, she waits where network and browser are both new, and not in her own browser",
		func(t *testing.T) {
			s := apptest.NewSite(t)
			hers := s.Client(t)
			hers.From = "198.51.100.1"
			form := url.Values{"email": {"booker@example.com"}, "password": {apptest.Password}}
			hers.Post("/sign-in", form).Shows("/")
			hers.Post("/sign-out", nil).Shows("/sign-in")
			for i := range 15 {
				s.Tries(t, "booker@example.com", "wrong", fmt.Sprintf("203.0.113.%d", i)).Is(wrong)
			}
			lockedOut(t, s.Tries(t, "booker@example.com", apptest.Password, "198.51.100.2"))
			hers.From = "198.51.100.3"
			hers.Post("/sign-in", form).Shows("/")
		})

	t.Run("the audit log has who came in, what failed and what was not looked at", func(t *testing.T) {
		s := apptest.NewSite(t)
		for range 9 {
			s.Tries(t, "booker@example.com", "wrong", "203.0.113.9")
		}
		s.Tries(t, "my-secret-typed-here", "wrong", "203.0.113.9")
		s.Tries(t, "booker@example.com", apptest.Password, "203.0.113.10")
		count := map[gangway.AuditEvent]int{}
		for _, e := range s.Audit(t, "") {
			count[e.What]++
			if strings.Contains(fmt.Sprint(e), "my-secret") {
				t.Errorf("the log has what was typed as an e-mail: %+v", e)
			}
			if e.What == gangway.SignInFailed && e.By.From != "203.0.113.9" || e.What == gangway.SignedIn &&
				(e.By.From != "203.0.113.10" || e.By.ID != "booker@example.com") {
				t.Errorf("entry = %+v", e)
			}
		}
		if count[gangway.SignInFailed] != 6 || count[gangway.SignInLocked] != 4 || count[gangway.SignedIn] != 1 {
			t.Fatalf("the log has %v; want 6 failed, 4 locked, 1 signed in", count)
		}
	})
}

// Many failures around one person leave room in the audit log for those around another.
func TestNoiseAroundOnePersonHidesNoOther(t *testing.T) {
	s := apptest.NewSite(t)
	for i := range 150 {
		s.Tries(t, "booker@example.com", "wrong", fmt.Sprintf("203.0.%d.1", i%75))
	}
	for range 40 {
		s.Tries(t, "approver@example.com", "wrong", "198.51.100.7")
	}
	for _, tt := range []struct {
		what gangway.AuditEvent
		want int // of the approver's
	}{{gangway.SignInFailed, 5}, {gangway.SignInLocked, 10}} {
		hers := 0
		for _, e := range s.Audit(t, tt.what) {
			if e.By.ID == gangway.Unknown {
				t.Errorf("%s says nobody's: %+v", tt.what, e)
			}
			if e.By.ID == "approver@example.com" && e.By.From == "198.51.100.7" {
				hers++
			}
		}
		if hers != tt.want {
			t.Errorf("%d entries of %s on the approver, with the address; want %d", hers, tt.what, tt.want)
		}
	}
}

// TestShutOut holds what happens to the sessions of a person who is shut out.
func TestShutOut(t *testing.T) {
	operator := storetest.Operator
	for name, out := range map[string]func(s *apptest.Site, customer string) error{
		"who is disabled": func(s *apptest.Site, customer string) error {
			_, err := s.DB.UpdateUser(t.Context(), operator, customer, "booker@example.com", gangway.UserDisabled,
				apptest.Today,
				func(u *gangway.User, others []gangway.User) error { return u.Disable(others) })
			return err
		},
		"who is removed": func(s *apptest.Site, customer string) error {
			_, err := s.DB.RemoveUser(t.Context(), operator, customer, "booker@example.com", apptest.Today,
				gangway.User.MayBeRemoved)
			return err
		},
		"who is given another password": func(s *apptest.Site, customer string) error {
			_, err := s.DB.SetPassword(t.Context(), operator, customer, "booker@example.com",
				access.HashPassword("another one by far"), apptest.Today)
			return err
		},
	} {
		t.Run(name+" is out at once, of open streams too", func(t *testing.T) {
			s := apptest.NewGatedSite(t)
			c, other := s.SignedIn(t, gangway.Booker), s.SignedIn(t, gangway.Booker)
			stream := c.OpenStream("/searches/" + s.Keep(t, apptest.Maria).ID + "/stream")
			apptest.Done(t, out(s, s.Production.Customer.ID))
			for _, c := range []*apptest.Client{c, other} {
				c.Get("/bookings").Shows("/sign-in?to=%2Fbookings")
			}
			for stream.Scan() { // it ends by itself, though the airlines never answer
			}
			if err := stream.Err(); err != nil {
				t.Fatalf("the stream: %v; want it ended", err)
			}
			s.Tries(t, "booker@example.com", apptest.Password, "").Is(http.StatusUnprocessableEntity)
			s.SignedIn(t, gangway.Approver)
		})
	}

	t.Run("a role that was changed holds from the next page", func(t *testing.T) {
		s := apptest.NewSite(t)
		c := s.SignedIn(t, gangway.Booker)
		_, err := s.DB.UpdateUser(t.Context(), operator, s.Production.Customer.ID, "booker@example.com",
			gangway.UserRole, apptest.Today,
			func(u *gangway.User, others []gangway.User) error { return u.SetRole(gangway.Approver, others) })
		apptest.Done(t, err)
		c.Get("/bookings").Has("Harbour Crewing · approver")
	})
}

func TestChangePassword(t *testing.T) {
	s := apptest.NewSite(t)
	c, elsewhere := s.SignedIn(t, gangway.Booker), s.SignedIn(t, gangway.Booker)
	change := func(t *testing.T, present, chosen, again string) apptest.Answer {
		return c.In(t).Post("/password", url.Values{"present": {present}, "new": {chosen}, "again": {again}})
	}
	c.Get("/").Has(`href="/password"`)
	c.Get("/password").Shows("/password", "Present password", `value="booker@example.com"`)
	for _, tt := range []struct{ name, present, chosen, again, says string }{
		{"a wrong present one", "wrong", "tide tables at six", "tide tables at six", "not your present password"},
		{"another the second time", apptest.Password, "tide tables at six", "tide tables at seven", "not the same"},
		{"her company's name", apptest.Password, "Harbour Crewing", "Harbour Crewing", "the company&#39;s name"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			a := change(t, tt.present, tt.chosen, tt.again)
			a.Is(http.StatusUnprocessableEntity, tt.says)
			a.Lacks(`value="`+tt.chosen, apptest.Password)
		})
	}
	change(t, apptest.Password, "tide tables at six", "tide tables at six").Shows("/password",
		"Your password was changed.")
	c.Get("/bookings").Shows("/bookings")
	elsewhere.Get("/bookings").Shows("/sign-in?to=%2Fbookings")
	s.Tries(t, "booker@example.com", apptest.Password, "").Is(http.StatusUnprocessableEntity)
	s.Tries(t, "booker@example.com", "tide tables at six", "").Is(http.StatusOK)

	t.Run("the present one is not guessed", func(t *testing.T) {
		var a apptest.Answer
		for range 6 {
			a = change(t, "wrong", "low water at noon", "low water at noon")
		}
		if a.Status != http.StatusTooManyRequests || a.Head.Get("Retry-After") == "" {
			t.Fatalf("status = %d, Retry-After %q; want 429 and when", a.Status, a.Head.Get("Retry-After"))
		}
	})
}
