package store_test

import (
	"testing"
	"time"

	"gangway"
	"gangway/internal/store"
	"gangway/internal/store/storetest"
)

func TestReportLogins(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		prod, other := storetest.Account(t, db), storetest.Account(t, db)
		in, at := db.In(prod.Scope()), storetest.Began
		if err := in.CreateReportLogin(t.Context(), storetest.Operator, "report-k3v9", "hash", at); err != nil {
			t.Fatal(err)
		}
		login, hash, err := db.ReportLogin(t.Context(), "report-k3v9")
		if err != nil || login.Account != prod.ID || hash != "hash" {
			t.Fatalf("ReportLogin = %+v, %q, %v; want that of %q with its hash", login, hash, err, prod.ID)
		}
		if _, _, err := db.ReportLogin(t.Context(), "report-none"); gangway.KindOf(err) != gangway.NotFound {
			t.Fatalf("ReportLogin = %v; want NotFound", err)
		}
		if err := in.MarkReportLoginUsed(t.Context(), "report-k3v9", at.Add(time.Hour)); err != nil {
			t.Fatal(err)
		}
		err = db.In(other.Scope()).RevokeReportLogin(t.Context(), storetest.Operator, "report-k3v9", at)
		if gangway.KindOf(err) != gangway.NotFound {
			t.Errorf("another account revokes it with %v; want NotFound", err)
		}
		for range 2 {
			err := in.RevokeReportLogin(t.Context(), storetest.Operator, "report-k3v9", at.Add(2*time.Hour))
			if err != nil {
				t.Fatal(err)
			}
		}
		if _, _, err := db.ReportLogin(t.Context(), "report-k3v9"); gangway.KindOf(err) != gangway.NotFound {
			t.Errorf("a revoked login is found with %v; want NotFound", err)
		}
		list, err := in.ReportLogins(t.Context())
		if err != nil || len(list) != 1 || !list[0].UsedAt.Equal(at.Add(time.Hour)) ||
			!list[0].RevokedAt.Equal(at.Add(2*time.Hour)) {
			t.Errorf("the logins are %+v, %v; want one, used and revoked", list, err)
		}
	})
}
