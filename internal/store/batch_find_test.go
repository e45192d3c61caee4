package store_test

import (
	"testing"
	"time"

	"gangway/internal/store"
	"gangway/internal/store/storetest"
)

func TestBatchesAreFound(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		in := db.In(storetest.Account(t, db).Scope())
		if _, found, err := in.LastBatch(t.Context(), "s"); found || err != nil {
			t.Fatalf("found %v, %v; want none", found, err)
		}
		begin := func(id string, at time.Time, bookings ...string) {
			b := crewBatch(id, bookings...)
			b.Change, b.CreatedAt = "id:CC-1", at
			if _, _, err := in.BeginBatch(t.Context(), b, at.Add(time.Hour)); err != nil {
				t.Fatal(err)
			}
		}
		begin("first", noon, "a", "b")
		begin("second", noon.Add(time.Minute), "c")
		must(t, in.SettleItem(t.Context(), "second", "c", store.ItemDone, ""))
		if b, found, err := in.LastBatch(t.Context(), "s"); err != nil || !found || b.ID != "first" || b.Pending != 2 ||
			b.All != 2 || b.By.Name != "Ana" {
			t.Errorf("last = %+v, %v, %v; want the first, which is being worked on", b, found, err)
		}
		if m, err := in.BatchesUnderWay(t.Context()); err != nil || len(m) != 1 || m["id:CC-1"].ID != "first" {
			t.Errorf("under way = %+v, %v; want the first for its crew change", m, err)
		}
		for _, booking := range []string{"a", "b"} {
			must(t, in.SettleItem(t.Context(), "first", booking, store.ItemRefused, "gone"))
		}
		if b, _, err := in.LastBatch(t.Context(), "s"); err != nil || b.ID != "second" || b.Pending != 0 {
			t.Errorf("last = %+v, %v; want the second", b, err)
		}
		if m, err := in.BatchesUnderWay(t.Context()); err != nil || len(m) != 0 {
			t.Errorf("under way = %+v, %v; want none", m, err)
		}
		stranger := db.In(storetest.Account(t, db).Scope())
		if _, found, err := stranger.LastBatch(t.Context(), "s"); found || err != nil {
			t.Errorf("another account finds it: %v, %v", found, err)
		}
	})
}
