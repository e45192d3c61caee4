package shell_test

import (
	"net/http"
	"net/url"
	"testing"

	"gangway/internal/web/app/apptest"

	"gangway/internal/gangway"
)

// Every sign-in, failed sign-in and sign-out is in the audit log.
func TestSigningInAndOutLeavesEntries(t *testing.T) {
	s := apptest.NewSite(t)
	const booker = "booker@example.com (Ingrid Holm)"
	c := s.SignedIn(t, gangway.Booker)
	apptest.IsEntry(t, s, apptest.LastEntry(t, s), gangway.SignedIn, booker)

	c.Post("/sign-out", nil)
	apptest.IsEntry(t, s, apptest.LastEntry(t, s), gangway.SignedOut, booker)

	c.Post("/sign-in", url.Values{"email": {"booker@example.com"}, "password": {"not hers"}})
	failed := apptest.LastEntry(t, s)
	apptest.IsEntry(t, s, failed, gangway.SignInFailed, booker)
	if failed.After["user"] != "u_booker" || failed.After["reason"] != "wrong password" {
		t.Errorf("after a failure the log says %v; want whose it was", failed.After)
	}

	c.Post("/sign-in", url.Values{"email": {"my-secret-password"}, "password": {"booker@example.com"}})
	unknown := apptest.LastEntry(t, s)
	apptest.IsEntry(t, s, unknown, gangway.SignInFailed, gangway.Unknown)
	if unknown.After["email"] != nil || unknown.After["reason"] != "unknown person" {
		t.Errorf("the log keeps %v, which may be a password", unknown.After)
	}

}

// Requests that a role does not allow, or that come from another site, are in the audit log.
func TestRefusedRequestsLeaveEntries(t *testing.T) {
	s := apptest.NewSite(t)
	c := s.SignedIn(t, gangway.Booker)
	c.Post("/approvals", url.Values{"decide": {"approve"}, "booking": {"bkg_1"}}).Is(http.StatusForbidden)
	e := apptest.LastEntry(t, s)
	apptest.IsEntry(t, s, e, gangway.RequestRefused, "booker@example.com (Ingrid Holm)")
	if e.After["path"] != "/approvals" || e.After["method"] != "POST" || e.Environment != gangway.Production {
		t.Errorf("the log says %v in %q; want what was asked", e.After, e.Environment)
	}

	req := apptest.Must(http.NewRequestWithContext(t.Context(), http.MethodPost, s.URL+"/sign-out", nil))(t)
	req.Header.Set("Sec-Fetch-Site", "cross-site")
	c.Do(req)
	apptest.IsEntry(t, s, apptest.LastEntry(t, s), gangway.RequestRefused, gangway.Unknown)
}
