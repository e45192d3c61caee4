package shell

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"testing"
	"testing/synctest"
	"time"

	"gangway/internal/calltest"
	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/web"

	"golang.org/x/sync/semaphore"
)

// The clock is the test's own.
func TestTurns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := &Shell{making: semaphore.NewWeighted(1), large: web.NewConcurrencyLimit(web.Concurrency{Each: 2, All: 10})}
		ctx := context.WithValue(t.Context(), visitorKey{}, Visitor{User: gangway.User{ID: "ana"}})
		r := httptest.NewRequestWithContext(ctx, http.MethodGet, "/", nil)
		w := httptest.NewRecorder()
		refused := func(err error, status int) {
			t.Helper()
			var r *web.Refusal
			if !errors.As(err, &r) || r.Status != status || r.Header.Get("Retry-After") == "" {
				t.Errorf("err = %v; want %d with Retry-After", err, status)
			}
		}
		page := a.InTurn(func(w http.ResponseWriter, _ *http.Request, _ store.Scoped) error {
			w.Write([]byte("begun"))
			if !a.making.TryAcquire(1) { // its turn is over and somebody else has it now
				t.Error("the page is being sent, and it is still its turn")
			}
			// Nobody else makes a page meanwhile, and this reader may have one more on its way.
			began := time.Now()
			refused(a.InTurn(nil)(w, r, store.Scoped{}), http.StatusServiceUnavailable)
			if waited := time.Since(began); waited != turnPatience {
				t.Errorf("a page waited %v for its turn; want %v", waited, turnPatience)
			}
			a.large.Acquire("ana")
			refused(a.InTurn(nil)(w, r, store.Scoped{}), http.StatusTooManyRequests)
			return nil
		})
		calltest.Done(t, page(w, r, store.Scoped{}))
	})
}
