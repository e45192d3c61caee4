package store_test

import (
	"strconv"
	"testing"
	"time"

	"gangway/internal/store"
	"gangway/internal/store/storetest"
)

// TestReportNetworks holds that an account's login is known in its 20 latest networks, for 30 days.
func TestReportNetworks(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		prod, dev := storetest.Accounts(t, db)
		in, now := db.In(prod.Scope()), storetest.Began
		known := func(in store.Scoped, login string) (n int) {
			for i := range 30 {
				seen := sure(in.ReportLoginSeen(t.Context(), login, strconv.Itoa(i), now))(t)
				if !seen.IsZero() {
					n++
				}
			}
			return n
		}
		for i := range 25 {
			now = now.Add(time.Hour)
			for range 2 {
				must(t, in.MarkReportLoginSeen(t.Context(), "report_prod", strconv.Itoa(i), now))
			}
		}
		seen, err := in.ReportLoginSeen(t.Context(), "report_prod", "24", now)
		if err != nil || !seen.Equal(now) || known(in, "report_prod") != 20 {
			t.Errorf("it was seen in the latest at %v (%v), and in %d; want 20", seen, err, known(in, "report_prod"))
		}
		if n := known(db.In(dev.Scope()), "report_prod") + known(in, "report_other"); n != 0 {
			t.Errorf("another login was seen in %d", n)
		}
		if now = now.Add(30 * 24 * time.Hour); known(in, "report_prod") != 0 {
			t.Error("they are known after 30 days")
		}
	})
}
