package app

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"gangway/internal/store"
	"gangway/internal/web"
)

func TestTurns(t *testing.T) {
	a := &App{turns: newTurns(1, time.Hour), shown: web.NewPlaces(2, 10)}
	r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/", nil)
	w := httptest.NewRecorder()
	refused := func(err error, status int) {
		t.Helper()
		var r *web.Refusal
		if !errors.As(err, &r) || r.Status != status || r.Header.Get("Retry-After") == "" {
			t.Errorf("err = %v; want %d with Retry-After", err, status)
		}
	}
	page := a.inTurn(func(w http.ResponseWriter, _ *http.Request, _ store.Scoped) error {
		w.Write([]byte("begun"))
		if _, err := a.turns.wait(t.Context()); err != nil { // it was given back: somebody else has it now
			t.Errorf("the next turn: %v", err)
		}
		// Nobody else makes a page meanwhile, and this one's reader has a place for one more.
		a.turns.patience = 0
		refused(a.inTurn(nil)(w, r, store.Scoped{}), http.StatusServiceUnavailable)
		a.shown.Take("")
		refused(a.inTurn(nil)(w, r, store.Scoped{}), http.StatusTooManyRequests)
		return nil
	})
	if err := page(w, r, store.Scoped{}); err != nil {
		t.Fatal(err)
	}
}
