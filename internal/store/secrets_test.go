package store_test

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gangway/internal/gangway"
	"gangway/internal/seal"
	"gangway/internal/store"
	"gangway/internal/store/storetest"
)

const token = "duffel_live_9QXw0pEmTkVhBz"

func TestSecrets(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		prod, dev := storetest.Accounts(t, db)
		in, other := db.In(prod.Scope()), db.In(dev.Scope())
		wantSecret := func(t *testing.T, in store.Scoped, name, want string) {
			t.Helper()
			if got, err := in.Secret(t.Context(), name); err != nil || string(got) != want {
				t.Errorf("Secret(%s) = %q, %v; want %q", name, got, err, want)
			}
		}
		wantNone := func(t *testing.T, in store.Scoped, name string) {
			t.Helper()
			wantKind(t, gangway.NotFound, did(in.Secret(t.Context(), name)))
		}
		set := func(t *testing.T, in store.Scoped, name, value string) {
			t.Helper()
			must(t, in.SetSecret(t.Context(), storetest.Operator, name, []byte(value), storetest.Began))
		}
		t.Run("what was set comes back", func(t *testing.T) {
			set(t, in, "supplier", token)
			set(t, in, "empty", "")
			wantSecret(t, in, "supplier", token)
			wantSecret(t, in, "empty", "")
		})
		t.Run("setting it again replaces it", func(t *testing.T) {
			set(t, in, "changed", "first")
			set(t, in, "changed", "second")
			wantSecret(t, in, "changed", "second")
		})
		t.Run("another account has its own secrets", func(t *testing.T) {
			wantNone(t, other, "supplier")
			set(t, other, "supplier", "theirs")
			wantSecret(t, other, "supplier", "theirs")
			wantSecret(t, in, "supplier", token)
		})
	})
}

// TestSecretsAtRest looks at what the database itself contains.
func TestSecretsAtRest(t *testing.T) {
	storetest.EachURL(t, func(t *testing.T, url string) {
		db := openWith(t, url, storetest.Sealer(t))
		prod, dev := storetest.Accounts(t, db)
		in, other := db.In(prod.Scope()), db.In(dev.Scope())
		must(t, in.SetSecret(t.Context(), storetest.Operator, "supplier", []byte(token), storetest.Began))
		must(t, other.SetSecret(t.Context(), storetest.Operator, "supplier", []byte("theirs"),
			storetest.Began))
		o, err := in.SetOutlet(t.Context(), storetest.Operator, gangway.DefaultOutlet,
			storetest.PushTo("https://crew.example.com/sync"), []string{"whsec_newest", "whsec_older"}, storetest.Began)
		must(t, err)
		operator := raw(t, url)
		exec := func(t *testing.T, statement string, args ...any) {
			t.Helper()
			must(t, did(operator.ExecContext(t.Context(), statement, args...)))
		}
		t.Run("no row shows a secret", func(t *testing.T) {
			var kept, outlet string
			must(t, operator.QueryRowContext(t.Context(), `SELECT sealed FROM secret WHERE account = $1`,
				prod.ID).Scan(&kept))
			must(t, operator.QueryRowContext(t.Context(), `SELECT secrets FROM outlet WHERE account = $1`,
				prod.ID).Scan(&outlet))
			if !strings.HasPrefix(kept, "sealed:") || !strings.HasPrefix(outlet, "sealed:") ||
				strings.Contains(kept+outlet, "duffel") || strings.Contains(outlet, "whsec") {
				t.Errorf("kept: %s and %s; want both sealed", kept, outlet)
			}
		})
		t.Run("a row copied to another account does not open", func(t *testing.T) {
			exec(t, `UPDATE secret SET sealed = (SELECT sealed FROM secret WHERE account = $1) WHERE account = $2`,
				prod.ID, dev.ID)
			if got, err := other.Secret(t.Context(), "supplier"); err == nil || strings.Contains(string(got), token) {
				t.Errorf("Secret = %q, %v; want an error", got, err)
			}
		})
		t.Run("a row copied to another name does not open", func(t *testing.T) {
			exec(t, `INSERT INTO secret (account, name, sealed, changed_at) SELECT account, 'mine', sealed, 0 FROM secret WHERE account = $1`, prod.ID)
			if got, err := in.Secret(t.Context(), "mine"); err == nil {
				t.Errorf("Secret = %q; want an error", got)
			}
		})
		t.Run("a value written in clear is not a secret", func(t *testing.T) {
			exec(t, `UPDATE secret SET sealed = 'duffel_live_of_somebody_else' WHERE account = $1 AND name = 'mine'`,
				prod.ID)
			if got, err := in.Secret(t.Context(), "mine"); err == nil || strings.Contains(err.Error(), "somebody") {
				t.Errorf("Secret = %q, %v; want an error that does not contain it", got, err)
			}
		})
		t.Run("without the key nothing opens", func(t *testing.T) {
			none := openWith(t, url, nil)
			wantKind(t, gangway.Invalid, did(none.In(prod.Scope()).Secret(t.Context(), "supplier")))
			wantKind(t, gangway.Invalid, did(none.In(prod.Scope()).OutletSecrets(t.Context(), o.ID)))
			wantKind(t, gangway.Invalid,
				none.In(prod.Scope()).SetSecret(t.Context(), storetest.Operator, "supplier", []byte(token),
					storetest.Began))
		})
		t.Run("an outlet is found without the key, and its secrets can be replaced", func(t *testing.T) {
			fresh := openWith(t, url, newSealer(t, seal.NewKey())).In(prod.Scope())
			outlets, err := fresh.Outlets(t.Context())
			if err != nil || len(outlets) != 1 || outlets[0].ID != o.ID || outlets[0].Secrets != nil {
				t.Fatalf("Outlets = %+v, %v; want the outlet without secrets", outlets, err)
			}
			if got, err := fresh.OutletSecrets(t.Context(), o.ID); err == nil {
				t.Errorf("OutletSecrets = %q; want an error", got)
			}
			must(t, fresh.SetOutletSecrets(t.Context(), storetest.Operator, o.ID, []string{"whsec_replaced"},
				storetest.Began))
			if got, err := fresh.OutletSecrets(t.Context(), o.ID); err != nil ||
				!slices.Equal(got, []string{"whsec_replaced"}) {
				t.Errorf("OutletSecrets = %q, %v", got, err)
			}
		})
	})
}

func TestNoSecretInTheFile(t *testing.T) {
	url := storetest.SQLiteURL(t)
	db := openWith(t, url, storetest.Sealer(t))
	in := db.In(storetest.Account(t, db).Scope())
	must(t, in.SetSecret(t.Context(), storetest.Operator, "supplier", []byte(token), storetest.Began))
	must(t, did(in.SetOutlet(t.Context(), storetest.Operator, gangway.DefaultOutlet,
		storetest.PushTo("https://crew.example.com/sync"), []string{"whsec_newest"}, storetest.Began)))
	files, err := filepath.Glob(strings.TrimPrefix(url, "sqlite:") + "*") // also the log beside it
	if err != nil || len(files) == 0 {
		t.Fatalf("files: %v, %v", files, err)
	}
	found := false
	for _, file := range files {
		content := sure(os.ReadFile(file))(t)
		found = found || bytes.Contains(content, []byte("https://crew.example.com/sync"))
		for _, secret := range []string{token, "whsec_newest"} {
			if bytes.Contains(content, []byte(secret)) {
				t.Errorf("%s contains %s", filepath.Base(file), secret)
			}
		}
	}
	if !found {
		t.Error("the files do not contain what was written at all; the test looks in the wrong place")
	}
}

func TestReseal(t *testing.T) {
	storetest.EachURL(t, func(t *testing.T, url string) {
		old, fresh := seal.NewKey(), seal.NewKey()
		clear := openWith(t, url, nil)
		prod := storetest.Account(t, clear)
		o, err := clear.In(prod.Scope()).SetOutlet(t.Context(), storetest.Operator,
			gangway.DefaultOutlet,
			storetest.PushTo("https://crew.example.com/sync"), []string{"whsec_newest"}, storetest.Began)
		must(t, err)
		wantCount := func(db *store.DB, clear, sealed int) {
			t.Helper()
			if c, s, err := db.CountSecrets(t.Context()); err != nil || c != clear || s != sealed {
				t.Fatalf("CountSecrets = %d in clear, %d sealed, %v; want %d, %d", c, s, err, clear, sealed)
			}
		}
		wantReseal := func(db *store.DB, want int) {
			t.Helper()
			if n, err := db.Reseal(t.Context()); err != nil || n != want {
				t.Fatalf("Reseal = %d, %v; want %d", n, err, want)
			}
		}
		wantBoth := func(db *store.DB) {
			t.Helper()
			if got, err := db.In(prod.Scope()).OutletSecrets(t.Context(), o.ID); err != nil ||
				!slices.Equal(got, []string{"whsec_newest"}) {
				t.Fatalf("OutletSecrets = %q, %v", got, err)
			}
			if got, err := db.In(prod.Scope()).Secret(t.Context(), "supplier"); err != nil || string(got) != token {
				t.Fatalf("Secret = %q, %v", got, err)
			}
		}
		// Without a key an outlet's secrets stay in clear, and can be read.
		wantCount(clear, 1, 0)
		wantReseal(clear, 0)
		if got, err := clear.In(prod.Scope()).OutletSecrets(t.Context(), o.ID); err != nil ||
			!slices.Equal(got, []string{"whsec_newest"}) {
			t.Fatalf("OutletSecrets = %q, %v", got, err)
		}
		// The first key reads what is in clear, and seals it.
		first := openWith(t, url, newSealer(t, old))
		must(t, first.In(prod.Scope()).SetSecret(t.Context(), storetest.Operator, "supplier", []byte(token),
			storetest.Began))
		wantBoth(first)
		wantReseal(first, 1)
		wantCount(first, 0, 2)
		wantBoth(first)
		wantReseal(first, 0)
		// With a newer key before it, everything is sealed with that one.
		second := openWith(t, url, newSealer(t, fresh, old))
		wantBoth(second)
		wantReseal(second, 2)
		wantBoth(second)
		// Then the old key no longer opens anything, and the new one is enough.
		if n, err := first.Reseal(t.Context()); err == nil || n != 0 {
			t.Fatalf("with the old key alone, Reseal = %d, %v; want an error", n, err)
		}
		third := openWith(t, url, newSealer(t, fresh))
		wantBoth(third)
		wantReseal(third, 0)
		if n, err := clear.Reseal(t.Context()); gangway.KindOf(err) != gangway.Invalid || n != 0 {
			t.Fatalf("without keys, Reseal = %d, %v; want Invalid", n, err)
		}
	})
}

func newSealer(t *testing.T, keys ...string) *seal.Sealer {
	t.Helper()
	parsed := sure(seal.ParseKeys(strings.Join(keys, "\n")))(t)
	s := sure(seal.New(parsed...))(t)
	return s
}

// openWith opens a database with a sealer, or with none.
func openWith(t *testing.T, url string, s *seal.Sealer) *store.DB {
	t.Helper()
	db := openURL(t, url)
	if s != nil {
		db.SealWith(s)
	}
	return db
}
