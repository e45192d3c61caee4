package access

import (
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"
	"time"

	"gangway/internal/calltest"
	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/store/storetest"
	"gangway/internal/web"
)

func TestNewKey(t *testing.T) {
	for environment, pattern := range map[gangway.Environment]string{
		gangway.Production:  `^gw_live_[0-9A-Za-z]{38}$`,
		gangway.Development: `^gw_test_[0-9A-Za-z]{38}$`,
	} {
		plain, hash, shown := NewKey(environment)
		if !regexp.MustCompile(pattern).MatchString(plain) || !WellFormed(plain) {
			t.Errorf("NewKey(%s) = %s; want a well-formed key like %s", environment, plain, pattern)
		}
		if hash != HashKey(plain) || strings.Contains(hash, plain) {
			t.Errorf("hash = %s; want that of the key", hash)
		}
		if shown != plain[:12]+"…" {
			t.Errorf("shown = %s; want the beginning of %s", shown, plain)
		}
	}
}

func TestWellFormed(t *testing.T) {
	plain, _, _ := NewKey(gangway.Production)
	swapped := plain[:20] + plain[21:22] + plain[20:21] + plain[22:]
	if swapped == plain {
		swapped = plain[:20] + "!" + plain[21:]
	}
	for name, bad := range map[string]string{
		"nothing":                   "",
		"cut off":                   plain[:len(plain)-1],
		"too long":                  plain + "0",
		"two letters swapped":       swapped,
		"for the other environment": strings.Replace(plain, "gw_live_", "gw_test_", 1),
		"without its prefix":        plain[len("gw_live_"):],
	} {
		t.Run(name, func(t *testing.T) {
			if WellFormed(bad) {
				t.Fatalf("WellFormed(%q) = true; want false", bad)
			}
		})
	}
}

func TestByKey(t *testing.T) {
	storetest.EachInTrial(t, func(t *testing.T, db *store.DB) {
		prod, dev := storetest.Accounts(t, db)
		now := storetest.Began
		program := ByKey(db, func() time.Time { return now })
		issue := func(a gangway.Account, id string) string {
			plain, hash, shown := NewKey(a.Environment)
			if err := db.In(a.Scope()).CreateCredential(t.Context(), storetest.Operator,
				store.Credential{Kind: store.APIKey, ID: id, Shown: shown, CreatedAt: now}, hash); err != nil {
				t.Fatal(err)
			}
			return plain
		}
		ask := func(key string) (gangway.Scope, error) {
			r := httptest.NewRequest(http.MethodGet, "/bookings", nil)
			if key != "" {
				r.Header.Set("X-Api-Key", key)
			}
			p, err := program(r)
			return p.Scope, err
		}
		refused := func(t *testing.T, key string) {
			t.Helper()
			_, err := ask(key)
			w := httptest.NewRecorder()
			web.Problem(w, httptest.NewRequest(http.MethodGet, "/bookings", nil), err)
			if err == nil || w.Code != http.StatusUnauthorized || w.Header().Get("WWW-Authenticate") == "" {
				t.Fatalf("err = %v, answered %d %v; want 401 with WWW-Authenticate", err, w.Code, w.Header())
			}
			if key != "" && strings.Contains(w.Body.String(), key) {
				t.Fatalf("the answer repeats the key: %s", w.Body)
			}
		}
		live, test := issue(prod, "key_live"), issue(dev, "key_test")

		t.Run("the key selects the account", func(t *testing.T) {
			for key, want := range map[string]string{live: prod.ID, test: dev.ID} {
				if got, err := ask(key); err != nil || got.Account != want {
					t.Fatalf("scope of %s = %v, %v; want %s", key, got, err, want)
				}
			}
		})
		t.Run("no key", func(t *testing.T) { refused(t, "") })
		t.Run("text that is not a key", func(t *testing.T) { refused(t, "letmein") })
		t.Run("an unknown key", func(t *testing.T) {
			plain, _, _ := NewKey(gangway.Production)
			refused(t, plain)
		})
		t.Run("use is noted", func(t *testing.T) {
			keys, err := db.In(prod.Scope()).Credentials(t.Context(), store.APIKey)
			if err != nil || !keys[0].UsedAt.Equal(now) {
				t.Fatalf("Keys = %+v, %v; want used at %v", keys, err, now)
			}
		})
		t.Run("a new key works at once, even if it was tried before", func(t *testing.T) {
			plain, hash, shown := NewKey(gangway.Production)
			refused(t, plain)
			if err := db.In(prod.Scope()).CreateCredential(t.Context(), storetest.Operator,
				store.Credential{Kind: store.APIKey, ID: "key_new", Shown: shown, CreatedAt: now}, hash); err != nil {
				t.Fatal(err)
			}
			if got, err := ask(plain); err != nil || got.Account != prod.ID {
				t.Fatalf("scope = %v, %v; want %s", got, err, prod.ID)
			}
		})
		t.Run("a revoked key ends within five seconds, and no other does", func(t *testing.T) {
			now = now.Add(time.Minute)
			calltest.Must(ask(live))(t)
			if err := db.In(prod.Scope()).RevokeCredential(t.Context(), storetest.Operator, store.APIKey, "key_live",
				now); err != nil {
				t.Fatal(err)
			}
			now = now.Add(5 * time.Second)
			refused(t, live)
			if _, err := ask(test); err != nil {
				t.Fatalf("the other key: %v; want no error", err)
			}
		})
	})
}
