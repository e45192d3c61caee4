package store_test

import (
	"go/ast"
	source "go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/store/storetest"

	"github.com/google/go-cmp/cmp"
)

func TestTheAuditLogIsReadInItsOrder(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		ours, theirs := storetest.Account(t, db), storetest.Account(t, db)
		ana := gangway.ByPerson(gangway.User{Email: "Ana@halcyon.example", Name: "Ana Reyes"}, "192.0.2.7")
		at := storetest.Began.Add(time.Hour)
		for i := range 5 { // all in one millisecond
			must(t, db.In(ours.Scope()).Record(t.Context(), ana, gangway.DocumentShown,
				map[string]any{"n": float64(i)}, at))
		}
		must(t, db.In(theirs.Scope()).Record(t.Context(), ana, gangway.DocumentShown, nil, at))
		must(t, db.Record(t.Context(), gangway.AuditEntry{At: at, By: gangway.ByNobody("192.0.2.9"),
			What: gangway.SignInFailed}))

		for _, newest := range []bool{false, true} {
			q := store.AuditQuery{Customer: ours.Customer.ID, What: gangway.DocumentShown, By: "ana@halcyon.example",
				Newest: newest}
			var got []any
			for {
				page := sure(db.Audit(t.Context(), q, 2))(t)
				if len(page) == 0 {
					break
				}
				for _, e := range page {
					if e.By.Who() != "ana@halcyon.example (Ana Reyes)" || e.By.From != "192.0.2.7" || e.Environment !=
						gangway.Production || e.Before != nil {
						t.Fatalf("Audit = %+v; want what Ana did in production", e)
					}
					got = append(got, e.After["n"])
				}
				last := page[len(page)-1]
				q.After = store.AuditPlace{At: last.At, ID: last.ID}
			}
			want := []any{0.0, 1.0, 2.0, 3.0, 4.0}
			if newest {
				want = []any{4.0, 3.0, 2.0, 1.0, 0.0}
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("Audit, newest first %v:\n%s", newest, diff)
			}
		}
		before, err := db.Audit(t.Context(), store.AuditQuery{By: gangway.Unknown, Until: at}, 10)
		if err != nil || len(before) != 0 {
			t.Errorf("Audit until %v = %v, %v; want nothing", at, before, err)
		}
		since, err := db.Audit(t.Context(), store.AuditQuery{By: gangway.Unknown, Since: at,
			Until: at.Add(time.Millisecond)}, 10)
		if err != nil || len(since) != 1 {
			t.Errorf("Audit since %v = %v, %v; want the failed sign-in", at, since, err)
		}
	})
}

func TestAnAuditEntrySaysWhoDidWhatAndWhen(t *testing.T) {
	db := storetest.New(t)
	by := gangway.ByCommand("root", "bridge")
	for name, e := range map[string]gangway.AuditEntry{
		"nobody":  {At: storetest.Began, What: gangway.SignedIn},
		"nothing": {At: storetest.Began, By: by},
		"never":   {By: by, What: gangway.SignedIn},
	} {
		if err := db.Record(t.Context(), e); err == nil {
			t.Errorf("%s: the entry was written", name)
		}
	}
}

// TestTheAuditLogIsAskedByWhatItWrites: actors are found by what the page shows of
// them, by their address and by words of their name.
func TestTheAuditLogIsAskedByWhatItWrites(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		ours, theirs := storetest.Account(t, db), storetest.Account(t, db)
		for _, by := range []gangway.Actor{
			gangway.ByPerson(gangway.User{Email: "helen@halcyon.example", Name: "Helen Abreu"}, "192.0.2.7"),
			gangway.ByPerson(gangway.User{Email: "jorg@halcyon.example", Name: "Jörg Müller"}, "192.0.2.7"),
			gangway.ByCommand("root", "bridge"), gangway.ByCommand("helen", "bridge"), gangway.BySystem(),
		} {
			must(t, db.In(ours.Scope()).Record(t.Context(), by, gangway.DocumentShown,
				map[string]any{"who": by.Who()}, noon))
		}
		must(t, db.In(theirs.Scope()).Record(t.Context(), gangway.ByCommand("other", "bridge"), gangway.DocumentShown,
			nil, noon))
		const helen, jorg = "helen@halcyon.example (Helen Abreu)", "jorg@halcyon.example (Jörg Müller)"
		for typed, want := range map[string][]string{
			"helen@halcyon.example": {helen}, "HELEN@halcyon.example": {helen}, helen: {helen}, "Helen Abreu": {helen},
			"abreu":       {helen},
			"Jorg Muller": {jorg}, "Müller": {jorg}, "command": {"command helen", "command root"},
			"command root": {"command root"}, "root": {"command root"},
			"system": {"system"}, "unknown": nil, "nobody": nil, "other": nil, "command other": nil, "(": nil,
		} {
			list, err := db.Audit(t.Context(), store.AuditQuery{Customer: ours.Customer.ID, What: gangway.DocumentShown,
				By: typed}, 10)
			must(t, err)
			var got []string
			for _, e := range list {
				got = append(got, e.By.Who())
			}
			slices.Sort(got)
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%s:\n%s", typed, diff)
			}
		}
	})
}

// TestActorsAreReadByIndex holds that finding actors does not read the whole log, however long it is.
func TestActorsAreReadByIndex(t *testing.T) {
	storetest.EachURL(t, func(t *testing.T, url string) {
		db := openURL(t, url)
		beside := raw(t, url)
		for _, s := range []string{`
			INSERT INTO audit (id, at, customer, environment, by_whom, by_name, came_from, what, was, became)
			WITH RECURSIVE number (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < 20000)
			SELECT 'a' || n, n, 'c' || (n % 3), '', 'person' || (n % 50), 'Ana', '', 'sign_in.done', '', ''
			FROM number`, `VACUUM`, `ANALYZE`} {
			must(t, did(beside.ExecContext(t.Context(), s)))
		}
		explain := explainSQLite
		if strings.HasPrefix(url, "postgres") {
			explain = explainPostgres
		}
		plan := explain(t, db.Reader(), store.Statement{Text: store.EachActor, Args: []any{"c1"}})
		for _, bad := range []string{"SCAN ", "TEMP B-TREE", "Seq Scan", "Sort", "Bitmap", "Filter"} {
			if strings.Contains(ofSubquery.ReplaceAllString(plan, ""), bad) {
				t.Errorf("%s in\n%s", bad, plan)
			}
		}
	})
}

// audited matches statements that change what the audit log records.
var audited = regexp.MustCompile(
	`(INSERT INTO|UPDATE|DELETE FROM)\s+(customer|account|person|invitation|credential|outlet|secret)\b`)

// unaudited are the functions that may run such a statement without an actor, each
// with the reason.
var unaudited = map[string]string{
	"Expire":             "what ended by itself",
	"NoteSeen":           "that somebody was seen is not a change by anybody",
	"AcceptInvitation":   "whom it makes a user is who does it",
	"MarkCredentialUsed": "that one was used is not a change by anybody",
	"lockAccount":        "changes nothing",
	"lockCustomer":       "changes nothing",
	"markRemoving":       "RemoveCustomer, which calls it, writes the entry in the same transaction",
	"addOutlet":          "SetOutlet, which calls it, writes the entry in the same transaction",
	"changeOutlet":       "SetOutlet, which calls it, writes the entry in the same transaction",
	"changeCredentials":  "SetOutlet, which calls it through both, writes the entry in the same transaction",
	"writeOutletSecrets": "SetOutlet and SetOutletSecrets, which call it, write the entry in the same transaction",
	"MoveClock":          "one of the steps of an advance, which AdvanceClock records as a whole",
	"OutletAnswers":      "the outlet's health, seen by the service",
	"NoteUnmade":         "the outlet's health, seen by the service",
	"MailDaily":          "when the next mail is due, by what the person chose",
	"setSilent":          "the supplier's health, seen by the service",
	"setOutlet":          "steer, which calls it through both, writes the entry in the same transaction",
	"outletFailed":       "the outlet's health, seen by the service, which records that it switches the outlet off",
	"reseal":             "the same secrets under another of the operator's keys; the server logs it",
}

// TestChangesNeedAnActor holds that whoever changes settings, keys, outlets or people has to say who they are.
func TestChangesNeedAnActor(t *testing.T) {
	found := 0
	eachFunction(t, func(file string, f *ast.FuncDecl) {
		if !changesAudited(f) {
			return
		}
		found++
		if !takesActor(f) && unaudited[f.Name.Name] == "" {
			t.Errorf("%s: %s changes what the audit log records, and takes no gangway.Actor", file, f.Name.Name)
		}
	})
	if found < 10 {
		t.Errorf("only %d functions change settings, keys, outlets and people: the test looks in the wrong place",
			found)
	}
}

// changesAudited reports whether a function contains such a statement.
func changesAudited(f *ast.FuncDecl) (found bool) {
	ast.Inspect(f, func(n ast.Node) bool {
		text, ok := n.(*ast.BasicLit)
		found = found || ok && text.Kind == source.STRING && audited.MatchString(text.Value)
		return !found
	})
	return found
}

func takesActor(f *ast.FuncDecl) bool {
	for _, p := range f.Type.Params.List {
		if kind, ok := p.Type.(*ast.SelectorExpr); ok && kind.Sel.Name == "Actor" {
			return true
		}
	}
	return false
}

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
			{gangway.UserSignedOut, func() error {
				return db.EndSessions(t.Context(), by, customer, "ana@halcyon.example", at)
			}, nil, func() doc { return doc{"user": "usr_1", "email": "ana@halcyon.example"} }},
			{gangway.UserInvited, func() error {
				u := gangway.User{Customer: customer, Email: "Ben@halcyon.example", Name: "Ben", Role: gangway.Booker}
				return db.Invite(t.Context(), by, gangway.Invitation{User: u, At: at}, "hash of a token")
			}, nil, func() doc { return doc{"email": "ben@halcyon.example", "name": "Ben", "role": "booker"} }},
			{gangway.UserUninvited, func() error {
				return db.WithdrawInvitation(t.Context(), by, customer, "ben@halcyon.example", at)
			}, func() doc { return doc{"email": "ben@halcyon.example", "name": "Ben", "role": "booker"} }, nil},
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
			last := sure(db.Audit(t.Context(), store.AuditQuery{Customer: customer, Newest: true}, 1))(t)
			want := gangway.AuditEntry{At: at, By: by, Customer: customer, Environment: gangway.Production,
				What: c.what}
			if strings.HasPrefix(string(c.what), "user.") {
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

// TestEntriesAreNeverChanged holds that no statement of the program changes an entry, but for those that give it its
// place in the chain and that erase a traveller from it.
func TestEntriesAreNeverChanged(t *testing.T) {
	files := sure(filepath.Glob("*.go"))(t)
	change := regexp.MustCompile(`UPDATE audit\b(?: SET seq = \$2, salt = \$3, digest = \$4, hash = \$5 WHERE| ` +
		`SET was = '', became = '{"erased":true}', salt = '')?|INTO audit\b[^` + "`" + `]*ON CONFLICT`)
	for _, file := range files {
		text := sure(os.ReadFile(file))(t)
		for _, found := range change.FindAllString(string(text), -1) {
			if !strings.HasSuffix(file, "_test.go") && !strings.Contains(found, "SET") {
				t.Errorf("%s changes an entry of the audit log", file)
			}
		}
	}
}

func countAudit(t *testing.T, db *store.DB) int {
	t.Helper()
	list := sure(db.Audit(t.Context(), store.AuditQuery{}, 1000))(t)
	return len(list)
}
