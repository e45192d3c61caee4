package store_test

import (
	"bytes"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"gangway/internal/gangway"
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
			must(t, db.SaveHandoff(t.Context(), hash, "192.0.2.1/32", []byte(hash), store.DefaultHandoffCapacity,
				at))
		}

		t.Run("a hand-off becomes a search of the account that claims it", func(t *testing.T) {
			leave("a")
			must(t, did(in.ClaimHandoff(t.Context(), "a", at.Add(59*time.Minute), read)))
			must(t, did(in.Search(t.Context(), "from a")))
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
			wantKind(t, gangway.NotFound, did(in.ClaimHandoff(t.Context(), "c", at.Add(time.Hour), read)))
		})
		t.Run("one that cannot be read stays", func(t *testing.T) {
			leave("d")
			broken := errors.New("broken")
			_, err := in.ClaimHandoff(t.Context(), "d", at, func([]byte) (gangway.Search, error) {
				return gangway.Search{}, broken
			})
			if !errors.Is(err, broken) {
				t.Fatalf("err = %v; want %v", err, broken)
			}
			must(t, did(in.ClaimHandoff(t.Context(), "d", at, read)))
		})
	})
}

func TestHandoffCapacity(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		prod, _ := storetest.Accounts(t, db)
		in, at := db.In(prod.Scope()), storetest.Began
		capacity := store.HandoffCapacity{Network: 4 << 10, All: 10 << 10}
		n := 0
		leave := func(network string, at time.Time) (hash string, err error) {
			n++
			hash = fmt.Sprint(n)
			return hash, db.SaveHandoff(t.Context(), hash, network, bytes.Repeat([]byte("x"), 1400), capacity, at)
		}
		full := func(network string, at time.Time) {
			t.Helper()
			if _, err := leave(network, at); !errors.Is(err, store.ErrHandoffsWait) {
				t.Fatalf("one more from %s = %v; want %v", network, err, store.ErrHandoffsWait)
			}
		}

		t.Run("of many at once from one network, as many are kept as fit", func(t *testing.T) {
			var kept atomic.Int32
			var wait sync.WaitGroup
			for i := range 12 {
				wait.Go(func() {
					err := db.SaveHandoff(t.Context(), fmt.Sprint("at once ", i), "a", bytes.Repeat([]byte("x"), 1400),
						capacity, at)
					if err == nil {
						kept.Add(1)
					} else if !errors.Is(err, store.ErrHandoffsWait) {
						t.Error(err)
					}
				})
			}
			wait.Wait()
			if kept.Load() != 2 {
				t.Fatalf("%d were kept; want 2", kept.Load())
			}
		})
		var hash string
		t.Run("another network has capacity until the total is reached", func(t *testing.T) {
			for _, network := range []string{"b", "b", "c"} {
				hash = sure(leave(network, at))(t)
			}
			full("b", at)
			full("d", at)
		})
		t.Run("a claimed hand-off no longer counts", func(t *testing.T) {
			read := func([]byte) (gangway.Search, error) { return gangway.Search{ID: "s", CreatedAt: at}, nil }
			must(t, did(in.ClaimHandoff(t.Context(), hash, at, read)))
			must(t, did(leave("d", at)))
			full("d", at)
		})
		t.Run("an expired hand-off no longer counts", func(t *testing.T) {
			for range 2 {
				must(t, did(leave("a", at.Add(62*time.Minute))))
			}
			full("a", at.Add(62*time.Minute))
		})
	})
}
