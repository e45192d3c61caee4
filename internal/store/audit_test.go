package store_test

import (
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
				page, err := db.Audit(t.Context(), q, 2)
				must(t, err)
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
