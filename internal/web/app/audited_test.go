package app_test

import (
	"net/http"
	"net/url"
	"testing"

	"gangway"
)

// lastEntry returns the latest entry of the audit log.
func lastEntry(t *testing.T, s *site) gangway.AuditEntry {
	t.Helper()
	list := s.audit(t, "")
	if len(list) == 0 {
		t.Fatal("the audit log is empty")
	}
	return list[len(list)-1]
}

// isEntry fails the test unless e tells of what, done by who of the site's customer.
func isEntry(t *testing.T, s *site, e gangway.AuditEntry, what gangway.AuditEvent, who string) {
	t.Helper()
	customer := s.production.Customer.ID
	if who == gangway.Unknown {
		customer = ""
	}
	if e.What != what || e.By.Who() != who || e.Customer != customer || e.By.From != "127.0.0.1" || !e.At.Equal(today) {
		t.Fatalf("the audit log says %+v; want %s by %s", e, what, who)
	}
}

// Whoever signs in or out, or fails to, is in the audit log.
func TestSigningInAndOutLeavesEntries(t *testing.T) {
	s := newSite(t)
	const booker, admin = "booker@example.com (Ingrid Holm)", "admin@example.com (Ingrid Holm)"
	c := s.signedIn(t, gangway.Booker)
	isEntry(t, s, lastEntry(t, s), gangway.SignedIn, booker)

	c.post("/sign-out", nil)
	isEntry(t, s, lastEntry(t, s), gangway.SignedOut, booker)

	c.post("/sign-in", url.Values{"email": {"booker@example.com"}, "password": {"not hers"}})
	failed := lastEntry(t, s)
	isEntry(t, s, failed, gangway.SignInFailed, booker)
	if failed.After["user"] != "u_booker" || failed.After["reason"] != "wrong password" {
		t.Errorf("after a failure the log says %v; want whose it was", failed.After)
	}

	c.post("/sign-in", url.Values{"email": {"my-secret-password"}, "password": {"booker@example.com"}})
	unknown := lastEntry(t, s)
	isEntry(t, s, unknown, gangway.SignInFailed, gangway.Unknown)
	if unknown.After["email"] != nil || unknown.After["reason"] != "unknown person" {
		t.Errorf("the log keeps %v, which may be a password", unknown.After)
	}

	for range 10 {
		c.post("/sign-in", url.Values{"email": {"admin@example.com"}, "password": {"wrong"}})
	}
	locked := s.audit(t, gangway.SignInLocked)
	if len(locked) == 0 {
		t.Fatal("the audit log has nothing of too many tries")
	}
	isEntry(t, s, locked[0], gangway.SignInLocked, admin)
}

// What is not for a role, or comes from another site, is in the audit log.
func TestRefusedRequestsLeaveEntries(t *testing.T) {
	s := newSite(t)
	c := s.signedIn(t, gangway.Booker)
	if a := c.post("/approvals", url.Values{"decide": {"approve"}, "booking": {"bkg_1"}}); a.status != http.StatusForbidden {
		t.Fatalf("a booker approves with %d; want 403", a.status)
	}
	e := lastEntry(t, s)
	isEntry(t, s, e, gangway.RequestRefused, "booker@example.com (Ingrid Holm)")
	if e.After["path"] != "/approvals" || e.After["method"] != "POST" || e.Environment != gangway.Production {
		t.Errorf("the log says %v in %q; want what was asked", e.After, e.Environment)
	}

	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, s.url+"/sign-out", nil)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Sec-Fetch-Site", "cross-site")
	c.do(req)
	isEntry(t, s, lastEntry(t, s), gangway.RequestRefused, gangway.Unknown)
}
