package app_test

import (
	"bufio"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"testing"

	"gangway"
	"gangway/internal/store"
	"gangway/internal/store/storetest"
	"gangway/internal/web/access"
)

// tries signs in as email from an address, in a browser of its own, and
// returns the answer.
func (s *site) tries(t *testing.T, email, password, from string) answer {
	t.Helper()
	c := s.client(t)
	c.from = from
	return c.post("/sign-in", url.Values{"email": {email}, "password": {password}})
}

// audit returns the entries of the audit log that tell of an event, or of any
// where none is named, the oldest first.
func (s *site) audit(t *testing.T, of gangway.AuditEvent) []gangway.AuditEntry {
	t.Helper()
	entries, err := s.db.Audit(t.Context(), store.AuditQuery{What: of}, 1000)
	if err != nil {
		t.Fatal(err)
	}
	return entries
}

// openStream opens a page's stream, and returns it once its first line is there.
func (c *client) openStream(path string) *bufio.Scanner {
	c.t.Helper()
	req, err := http.NewRequestWithContext(c.t.Context(), http.MethodGet, c.site.url+path, nil)
	if err != nil {
		c.t.Fatal(err)
	}
	res, err := c.http.Do(req)
	if err != nil {
		c.t.Fatal(err)
	}
	c.t.Cleanup(func() { res.Body.Close() })
	lines := bufio.NewScanner(res.Body)
	lines.Buffer(nil, 1<<20)
	if res.Header.Get("Content-Type") != "text/event-stream" || !lines.Scan() {
		c.t.Fatalf("%s is no stream: %s, %v", path, res.Status, lines.Err())
	}
	return lines
}

// TestSignInLimits is what whoever guesses passwords meets, and whom it keeps out: nobody else.
func TestSignInLimits(t *testing.T) {
	const wrong, right = http.StatusUnprocessableEntity, http.StatusOK
	lockedOut := func(t *testing.T, a answer) {
		t.Helper()
		after, err := strconv.Atoi(a.head.Get("Retry-After"))
		if a.status != http.StatusTooManyRequests || err != nil || after < 1 {
			t.Fatalf("status = %d, Retry-After %q; want 429 with seconds", a.status, a.head.Get("Retry-After"))
		}
		a.has("Too many tries. Please wait")
	}
	is := func(t *testing.T, a answer, status int) {
		t.Helper()
		if a.status != status {
			t.Fatalf("status = %d; want %d", a.status, status)
		}
	}

	t.Run("while somebody guesses, the right person gets in from anywhere else", func(t *testing.T) {
		s := newSite(t)
		for range 5 {
			is(t, s.tries(t, "booker@example.com", "wrong", "203.0.113.9"), wrong)
		}
		for range 10 {
			lockedOut(t, s.tries(t, "booker@example.com", "wrong", "203.0.113.9"))
		}
		lockedOut(t, s.tries(t, "booker@example.com", password, "203.0.113.9"))
		is(t, s.tries(t, "booker@example.com", password, "203.0.113.10"), right)
	})
	t.Run("in the same network, she gets in with the browser in which she signed in before", func(t *testing.T) {
		s := newSite(t)
		hers := s.client(t)
		hers.from = "203.0.113.9"
		form := url.Values{"email": {"booker@example.com"}, "password": {password}}
		hers.post("/sign-in", form).shows("/")
		hers.post("/sign-out", nil).shows("/sign-in")
		for range 6 {
			s.tries(t, "booker@example.com", "wrong", "203.0.113.9")
		}
		lockedOut(t, s.tries(t, "booker@example.com", password, "203.0.113.9"))
		hers.post("/sign-in", form).shows("/")
	})
	t.Run("many networks at one account are slowed, and she gets in from where she was before", func(t *testing.T) {
		s := newSite(t)
		is(t, s.tries(t, "booker@example.com", password, "198.51.100.1"), right)
		refused := 0
		for i := range 40 {
			if a := s.tries(t, "booker@example.com", "wrong", fmt.Sprintf("203.0.113.%d", i)); a.status == http.StatusTooManyRequests {
				lockedOut(t, a)
				refused++
			}
		}
		if refused != 25 {
			t.Fatalf("%d of 40 networks were refused; want all but 15", refused)
		}
		is(t, s.tries(t, "booker@example.com", password, "198.51.100.1"), right)
		is(t, s.tries(t, "approver@example.com", password, "203.0.113.7"), right)
	})
	t.Run("while many networks guess, she waits where network and browser are both new, and not in her own browser", func(t *testing.T) {
		s := newSite(t)
		hers := s.client(t)
		hers.from = "198.51.100.1"
		form := url.Values{"email": {"booker@example.com"}, "password": {password}}
		hers.post("/sign-in", form).shows("/")
		hers.post("/sign-out", nil).shows("/sign-in")
		for i := range 15 {
			is(t, s.tries(t, "booker@example.com", "wrong", fmt.Sprintf("203.0.113.%d", i)), wrong)
		}
		lockedOut(t, s.tries(t, "booker@example.com", password, "198.51.100.2"))
		hers.from = "198.51.100.3"
		hers.post("/sign-in", form).shows("/")
	})
	t.Run("one network at many accounts is slowed, and nobody is kept out elsewhere, nor who was there before", func(t *testing.T) {
		s := newSite(t)
		is(t, s.tries(t, "booker@example.com", password, "2001:db8:1:2::1"), right)
		refused := 0
		for i := range 60 { // with IPv6, one of them has half of the address to choose from
			a := s.tries(t, fmt.Sprintf("person%d@example.com", i), "wrong", fmt.Sprintf("2001:db8:1:2::%x", i))
			if a.status == http.StatusTooManyRequests {
				refused++
			}
		}
		if refused != 30 {
			t.Fatalf("%d of 60 accounts were refused; want all but 30", refused)
		}
		lockedOut(t, s.tries(t, "approver@example.com", password, "2001:db8:1:2::ff"))
		is(t, s.tries(t, "approver@example.com", password, "2001:db8:1:3::1"), right)
		is(t, s.tries(t, "booker@example.com", password, "2001:db8:1:2::1"), right)
	})
	t.Run("the audit log has who came in, what failed and what was not looked at", func(t *testing.T) {
		s := newSite(t)
		for range 9 {
			s.tries(t, "booker@example.com", "wrong", "203.0.113.9")
		}
		s.tries(t, "my-secret-typed-here", "wrong", "203.0.113.9")
		s.tries(t, "booker@example.com", password, "203.0.113.10")
		count := map[gangway.AuditEvent]int{}
		for _, e := range s.audit(t, "") {
			count[e.What]++
			if strings.Contains(fmt.Sprint(e), "my-secret") {
				t.Errorf("the log has what was typed as an e-mail: %+v", e)
			}
			if e.What == gangway.SignInFailed && e.By.From != "203.0.113.9" || e.What == gangway.SignedIn && (e.By.From != "203.0.113.10" || e.By.ID != "booker@example.com") {
				t.Errorf("entry = %+v", e)
			}
		}
		if count[gangway.SignInFailed] != 6 || count[gangway.SignInLocked] != 4 || count[gangway.SignedIn] != 1 {
			t.Fatalf("the log has %v; want 6 failed, 4 locked, 1 signed in", count)
		}
	})
}

// Noise around one person leaves room in the audit log for what is tried on another.
func TestNoiseAroundOnePersonHidesNoOther(t *testing.T) {
	s := newSite(t)
	for i := range 150 {
		s.tries(t, "booker@example.com", "wrong", fmt.Sprintf("203.0.%d.1", i%75))
	}
	for range 40 {
		s.tries(t, "approver@example.com", "wrong", "198.51.100.7")
	}
	for _, tt := range []struct {
		what gangway.AuditEvent
		want int // of the approver's
	}{{gangway.SignInFailed, 5}, {gangway.SignInLocked, 10}} {
		hers := 0
		for _, e := range s.audit(t, tt.what) {
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

// TestShutOut is what becomes of sessions under way.
func TestShutOut(t *testing.T) {
	operator := storetest.Operator
	for name, out := range map[string]func(s *site, customer string) error{
		"who is disabled": func(s *site, customer string) error {
			_, err := s.db.UpdateUser(t.Context(), operator, customer, "booker@example.com", gangway.UserDisabled, today,
				func(u *gangway.User, others []gangway.User) error { return u.Disable(others) })
			return err
		},
		"who is removed": func(s *site, customer string) error {
			_, err := s.db.RemoveUser(t.Context(), operator, customer, "booker@example.com", today, gangway.User.MayBeRemoved)
			return err
		},
		"who is given another password": func(s *site, customer string) error {
			_, err := s.db.SetPassword(t.Context(), operator, customer, "booker@example.com", access.HashPassword("another one by far"), today)
			return err
		},
	} {
		t.Run(name+" is out at once, of open streams too", func(t *testing.T) {
			sells, err := network()
			if err != nil {
				t.Fatal(err)
			}
			s := newSiteOf(t, sells, newGate())
			c, other := s.signedIn(t, gangway.Booker), s.signedIn(t, gangway.Booker)
			stream := c.openStream("/searches/" + s.keep(t, maria).ID + "/stream")
			if err := out(s, s.production.Customer.ID); err != nil {
				t.Fatal(err)
			}
			for _, c := range []*client{c, other} {
				c.get("/bookings").shows("/sign-in?to=%2Fbookings")
			}
			for stream.Scan() { // it ends by itself, though the airlines never answer
			}
			if err := stream.Err(); err != nil {
				t.Fatalf("the stream: %v; want it ended", err)
			}
			a := s.tries(t, "booker@example.com", password, "")
			if a.status != http.StatusUnprocessableEntity {
				t.Fatalf("to sign in again with the old password: status %d; want 422", a.status)
			}
			s.signedIn(t, gangway.Approver)
		})
	}

	t.Run("a role that was changed holds from the next page", func(t *testing.T) {
		s := newSite(t)
		c := s.signedIn(t, gangway.Booker)
		_, err := s.db.UpdateUser(t.Context(), operator, s.production.Customer.ID, "booker@example.com", gangway.UserRole, today,
			func(u *gangway.User, others []gangway.User) error { return u.SetRole(gangway.Approver, others) })
		if err != nil {
			t.Fatal(err)
		}
		c.get("/bookings").has("Harbour Crewing · approver")
	})
}

func TestChangePassword(t *testing.T) {
	s := newSite(t)
	c, elsewhere := s.signedIn(t, gangway.Booker), s.signedIn(t, gangway.Booker)
	change := func(t *testing.T, present, chosen, again string) answer {
		return c.in(t).post("/password", url.Values{"present": {present}, "new": {chosen}, "again": {again}})
	}
	c.get("/").has(`href="/password"`)
	c.get("/password").shows("/password", "Present password", `value="booker@example.com"`)
	for _, tt := range []struct{ name, present, chosen, again, says string }{
		{"a wrong present one", "wrong", "tide tables at six", "tide tables at six", "not your present password"},
		{"another the second time", password, "tide tables at six", "tide tables at seven", "not the same"},
		{"too short", password, "tide", "tide", "at least 8 characters"},
		{"one that many people use", password, "iloveyou", "iloveyou", "many people use"},
		{"her company's name", password, "Harbour Crewing", "Harbour Crewing", "the company&#39;s name"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			a := change(t, tt.present, tt.chosen, tt.again)
			if a.status != http.StatusUnprocessableEntity {
				t.Fatalf("status = %d; want 422", a.status)
			}
			a.has(tt.says)
			a.lacks(`value="`+tt.chosen, password)
		})
	}
	change(t, password, "tide tables at six", "tide tables at six").shows("/password", "Your password was changed.")
	c.get("/bookings").shows("/bookings")
	elsewhere.get("/bookings").shows("/sign-in?to=%2Fbookings")
	if a := s.tries(t, "booker@example.com", password, ""); a.status != http.StatusUnprocessableEntity {
		t.Fatalf("the old password: status %d; want 422", a.status)
	}
	if a := s.tries(t, "booker@example.com", "tide tables at six", ""); a.status != http.StatusOK {
		t.Fatalf("the new password: status %d; want 200", a.status)
	}

	t.Run("the present one is not guessed", func(t *testing.T) {
		var a answer
		for range 6 {
			a = change(t, "wrong", "low water at noon", "low water at noon")
		}
		if a.status != http.StatusTooManyRequests || a.head.Get("Retry-After") == "" {
			t.Fatalf("status = %d, Retry-After %q; want 429 and when", a.status, a.head.Get("Retry-After"))
		}
	})
}
