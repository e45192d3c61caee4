package store_test

import (
	"testing"
	"time"

	"gangway"
	"gangway/internal/store"
	"gangway/internal/store/storetest"

	"github.com/google/go-cmp/cmp"
)

func TestKeys(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		at := time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)
		prod, dev := storetest.Accounts(t, db)
		k := store.Key{ID: "key_1", Account: prod.ID, Shown: "gw_live_7Gd2…", CreatedAt: at}
		if err := db.In(prod.Scope()).CreateKey(t.Context(), storetest.Operator, k, "hash-1"); err != nil {
			t.Fatal(err)
		}

		t.Run("a key leads to its account", func(t *testing.T) {
			if got, err := db.KeyByHash(t.Context(), "hash-1"); err != nil || got != k {
				t.Fatalf("KeyByHash = %+v, %v; want %+v", got, err, k)
			}
		})
		t.Run("an unknown key is not found", func(t *testing.T) {
			if _, err := db.KeyByHash(t.Context(), "hash-2"); gangway.KindOf(err) != gangway.NotFound {
				t.Fatalf("KeyByHash = %v; want NotFound", err)
			}
		})
		t.Run("use is noted once a minute", func(t *testing.T) {
			for _, use := range []struct{ after, want time.Duration }{
				{10 * time.Second, 10 * time.Second},
				{69 * time.Second, 10 * time.Second},
				{70 * time.Second, 70 * time.Second},
			} {
				if err := db.In(prod.Scope()).MarkKeyUsed(t.Context(), k.ID, at.Add(use.after)); err != nil {
					t.Fatal(err)
				}
				got, err := db.KeyByHash(t.Context(), "hash-1")
				if err != nil || !got.UsedAt.Equal(at.Add(use.want)) {
					t.Fatalf("after use at %v: UsedAt %v, %v; want %v", use.after, got.UsedAt.Sub(at), err, use.want)
				}
			}
		})
		t.Run("another account cannot revoke it", func(t *testing.T) {
			if err := db.In(dev.Scope()).RevokeKey(t.Context(), storetest.Operator, k.ID, at); gangway.KindOf(err) !=
				gangway.NotFound {
				t.Fatalf("RevokeKey = %v; want NotFound", err)
			}
		})
		t.Run("a revoked key is not found, but listed", func(t *testing.T) {
			for _, minute := range []time.Duration{5, 6} {
				if err := db.In(prod.Scope()).RevokeKey(t.Context(), storetest.Operator, k.ID,
					at.Add(minute*time.Minute)); err != nil {
					t.Fatal(err)
				}
			}
			if _, err := db.KeyByHash(t.Context(), "hash-1"); gangway.KindOf(err) != gangway.NotFound {
				t.Fatalf("KeyByHash = %v; want NotFound", err)
			}
			want := k
			want.RevokedAt, want.UsedAt = at.Add(5*time.Minute), at.Add(70*time.Second)
			got, err := db.In(prod.Scope()).Keys(t.Context())
			if diff := cmp.Diff([]store.Key{want}, got); err != nil || diff != "" {
				t.Fatalf("Keys: %v\n%s", err, diff)
			}
		})
		t.Run("another environment has keys of its own", func(t *testing.T) {
			if got, err := db.In(dev.Scope()).Keys(t.Context()); err != nil || len(got) != 0 {
				t.Fatalf("Keys = %+v, %v; want none", got, err)
			}
		})
	})
}
