package store_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/store/storetest"
)

// TestDeliveryPlans holds that no statement of a delivery reads more because an account has a history: each finds
// its rows by their key, or in an index of what is due.
func TestDeliveryPlans(t *testing.T) {
	storetest.EachURL(t, func(t *testing.T, url string) {
		db := sure(store.Open(t.Context(), url))(t)
		defer db.Close()
		account := storetest.Account(t, db)
		must(t, did(db.In(account.Scope()).SetOutlet(t.Context(), storetest.Operator, gangway.DefaultOutlet,
			storetest.PushTo("https://crew.example.com/"), nil, noon)))
		beside := raw(t, url)
		numbers, explain := `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20000) `, explainSQLite
		for _, into := range []string{
			`INSERT INTO action (account, booking, seq, name, at, by_whom, note, snapshot)
			SELECT 'a', 'b' || i, 1, 'confirmed', i, 'ana@example.com', '', '{}' FROM n`,
			`INSERT INTO delivery (account, outlet, booking, seq, id, state, made_at, done_at, attempts)
			SELECT 'a', 'o', 'b' || i, 1, 'd', 'done', i, i, 1 FROM n`,
			`INSERT INTO delivery (account, outlet, booking, seq, id, state, made_at, done_at, attempts)
			SELECT 'a', 'q', 'many', i, 'm', 'parked', 0, 0, 1 FROM n WHERE i < 1200`,
			`INSERT INTO lane (account, outlet, booking, pending, due, tries, first_at, lease, holder)
			SELECT 'a', 'o', 'b' || i, 0, i, 0, 0, 0, '' FROM n`,
		} {
			must(t, did(beside.ExecContext(t.Context(), numbers+into)))
		}
		find := func(when string) {
			t.Helper()
			for name, s := range db.DeliveryStatements() {
				plan := explain(t, beside, s)
				for line := range strings.Lines(plan) {
					for _, table := range []string{"lane", "delivery", "action", " l ", " d ", " a "} {
						all := strings.Contains(line, "SCAN") && strings.Contains(line+" ", table) ||
							strings.Contains(line, "Seq Scan on "+strings.TrimSpace(table)) ||
							strings.Contains(line, "Index Cond:") && strings.Contains(line, "(outlet = ") &&
								!strings.Contains(line, "booking = ") && !strings.Contains(line, "due <= ")
						if all || strings.Contains(line, "delivery_due") || strings.HasSuffix(line, "(account=?)\n") {
							t.Errorf("%s reads too much %s: %s in\n%s", name, when, line, plan)
						}
					}
				}
			}
		}
		if strings.HasPrefix(url, "postgres") {
			explain = explainPostgres
			find("before the tables are known")
			must(t, did(beside.ExecContext(t.Context(), `ANALYZE`)))
		}
		// What another outlet had in a span of time is not counted with this one's.
		history := db.In(gangway.Scope{Account: "a"})
		for outlet, want := range map[string]gangway.Kind{"o": gangway.Invalid, "p": gangway.KindOf(nil)} {
			span, err := history.DeliveriesIn(t.Context(), outlet, time.Unix(0, 0), noon)
			if gangway.KindOf(err) != want || span != 0 {
				t.Errorf("outlet %s had %d, %v; want it refused for too many, and 0 for the other", outlet, span,
					err)
			}
		}
		// A list says that it is cut.
		for of, list := range map[string]func(context.Context, string) ([]store.DeliveryStatus, error){
			"many": history.DeliveryStatuses, "q": history.Parked} {
			if rows, err := list(t.Context(), of); err != nil || len(rows) != store.DeliveriesListed+1 {
				t.Errorf("%d deliveries of %s are listed, %v; want one more than a list has", len(rows), of, err)
			}
		}
		find("beside a history")
	})
}
