package store_test

import (
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"gangway"
	"gangway/internal/store"
	"gangway/internal/store/storetest"
)

func TestHandoffs(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		prod, _ := storetest.Accounts(t, db)
		in := db.In(prod.Scope())
		at := storetest.Began
		read := func(doc []byte) (gangway.Search, error) {
			return gangway.Search{ID: "from " + string(doc), By: "booker@example.com", CreatedAt: at}, nil
		}
		leave := func(hash string) {
			t.Helper()
			if err := db.SaveHandoff(t.Context(), hash, []byte(hash), at); err != nil {
				t.Fatal(err)
			}
		}

		t.Run("a hand-off becomes a search of the account that claims it", func(t *testing.T) {
			leave("a")
			if _, err := in.ClaimHandoff(t.Context(), "a", at.Add(59*time.Minute), read); err != nil {
				t.Fatal(err)
			}
			if _, err := in.Search(t.Context(), "from a"); err != nil {
				t.Fatal(err)
			}
		})
		t.Run("of many who claim it at once, one gets it", func(t *testing.T) {
			leave("b")
			var got atomic.Int32
			var wait sync.WaitGroup
			for range 8 {
				wait.Go(func() {
					_, err := in.ClaimHandoff(t.Context(), "b", at, read)
					switch {
					case err == nil:
						got.Add(1)
					case gangway.KindOf(err) != gangway.NotFound:
						t.Errorf("err = %v; want NotFound", err)
					}
				})
			}
			wait.Wait()
			if got.Load() != 1 {
				t.Fatalf("%d got it; want 1", got.Load())
			}
		})
		t.Run("after an hour it is gone", func(t *testing.T) {
			leave("c")
			if _, err := in.ClaimHandoff(t.Context(), "c", at.Add(time.Hour), read); gangway.KindOf(err) != gangway.NotFound {
				t.Fatalf("err = %v; want NotFound", err)
			}
		})
		t.Run("one that cannot be read stays", func(t *testing.T) {
			leave("d")
			broken := errors.New("broken")
			_, err := in.ClaimHandoff(t.Context(), "d", at, func([]byte) (gangway.Search, error) { return gangway.Search{}, broken })
			if !errors.Is(err, broken) {
				t.Fatalf("err = %v; want %v", err, broken)
			}
			if _, err := in.ClaimHandoff(t.Context(), "d", at, read); err != nil {
				t.Fatal(err)
			}
		})
	})
}
