package people_test

import (
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/web/access"
	"gangway/internal/web/app/apptest"
)

var shownOnce = regexp.MustCompile(`data-copy="Copy [a-z ]+">([^<]+)<`)

// secrets are what a page shows once.
func secrets(a apptest.Answer) (list []string) {
	for _, found := range shownOnce.FindAllStringSubmatch(a.Body, -1) {
		list = append(list, found[1])
	}
	return list
}

// makeKey makes a key or a report login, by a double click.
func makeKey(t *testing.T, admin *apptest.Client, kind store.CredentialKind, name string) []string {
	t.Helper()
	form := admin.Get("/settings/keys").Form("/settings/keys")
	form.Set("kind", string(kind))
	form.Set("name", name)
	first, second := secrets(admin.Post("/settings/keys", form)), secrets(admin.Post("/settings/keys", form))
	if len(first) == 0 || strings.Join(first, " ") != strings.Join(second, " ") {
		t.Fatalf("a double click shows %v and %v; want the same secret", first, second)
	}
	return first
}

func TestKeys(t *testing.T) {
	s := apptest.NewSite(t)
	admin := s.SignedIn(t, gangway.Admin)
	in := apptest.Production(s)
	key := makeKey(t, admin, store.APIKey, "Crew desk")[0]
	made := apptest.Must(in.Credentials(t.Context(), store.APIKey))(t)
	if len(made) != 1 || made[0].Name != "Crew desk" || !strings.HasPrefix(key, "gw_live_") {
		t.Fatalf("two clicks made %+v", made)
	}
	change := "/settings/keys/" + made[0].ID + "/change"

	t.Run("a key is shown once, and lets programs in", func(t *testing.T) {
		if found, err := s.DB.KeyByHash(t.Context(), access.HashKey(key)); err != nil || found.ID != made[0].ID {
			t.Fatalf("KeyByHash = %+v, %v", found, err)
		}
		admin.In(t).Get("/settings/keys").Has("Crew desk", made[0].Shown, "never").Lacks(key)
	})
	t.Run("a form that is sent again much later makes no second key with the same secret", func(t *testing.T) {
		form := admin.In(t).Get("/settings/keys").Form("/settings/keys")
		form.Set("kind", "api_key")
		admin.In(t).Post("/settings/keys", form).Is(http.StatusOK)
		s.Passed.Store(int64(2 * time.Hour))
		defer s.Passed.Store(0)
		admin.In(t).Post("/settings/keys", form).Is(http.StatusConflict)
	})
	t.Run("each environment has its own", func(t *testing.T) {
		dev := s.InDevelopment(t, gangway.Admin)
		dev.Get("/settings/keys").Lacks("Crew desk")
		dev.Post(change, url.Values{"do": {"revoke"}, "sure": {"yes"}}).Is(http.StatusNotFound)
		if key := makeKey(t, dev, store.APIKey, "")[0]; !strings.HasPrefix(key, "gw_test_") {
			t.Fatalf("development's key is %s", key)
		}
	})
	t.Run("revoking asks first, and says that it was used today", func(t *testing.T) {
		apptest.Done(t, in.MarkCredentialUsed(t.Context(), made[0].ID, apptest.Today))
		asked := admin.In(t).Post(change, url.Values{"do": {"revoke"}}).Is(http.StatusOK, `class="notice act"`)
		if _, err := s.DB.Key(t.Context(), made[0].ID); err != nil {
			t.Fatalf("the question revoked it: %v", err)
		}
		form := asked.Form(change)
		for range 2 {
			admin.In(t).Post(change, form).Shows("/settings/keys").Lacks(made[0].Shown)
		}
		if _, err := s.DB.Key(t.Context(), made[0].ID); gangway.KindOf(err) != gangway.NotFound {
			t.Fatalf("a revoked key is %v", err)
		}
		apptest.IsEntry(t, s, apptest.LastEntry(t, s), gangway.KeyRevoked, "admin@example.com (Ingrid Holm)")
		admin.In(t).Post(change, url.Values{"do": {"revoke"}}).Is(http.StatusNotFound)
	})
	t.Run("a report login gets another password, and is revoked", func(t *testing.T) {
		login := makeKey(t, admin.In(t), store.ReportLogin, "Controller")
		change := "/settings/keys/" + login[0] + "/change"
		renewed := secrets(admin.In(t).Post(change, admin.In(t).Post(change, url.Values{"do": {"renew"}}).Form(change)))
		if len(renewed) != 2 || renewed[0] != login[0] || renewed[1] == login[1] {
			t.Fatalf("renewing %v shows %v", login, renewed)
		}
		if _, hash, err := s.DB.ReportLogin(t.Context(), login[0]); err != nil || hash != access.HashKey(renewed[1]) {
			t.Fatalf("ReportLogin: %v, and the new password does not fit", err)
		}
		apptest.IsEntry(t, s, apptest.LastEntry(t, s), gangway.ReportLoginRenewed, "admin@example.com (Ingrid Holm)")
		admin.In(t).Post(change, url.Values{"do": {"revoke"}, "sure": {"yes"}}).Shows("/settings/keys")
		admin.In(t).Post(change, url.Values{"do": {"renew"}, "sure": {"yes"}}).Is(http.StatusNotFound)
	})
	t.Run("what cannot be made is refused with a sentence", func(t *testing.T) {
		for name, form := range map[string]url.Values{
			"a name": {"kind": {"api_key"}, "name": {strings.Repeat("x", 201)}},
			"a kind": {"kind": {"captain"}}} {
			if a := admin.In(t).Post("/settings/keys", form); a.Status != http.StatusUnprocessableEntity {
				t.Errorf("%s: %d", name, a.Status)
			}
		}
	})
}
