package people_test

import (
	"net/http"
	"net/url"
	"testing"

	"gangway/internal/gangway"
	"gangway/internal/store/storetest"
	"gangway/internal/web/app/apptest"
)

func TestAccount(t *testing.T) {
	s := apptest.NewSite(t)
	admin, in := s.SignedIn(t, gangway.Admin), apptest.Production(s)
	settings := func() gangway.Settings { return apptest.Must(in.Account(t.Context()))(t).Settings }
	change := func(form ...string) apptest.Answer {
		t.Helper()
		sent := url.Values{}
		for i := 0; i < len(form); i += 2 {
			sent.Set(form[i], form[i+1])
		}
		return admin.Post("/settings/account/currency", sent)
	}
	admin.Post("/settings/account", url.Values{"name": {" Lee & Sons "}}).Shows("/settings/account", "Lee &amp; Sons")
	apptest.IsEntry(t, s, apptest.LastEntry(t, s), gangway.CustomerRenamed, "admin@example.com (Ingrid Holm)")
	admin.Post("/settings/account", url.Values{"name": {" "}}).Is(http.StatusUnprocessableEntity, `role="alert"`)

	// Without a limit a currency is only asked about.
	change("currency", "EUR").Is(http.StatusOK, `name="sure"`).Lacks(`name="limit"`)
	if settings().Currency != "" {
		t.Fatal("the question changed the currency")
	}
	change("currency", "EUR", "sure", "yes").Shows("/settings/account")

	// With one, the limit is asked for, and until it is set again everything waits.
	set := gangway.Settings{Currency: "EUR"}
	set.Approval = apptest.Must(gangway.ParseApprovalPolicy("above 500.00 EUR"))(t)
	storetest.Settings(t, in, set)
	change("currency", "JPY").Is(http.StatusOK, `name="limit"`)
	for _, limit := range []string{"", "-1", "much", "10.50"} { // there are no hundredths of a yen
		change("currency", "JPY", "sure", "yes", "limit", limit).Is(http.StatusUnprocessableEntity, `role="alert"`)
	}
	if got := settings(); got != set {
		t.Fatalf("what was refused changed the settings: %+v", got)
	}
	change("currency", "JPY", "sure", "yes", "later", "yes").Shows("/settings/account", "Set the limit…")
	if p := settings().Approval; settings().Currency != "JPY" || !p.Asks(gangway.Money{Minor: 1, Currency: "EUR"}) ||
		!p.Asks(gangway.Money{Minor: 1, Currency: "JPY"}) {
		t.Fatalf("without a limit the policy is %+v; want everything to wait", p)
	}
	change("currency", "JPY", "sure", "yes", "limit", "80000").Shows("/settings/account").Lacks("Set the limit…")
	if got := settings().Approval.String(); got != "above 80000 JPY" {
		t.Fatalf("the policy is %s", got)
	}
	change("currency", "XXX").Is(http.StatusBadRequest)
}
