package store_test

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"
	"time"

	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/store/storetest"

	"github.com/google/go-cmp/cmp"
)

// TestEachChangeLeavesAnEntry holds that every change of settings, keys, outlets and
// people is in the log, with what changed and without anything secret.
func TestEachChangeLeavesAnEntry(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		prod := storetest.Account(t, db)
		in, customer := db.In(prod.Scope()), prod.Customer.ID
		by := gangway.ByCommand("ines", "bridge")
		at := storetest.Began.Add(time.Hour)
		var outlet gangway.Outlet
		type doc = map[string]any
		for _, c := range []struct {
			what          gangway.AuditEvent
			change        func() error
			before, after func() doc
		}{
			{gangway.UserCreated, func() error {
				u := gangway.User{ID: "usr_1", Customer: customer, Email: "Ana@halcyon.example", Name: "Ana Reyes",
					Role: gangway.Booker}
				return db.CreateUser(t.Context(), by, u, "hash of a password", at)
			}, nil, func() doc {
				return doc{"user": "usr_1", "email": "ana@halcyon.example", "name": "Ana Reyes", "role": "booker"}
			}},
			{gangway.SettingsChanged, func() error {
				_, err := in.UpdateSettings(t.Context(), by, at, func(s *gangway.Settings) error {
					s.AutoIssue, s.Approval.Mode = true, gangway.ApproveAlways
					return nil
				})
				return err
			}, func() doc {
				return doc{"approval": "none", "auto_issue": false}
			}, func() doc { return doc{"approval": "always", "auto_issue": true} }},
			{gangway.SecretSet, func() error {
				return in.SetSecret(t.Context(), by, "duffel token", []byte("very secret"), at)
			},
				nil, func() doc { return doc{"secret": "duffel token"} }},
			{gangway.KeyCreated, func() error {
				return in.CreateCredential(t.Context(), by, store.Credential{Kind: store.APIKey, ID: "key_1",
					Shown: "gw_live_7Gd2…", CreatedAt: at}, "hash of a key")
			}, nil, func() doc { return doc{"key": "key_1", "begins": "gw_live_7Gd2…"} }},
			{gangway.KeyRevoked, func() error {
				return in.RevokeCredential(t.Context(), by, store.APIKey, "key_1", at)
			},
				func() doc { return doc{"key": "key_1", "begins": "gw_live_7Gd2…"} }, nil},
			{gangway.ReportLoginCreated, func() error {
				return in.CreateCredential(t.Context(), by, store.Credential{Kind: store.ReportLogin, ID: "report_1",
					CreatedAt: at}, "hash")
			},
				nil, func() doc { return doc{"report_user": "report_1"} }},
			{gangway.ReportLoginRevoked, func() error {
				return in.RevokeCredential(t.Context(), by, store.ReportLogin, "report_1", at)
			},
				func() doc { return doc{"report_user": "report_1"} }, nil},
			{gangway.OutletSet, func() (err error) {
				outlet, err = in.SetOutlet(t.Context(), by, gangway.DefaultOutlet,
					storetest.PushTo("https://crew.example.com/sync?token=very-secret"), []string{"whsec_secret"}, at)
				return err
			}, nil, func() doc {
				return doc{"outlet": outlet.ID, "name": "default", "kind": "endpoint",
					"to": "https://crew.example.com/sync?…", "off": false}
			}},
			{gangway.OutletSet, func() error {
				_, err := in.SetOutlet(t.Context(), by, gangway.DefaultOutlet,
					storetest.PushTo("https://ships.example.com/sync"),
					[]string{"whsec_secret"}, at)
				return err
			}, func() doc {
				return doc{"outlet": outlet.ID, "name": "default", "kind": "endpoint",
					"to": "https://crew.example.com/sync?…", "off": false}
			}, func() doc {
				return doc{"outlet": outlet.ID, "name": "default", "kind": "endpoint",
					"to": "https://ships.example.com/sync", "off": false}
			}},
			{gangway.OutletRotated, func() error {
				return in.SetOutletSecrets(t.Context(), by, outlet.ID, []string{"whsec_secret", "whsec_older"}, at)
			}, nil, func() doc { return doc{"outlet": outlet.ID, "signatures": 2.0} }},
		} {
			if err := c.change(); err != nil {
				t.Fatalf("%s: %v", c.what, err)
			}
			last, err := db.Audit(t.Context(), store.AuditQuery{Customer: customer, Newest: true}, 1)
			must(t, err)
			want := gangway.AuditEntry{At: at, By: by, Customer: customer, Environment: gangway.Production,
				What: c.what}
			if c.what == gangway.UserCreated {
				want.Environment = "" // people work in both
			}
			if c.before != nil {
				want.Before = c.before()
			}
			if c.after != nil {
				want.After = c.after()
			}
			want.ID = last[0].ID
			if diff := cmp.Diff(want, last[0]); diff != "" {
				t.Errorf("%s:\n%s", c.what, diff)
			}
		}

		t.Run("what changes nothing leaves no entry", func(t *testing.T) {
			before := countAudit(t, db)
			must(t, did(in.UpdateSettings(t.Context(), by, at, func(*gangway.Settings) error {
				return nil
			})))
			must(t, in.RevokeCredential(t.Context(), by, store.APIKey, "key_1", at))
			if n, err := in.ReplayAll(t.Context(), by, outlet.ID, at); n != 0 || err != nil {
				t.Fatalf("ReplayAll = %d, %v; want nothing", n, err)
			}
			if after := countAudit(t, db); after != before {
				t.Errorf("%d entries were written; want none", after-before)
			}
		})
		t.Run("a change by nobody is not made", func(t *testing.T) {
			nobody := gangway.Actor{}
			if err := in.CreateCredential(t.Context(), nobody, store.Credential{Kind: store.ReportLogin, ID: "report_2",
				CreatedAt: at}, "hash"); err == nil {
				t.Error("a report login was created by nobody")
			}
			if _, _, err := db.ReportLogin(t.Context(), "report_2"); gangway.KindOf(err) != gangway.NotFound {
				t.Errorf("ReportLogin = %v; want NotFound", err)
			}
			if _, _, err := db.CreateCustomer(t.Context(), nobody, "Borealis Reefers", at); err == nil {
				t.Error("a customer was created by nobody")
			}
			if customers, err := db.Customers(t.Context()); err != nil || len(customers) != 1 {
				t.Errorf("Customers = %v, %v; want one", customers, err)
			}
		})
	})
}

// TestAChangeWithoutItsEntryIsNotMade holds that while the log cannot be written, nothing that belongs in it is done.
func TestAChangeWithoutItsEntryIsNotMade(t *testing.T) {
	storetest.EachURL(t, func(t *testing.T, url string) {
		db := openURL(t, url)
		prod := storetest.Account(t, db)
		in, by := db.In(prod.Scope()), storetest.Operator
		must(t, in.CreateCredential(t.Context(), by, store.Credential{Kind: store.APIKey, ID: "key_1",
			CreatedAt: storetest.Began}, "hash"))
		operator := raw(t, url)
		must(t, did(operator.ExecContext(t.Context(), `ALTER TABLE audit RENAME TO lost`)))
		if err := in.RevokeCredential(t.Context(), by, store.APIKey, "key_1", storetest.Began); err == nil {
			t.Error("the key was revoked without an entry")
		}
		if _, err := db.KeyByHash(t.Context(), "hash"); err != nil {
			t.Errorf("KeyByHash = %v; want the key, which was not revoked", err)
		}
	})
}

// TestEntriesAreNeverChanged holds that no statement of the program changes an entry.
func TestEntriesAreNeverChanged(t *testing.T) {
	files, err := filepath.Glob("*.go")
	must(t, err)
	change := regexp.MustCompile(`UPDATE audit\b|INTO audit\b[^` + "`" + `]*ON CONFLICT`)
	for _, file := range files {
		text, err := os.ReadFile(file)
		must(t, err)
		if at := change.FindIndex(text); at != nil && file != "audit_changes_test.go" {
			t.Errorf("%s changes an entry of the audit log", file)
		}
	}
}

func countAudit(t *testing.T, db *store.DB) int {
	t.Helper()
	list, err := db.Audit(t.Context(), store.AuditQuery{}, 1000)
	must(t, err)
	return len(list)
}
