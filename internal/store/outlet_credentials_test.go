package store_test

import (
	"bytes"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"gangway/internal/deliver"
	"gangway/internal/gangway"
	"gangway/internal/seal"
	"gangway/internal/store"
	"gangway/internal/store/storetest"
	"gangway/internal/transport"
	"gangway/internal/transport/endpoint"
	"gangway/internal/transport/transporttest"
)

const crewing = "https://crew.example.com/sync"

// setter sets outlets up, and looks nothing up.
var setter = deliver.Setter{Kinds: []transport.Kind{withoutReach(endpoint.Outlet)}, Now: func() time.Time {
	return storetest.Began
}}

func withoutReach(k transport.Kind) transport.Kind {
	k.Reach = nil
	return k
}

// setWith sets the account's outlet, with credentials as somebody writes them.
func setWith(t *testing.T, in store.Scoped, url string, members map[string]string) (gangway.Outlet, error) {
	t.Helper()
	done, err := setter.Set(t.Context(), in, storetest.Operator, gangway.DefaultOutlet,
		func(o gangway.Outlet) (gangway.Outlet, error) {
			o, err := deliver.PostTo(url)(o)
			var settings map[string]any
			if err := json.Unmarshal(o.Transport.Settings, &settings); err != nil {
				return o, err
			}
			if members != nil {
				settings["auth"] = members
			}
			if err == nil {
				o.Transport.Settings, err = json.Marshal(settings)
			}
			return o, err
		})
	return done.Outlet, err
}

func mustSet(t *testing.T, in store.Scoped, url string, members map[string]string) gangway.Outlet {
	t.Helper()
	o := sure(setWith(t, in, url, members))(t)
	return o
}

// credentialsOf returns the credentials of the account's outlet, unsealed.
func credentialsOf(t *testing.T, in store.Scoped) (c gangway.Credentials, err error) {
	t.Helper()
	o, err := in.OutletToChange(t.Context(), gangway.DefaultOutlet)
	if err == nil {
		err = o.Unopened
	}
	if err != nil {
		return c, err
	}
	whole, err := transport.Merge(o.Transport.Settings, json.RawMessage(o.Transport.Secrets))
	if err != nil {
		return c, err
	}
	var settings struct{ Auth json.RawMessage }
	if err := json.Unmarshal(whole, &settings); err != nil {
		return c, err
	}
	return transport.ReadAuth(settings.Auth)
}

func wantCredentials(t *testing.T, in store.Scoped, want gangway.Credentials) {
	t.Helper()
	if got, err := credentialsOf(t, in); err != nil || got != want {
		t.Errorf("the credentials are %s, %v; want %s as given", got, err, want)
	}
}

func TestOutletCredentials(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		in := db.In(storetest.Account(t, db).Scope())
		basic := gangway.Credentials{Kind: "basic", User: "crew", Password: "tide tables"}
		mustSet(t, in, crewing, map[string]string{"kind": "basic", "user": "crew", "password": "tide tables"})
		wantCredentials(t, in, basic)

		t.Run("lists show no secret", func(t *testing.T) {
			list, err := in.Outlets(t.Context())
			if err != nil || len(list) != 1 || list[0].Authentication() != "basic" ||
				list[0].Transport.Secrets != nil || strings.Contains(string(list[0].Transport.Settings), "tide") {
				t.Errorf("Outlets = %s, %v; want the kind, and no secret", list[0].Transport.Settings, err)
			}
		})
		t.Run("what is left out is kept", func(t *testing.T) {
			mustSet(t, in, crewing+"/v2", nil)
			wantCredentials(t, in, basic)
			mustSet(t, in, crewing, map[string]string{"kind": "basic", "user": "crew"})
			wantCredentials(t, in, basic)
		})
		t.Run("another system, or another user, is not shown them, and nothing is changed", func(t *testing.T) {
			for url, members := range map[string]map[string]string{
				"https://ships.example.com/sync":     nil,
				"https://crew.example.com:8443/sync": nil,
				"http://crew.example.com/sync":       nil,
				"https://ships.example.com/other":    {"kind": "basic", "user": "crew"},
				crewing:                              {"kind": "bearer"},
				crewing + "/fleet":                   {"kind": "basic", "user": "fleet"},
			} {
				wantKind(t, gangway.Invalid, did(setWith(t, in, url, members)))
			}
			if list, err := in.Outlets(t.Context()); err != nil || list[0].Address() != crewing ||
				list[0].Authentication() != "basic" {
				t.Errorf("Outlets = %v, %v; want it as it was", list, err)
			}
		})
		t.Run("another kind replaces them, and none removes them", func(t *testing.T) {
			mustSet(t, in, "https://ships.example.com/sync", map[string]string{"kind": "header", "name": "X-Api-Key",
				"value": "k1"})
			wantCredentials(t, in, gangway.Credentials{Kind: "header", Name: "X-Api-Key", Value: "k1"})
			mustSet(t, in, "https://ships.example.com/sync", map[string]string{"kind": "none"})
			wantCredentials(t, in, gangway.Credentials{Kind: "none"})
			mustSet(t, in, crewing, nil)
		})
	})
}

// TestOutletCredentialsAtRest looks at what the database itself contains, and
// takes the keys away.
func TestOutletCredentialsAtRest(t *testing.T) {
	authority := sure(transporttest.NewAuthority())(t)
	certificate, key := authority.Issue(t, time.Now().AddDate(1, 0, 0), x509.ExtKeyUsageClientAuth)
	given := []map[string]string{
		{"kind": "basic", "user": "crew", "password": "p4ssw0rd-of-halcyon"},
		{"kind": "bearer", "token": "t0ken-of-halcyon"},
		{"kind": "header", "name": "X-Api-Key", "value": "v4lue-of-halcyon"},
		{"kind": "certificate", "certificate": certificate, "key": key},
	}
	secrets := []string{
		"p4ssw0rd-of-halcyon", base64.StdEncoding.EncodeToString([]byte("crew:p4ssw0rd-of-halcyon")),
		"t0ken-of-halcyon", "v4lue-of-halcyon", strings.Split(key, "\n")[1], strings.Split(key, "\n")[2],
	}
	storetest.EachURL(t, func(t *testing.T, url string) {
		old, fresh := seal.NewKey(), seal.NewKey()
		clear := openWith(t, url, nil)
		prod, dev := storetest.Accounts(t, clear)
		t.Run("without a key none are stored", func(t *testing.T) {
			wantKind(t, gangway.Invalid, did(setWith(t, clear.In(prod.Scope()), crewing, given[0])))
			if list, err := clear.In(prod.Scope()).Outlets(t.Context()); err != nil || len(list) != 0 {
				t.Errorf("Outlets = %v, %v; want none", list, err)
			}
		})
		db := openWith(t, url, newSealer(t, old))
		in := db.In(prod.Scope())
		for _, members := range given {
			mustSet(t, in, crewing, members)
		}
		other := mustSet(t, db.In(dev.Scope()), crewing, given[1])
		token := gangway.Credentials{Kind: "bearer", Token: "t0ken-of-halcyon"}
		t.Run("no secret is in the database", func(t *testing.T) {
			everything := dumpOf(t, url)
			if !bytes.Contains(everything, []byte(crewing)) {
				t.Fatal("the test looks in the wrong place")
			}
			for _, secret := range secrets {
				if bytes.Contains(everything, []byte(secret)) {
					t.Errorf("%q is there", secret)
				}
			}
		})
		t.Run("the audit log records their kind", func(t *testing.T) {
			entries := sure(db.Audit(t.Context(), store.AuditQuery{Customer: prod.Customer.ID, Newest: true}, 2))(t)
			last := entries[1] // the newest is the other account's
			if last.Before["auth"] != "header" || last.After["auth"] != "certificate" || last.After["secrets_given"] !=
				true || len(last.After) != 7 {
				t.Errorf("before %v, after %v; want the kinds", last.Before, last.After)
			}
		})
		operator := raw(t, url)
		t.Run("a row copied to another account, or from the signing secrets, does not open", func(t *testing.T) {
			for _, from := range []string{"credentials", "secrets"} {
				_, err := operator.ExecContext(t.Context(), `UPDATE outlet SET credentials = (SELECT `+from+
					` FROM outlet WHERE account = $1) WHERE account = $2`, prod.ID, dev.ID)
				must(t, err)
				if got, err := credentialsOf(t, db.In(dev.Scope())); err == nil {
					t.Errorf("from %s: %s; want an error", from, got)
				}
			}
			mustSet(t, db.In(dev.Scope()), crewing, given[1])
		})
		t.Run("keys are changed", func(t *testing.T) {
			second := openWith(t, url, newSealer(t, fresh, old))
			if n, err := second.Reseal(t.Context()); err != nil || n != 4 {
				t.Fatalf("Reseal = %d, %v; want two outlets' secrets and credentials", n, err)
			}
			if clear, sealed, err := second.CountSecrets(t.Context()); err != nil || clear != 0 || sealed != 4 {
				t.Errorf("CountSecrets = %d in clear, %d sealed, %v", clear, sealed, err)
			}
			third := openWith(t, url, newSealer(t, fresh))
			wantCredentials(t, third.In(dev.Scope()), token)
			wantCredentials(t, third.In(prod.Scope()), gangway.Credentials{Kind: "certificate",
				Certificate: certificate, Key: key})
		})
		t.Run("an operator who has lost the key gives them again", func(t *testing.T) {
			lost := openWith(t, url, newSealer(t, seal.NewKey())).In(dev.Scope())
			must(t, lost.SetOutletSecrets(t.Context(), storetest.Operator, other.ID, []string{"whsec_replaced"},
				storetest.Began))
			if _, err := setWith(t, lost, crewing, map[string]string{"kind": "bearer"}); err == nil ||
				strings.Contains(err.Error(), "halcyon") {
				t.Errorf("SetOutlet = %v; want an error, because what is stored does not open", err)
			}
			mustSet(t, lost, crewing, given[1])
			wantCredentials(t, lost, token)
		})
	})
}

// dumpOf is everything that can be read from a database: for SQLite, every byte of its files.
func dumpOf(t *testing.T, url string) []byte {
	t.Helper()
	if path, ok := strings.CutPrefix(url, "sqlite:"); ok {
		var all []byte
		for _, suffix := range []string{"", "-wal", "-journal"} {
			if part, err := os.ReadFile(path + suffix); err == nil {
				all = append(all, part...)
			}
		}
		return all
	}
	out, err := exec.Command("pg_dump", "--inserts", url).Output()
	if err != nil {
		t.Fatalf("pg_dump: %v", err)
	}
	return out
}
