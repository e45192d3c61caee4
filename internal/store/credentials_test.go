package store_test

import (
	"testing"
	"time"

	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/store/storetest"

	"github.com/google/go-cmp/cmp"
)

// TestCredentials holds the same of API keys and of logins of the report.
func TestCredentials(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		for kind, c := range map[store.CredentialKind]struct {
			credential store.Credential
			find       func(t *testing.T, name string) (store.Credential, error)
		}{
			store.APIKey: {store.Credential{ID: "key_1", Shown: "gw_live_7Gd2…"},
				func(t *testing.T, name string) (store.Credential, error) {
					return db.KeyByHash(t.Context(), "hash of "+name)
				}},
			store.ReportLogin: {store.Credential{ID: "report_1"},
				func(t *testing.T, name string) (store.Credential, error) {
					c, hash, err := db.ReportLogin(t.Context(), name)
					if err == nil && hash != "hash of "+name {
						t.Errorf("the hash is %q", hash)
					}
					return c, err
				}},
		} {
			t.Run(string(kind), func(t *testing.T) { testCredential(t, db, kind, c.credential, c.find) })
		}
	})
}

func testCredential(t *testing.T, db *store.DB, kind store.CredentialKind, c store.Credential,
	find func(*testing.T, string) (store.Credential, error)) {
	at := time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)
	prod, dev := storetest.Accounts(t, db)
	c.Kind, c.Account, c.CreatedAt = kind, prod.ID, at
	in := db.In(prod.Scope())
	must(t, in.CreateCredential(t.Context(), storetest.Operator, c, "hash of "+c.ID))
	t.Run("it leads to its account", func(t *testing.T) {
		if got, err := find(t, c.ID); err != nil || got != c {
			t.Fatalf("%+v, %v; want %+v", got, err, c)
		}
	})
	t.Run("an unknown one is not found, and neither is one of the other kind", func(t *testing.T) {
		wantKind(t, gangway.NotFound, did(find(t, "none")))
		wantKind(t, gangway.NotFound, did(db.KeyByHash(t.Context(), "hash of report_1")))
		if _, _, err := db.ReportLogin(t.Context(), "key_1"); gangway.KindOf(err) != gangway.NotFound {
			t.Errorf("a key is a report login: %v", err)
		}
	})
	t.Run("use is noted once a minute", func(t *testing.T) {
		for _, use := range []struct{ after, want time.Duration }{
			{10 * time.Second, 10 * time.Second},
			{69 * time.Second, 10 * time.Second},
			{70 * time.Second, 70 * time.Second},
		} {
			must(t, in.MarkCredentialUsed(t.Context(), c.ID, at.Add(use.after)))
			got, err := find(t, c.ID)
			if err != nil || !got.UsedAt.Equal(at.Add(use.want)) {
				t.Fatalf("after use at %v: UsedAt %v, %v; want %v", use.after, got.UsedAt.Sub(at), err, use.want)
			}
		}
	})
	t.Run("another environment cannot revoke it, nor anybody as the other kind", func(t *testing.T) {
		other := map[store.CredentialKind]store.CredentialKind{store.APIKey: store.ReportLogin,
			store.ReportLogin: store.APIKey}[kind]
		wantKind(t, gangway.NotFound,
			db.In(dev.Scope()).RevokeCredential(t.Context(), storetest.Operator, kind, c.ID, at))
		wantKind(t, gangway.NotFound, in.RevokeCredential(t.Context(), storetest.Operator, other, c.ID, at))
	})
	t.Run("a revoked one is not found, but listed", func(t *testing.T) {
		for _, minute := range []time.Duration{5, 6} {
			must(t, in.RevokeCredential(t.Context(), storetest.Operator, kind, c.ID,
				at.Add(minute*time.Minute)))
		}
		wantKind(t, gangway.NotFound, did(find(t, c.ID)))
		want := c
		want.RevokedAt, want.UsedAt = at.Add(5*time.Minute), at.Add(70*time.Second)
		got, err := in.Credentials(t.Context(), kind)
		if diff := cmp.Diff([]store.Credential{want}, got); err != nil || diff != "" {
			t.Fatalf("Credentials: %v\n%s", err, diff)
		}
	})
	t.Run("another environment has its own", func(t *testing.T) {
		if got, err := db.In(dev.Scope()).Credentials(t.Context(), kind); err != nil || len(got) != 0 {
			t.Fatalf("Credentials = %+v, %v; want none", got, err)
		}
	})
}
