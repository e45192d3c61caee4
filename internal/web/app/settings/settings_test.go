package settings_test

import (
	"net/http"
	"net/url"
	"testing"
	"time"

	"gangway/internal/gangway"
	"gangway/internal/store/storetest"
	"gangway/internal/web/app/apptest"
)

const policy = "/settings/policy"

// fill fills in a form.
func fill(form url.Values, set ...string) url.Values {
	for i := 0; i < len(set); i += 2 {
		form.Set(set[i], set[i+1])
	}
	return form
}

func settingsOf(t *testing.T, s *apptest.Site) gangway.Settings {
	t.Helper()
	return apptest.Must(apptest.Production(s).Account(t.Context()))(t).Settings
}

// TestPolicy: an admin changes the policy on its page, as by command; what cannot be is said at its field, what is
// typed stays, and nothing of it is saved.
func TestPolicy(t *testing.T) {
	s := apptest.NewSite(t)
	admin := s.SignedIn(t, gangway.Admin)
	form := func() url.Values { return admin.Get(policy).Sent(policy) }
	admin.Post(policy, fill(form(), "approval", "above", "limit", "500.00 usd", "own", "yes", "bag", "yes", "avoid",
		"su qr", "hours", "Mon-Fri 08:00-18:00", "zone", "Europe/Oslo", "payment", "card")).Shows(policy, "was saved")
	got := settingsOf(t, s)
	if got.Approval.String() != "above 500.00 USD" || !got.OwnApproval || got.AutoIssue || !got.Fares.Bag ||
		got.Fares.Change || got.Avoid != "QR,SU" || got.Keep != 0 || got.PaymentMethod != "card" ||
		got.Duty.String() != "Mon,Tue,Wed,Thu,Fri 08:00-18:00 Europe/Oslo" {
		t.Errorf("the policy is %+v", got)
	}
	apptest.IsEntry(t, s, apptest.LastEntry(t, s), gangway.SettingsChanged, "admin@example.com (Ingrid Holm)")
	for field, wrong := range map[string][]string{"limit": {"approval", "above", "limit", "much"},
		"avoid": {"avoid", "Q9"},
		"zone":  {"zone", "Mars/Base"}, "hours": {"hours", "always"}, "keep": {"keep", "soon"}} {
		a := admin.Post(policy, fill(form(), append(wrong, "payment", "barter")...))
		a.Is(http.StatusUnprocessableEntity, `id="`+field+`"`, `aria-invalid="true"`, `value="barter"`)
	}
	admin.Post(policy, fill(form(), "hours", "from 7 to 19")).Has("Duty hours must be such as &#34;07:00-19:00&#34; or")
	admin.Post(policy, fill(form(), "hours", "07:00-19:00", "zone", "")).Has(`spellcheck="false" aria-invalid="true" title="Duty`)
	if now := settingsOf(t, s); now != got {
		t.Errorf("what was refused has changed the policy to %+v", now)
	}
	admin.Post(policy, form()).Shows(policy)
	if now := settingsOf(t, s); now != got || len(s.Audit(t, gangway.SettingsChanged)) != 1 {
		t.Errorf("the form as it opens changes the policy to %+v, with an entry", now)
	}
	got.Currency = "EUR"
	storetest.Settings(t, apptest.Production(s), got)
	admin.Post(policy, fill(form(), "limit", "700")).Shows(policy, "was saved")
	if got = settingsOf(t, s); got.Approval.String() != "above 700.00 EUR" {
		t.Errorf("a limit of 700 is read as %s", got.Approval)
	}
	for _, role := range []gangway.Role{gangway.Booker, gangway.Approver} {
		s.SignedIn(t, role).Post(policy, form()).Is(http.StatusForbidden)
	}
}

// TestPolicyAsks: the page asks before a change buys tickets, erases data or leaves nobody to approve, and does not
// replace what somebody else has saved meanwhile.
func TestPolicyAsks(t *testing.T) {
	s := apptest.NewSite(t)
	admin := s.SignedIn(t, gangway.Admin)
	form := admin.Get(policy).Sent(policy)
	asked := admin.Post(policy, fill(form, "issue", "yes", "keep", "24mo", "approval", "always"))
	asked.Is(http.StatusUnprocessableEntity, `value="save-anyway"`, "issued and paid automatically",
		"ended before 20 Nov 2034").Lacks("Only ") // an approver and an admin are there
	if got := settingsOf(t, s); got.AutoIssue || got.Keep != 0 {
		t.Fatalf("before anybody agreed the policy is %+v", got)
	}
	anyway := fill(asked.Sent(policy), "do", "save-anyway")
	storetest.Settings(t, apptest.Production(s), gangway.Settings{OwnApproval: true})
	admin.Post(policy, anyway).Is(http.StatusConflict, "omebody has changed the policy")
	admin.Post(policy, fill(admin.Post(policy, fill(admin.Get(policy).Sent(policy), "issue", "yes")).Sent(policy), "do",
		"save-anyway")).Shows(policy, "was saved")
	if got := settingsOf(t, s); !got.AutoIssue || !got.OwnApproval || got.Keep != 0 {
		t.Errorf("the policy is %+v", got)
	}
}

// TestSupplier: an admin tries the supplier with a search. Bookers read since when it has not answered, until it does.
func TestSupplier(t *testing.T) {
	s := apptest.NewSite(t)
	admin, booker := s.SignedIn(t, gangway.Admin), s.SignedIn(t, gangway.Booker)
	apptest.Done(t, apptest.Production(s).SupplierSilent(t.Context(), s.Now().Add(-time.Hour)))
	apptest.Done(t, apptest.Production(s).SupplierSilent(t.Context(), s.Now()))
	const silent = "has not answered since Thu 20 Nov 2036 08:00 UTC"
	for _, path := range []string{"/", "/book", "/crew-changes"} {
		booker.Get(path).Has(silent, `href="/bookings/enter"`)
	}
	admin.Get("/settings/supplier").Has(silent, `data-state="silent"`)
	admin.Get("/settings/overview").Has(silent, `data-state="failing"`)
	admin.Post("/settings/supplier", nil).Has(`data-state="answered"`, "Nothing was held").Lacks(silent)
	booker.Get("/book").Lacks("has not answered")
	if list := apptest.Must(apptest.Production(s).Account(t.Context()))(t); !list.SilentSince.IsZero() {
		t.Errorf("it is silent since %s; want that it answered", list.SilentSince)
	}
}

// TestOverview: the first page of Settings says what is set up, and what is not.
func TestOverview(t *testing.T) {
	s := apptest.NewSite(t)
	admin := s.SignedIn(t, gangway.Admin)
	admin.Get("/settings").Shows("/settings/overview", "of 6 set up", `href="/settings/outlets/new"`,
		`href="/settings/policy"`, "No approval, any fare, no duty hours")
	s.SignedIn(t, gangway.Booker).Get("/settings").Shows("/password")
	apptest.Receive(t, s, "erp")
	storetest.Settings(t, apptest.Production(s), gangway.Settings{Approval: gangway.ApprovalPolicy{
		Mode: gangway.ApproveAlways}})
	admin.Get("/settings/overview").Has("1 outlet", "Approval: always").Lacks(`href="/settings/outlets/new"`)
}

// TestMovesWithoutApproval: an approver sets the limit and ends it, a booker does not see it, and what cannot be kept
// to is refused.
func TestMovesWithoutApproval(t *testing.T) {
	const moves = "/settings/moves"
	s := apptest.NewSite(t)
	boss := s.SignedIn(t, gangway.Approver)
	form := func() url.Values { return boss.Get(moves).Sent(moves) }
	until := string(gangway.DateOf(apptest.Today).AddDays(7))
	boss.Post(moves, fill(form(), "person", "400 usd", "change", "8000.00 USD", "until", until, "do", "save")).
		Shows(moves, "need no approval")
	got := settingsOf(t, s).Moves
	if got.Person.String() != "USD 400.00" || got.Change.String() != "USD 8000.00" || string(got.Until) != until ||
		got.By != "approver@example.com" {
		t.Errorf("the limit is %+v", got)
	}
	apptest.IsEntry(t, s, apptest.LastEntry(t, s), gangway.SettingsChanged, "approver@example.com (Ingrid Holm)")
	for _, wrong := range [][]string{{"person", "much"}, {"change", "10.00 USD"}, {"change", "8000.00 EUR"},
		{"until", "2020-01-01"}, {"until", "2099-01-01"}} {
		boss.Post(moves, fill(form(), append(wrong, "do", "save")...)).Is(http.StatusUnprocessableEntity, wrong[1])
	}
	boss.Post(moves, fill(form(), "was", "another", "do", "end")).Is(http.StatusConflict)
	if now := settingsOf(t, s).Moves; now != got {
		t.Errorf("what was refused has changed the limit to %+v", now)
	}
	boss.Post(moves, fill(form(), "do", "end")).Shows(moves, "The limit has ended")
	if now := settingsOf(t, s).Moves; now != (gangway.MoveLimit{}) {
		t.Errorf("the limit is %+v; want none", now)
	}
	s.SignedIn(t, gangway.Booker).Get(moves).Is(http.StatusForbidden)
}
