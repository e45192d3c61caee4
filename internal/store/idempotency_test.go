package store_test

import (
	"testing"
	"time"

	"gangway/internal/store"
	"gangway/internal/store/storetest"
)

func TestOnce(t *testing.T) {
	began := time.Date(2026, 11, 2, 9, 0, 0, 0, time.UTC)
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		prod, dev := storetest.Accounts(t, db)
		in := db.In(prod.Scope())
		begin := func(t *testing.T, key, body string, at time.Time, want string, wantErr error) {
			t.Helper()
			if answer, err := in.BeginOnce(t.Context(), "/passenger", key, body, at); string(answer) != want ||
				err != wantErr {
				t.Fatalf("BeginOnce(%s, %s) = %q, %v; want %q, %v", key, body, answer, err, want, wantErr)
			}
		}
		end := func(t *testing.T, key, answer string) {
			t.Helper()
			must(t, in.EndOnce(t.Context(), "/passenger", key, []byte(answer)))
		}
		t.Run("an answer is kept for a day", func(t *testing.T) {
			begin(t, "k1", "body", began, "", nil)
			begin(t, "k1", "body", began, "", store.ErrRunning)
			end(t, "k1", "done")
			begin(t, "k1", "body", began.Add(24*time.Hour-time.Second), "done", nil)
			begin(t, "k1", "another body", began.Add(time.Hour), "", store.ErrOtherBody)
			begin(t, "k1", "another body", began.Add(24*time.Hour), "", nil)
		})
		t.Run("a request without an answer frees its key", func(t *testing.T) {
			begin(t, "k2", "body", began, "", nil)
			end(t, "k2", "")
			begin(t, "k2", "another body", began, "", nil)
		})
		t.Run("a request that died with its process does not block its key for ever", func(t *testing.T) {
			begin(t, "k3", "body", began, "", nil)
			begin(t, "k3", "body", began.Add(time.Minute), "", store.ErrRunning)
			begin(t, "k3", "body", began.Add(2*time.Minute), "", nil)
		})
		t.Run("a key belongs to one account at one address", func(t *testing.T) {
			begin(t, "k4", "body", began, "", nil)
			if answer, err := in.BeginOnce(t.Context(), "/travel-requests", "k4", "other", began); answer != nil ||
				err != nil {
				t.Errorf("another address: %q, %v; want it free", answer, err)
			}
			if answer, err := db.In(dev.Scope()).BeginOnce(t.Context(), "/passenger", "k4", "other", began); answer !=
				nil || err != nil {
				t.Errorf("another account: %q, %v; want it free", answer, err)
			}
		})
		t.Run("of many at once only one is let through", func(t *testing.T) {
			const callers = 8
			results := make(chan error, callers)
			for range callers {
				go func() {
					_, err := in.BeginOnce(t.Context(), "/passenger", "k5", "body", began)
					results <- err
				}()
			}
			through := 0
			for range callers {
				switch err := <-results; err {
				case nil:
					through++
				case store.ErrRunning:
				default:
					t.Errorf("BeginOnce: %v", err)
				}
			}
			if through != 1 {
				t.Errorf("%d were let through; want 1", through)
			}
		})
	})
}
