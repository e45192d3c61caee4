package web_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"gangway/internal/web"
)

const mib = 1 << 20

// at grows a share and reports whether it could.
func at(t *testing.T, s *web.Share, bytes int64) bool {
	t.Helper()
	err := s.Grow(t.Context(), bytes)
	if err != nil && !refused(err) {
		t.Fatalf("Grow(%d) = %v; want room, or 503 with Retry-After", bytes, err)
	}
	return err == nil
}

func TestBudget(t *testing.T) {
	t.Run("bodies that need more than there is finish one after the other", func(t *testing.T) {
		b := web.NewBudget(16*mib, 4*mib, time.Hour)
		var all sync.WaitGroup
		for i := range 50 {
			all.Go(func() {
				s := b.Share(string(rune('a' + i%5)))
				defer s.Release()
				for bytes := int64(512); bytes <= 4*mib; bytes *= 2 {
					if !at(t, s, bytes) {
						t.Error("a body was turned away")
					}
				}
			})
		}
		all.Wait()
	})

	t.Run("one client gets half and one more body; others continue", func(t *testing.T) {
		b := web.NewBudget(32*mib, 4*mib, 0) // 12 MiB for large bodies, 4 of them in the reserve
		got := 0
		for range 12 {
			if at(t, b.Share("greedy"), mib) {
				got++
			}
		}
		if got != 5 {
			t.Errorf("one client got %d MiB; want the half of 8, and one out of the reserve", got)
		}
		for range 4 {
			if !at(t, b.Share("other"), mib) {
				t.Error("another client did not get the other half")
			}
		}
	})

	t.Run("small bodies are accepted while there is no room for large ones", func(t *testing.T) {
		b := web.NewBudget(8*mib, mib, 0)
		for range 100 {
			at(t, b.Share("greedy"), mib)
		}
		if at(t, b.Share("other"), 2*mib) {
			t.Fatal("there is room left for a large body")
		}
		if !at(t, b.Share("other"), 10_000) {
			t.Error("a small body was turned away")
		}
	})

	t.Run("released memory is available to others", func(t *testing.T) {
		b := web.NewBudget(8*mib, mib, 0)
		for range 100 {
			s := b.Share("one")
			if !at(t, s, mib) {
				t.Fatal("released bytes did not come back")
			}
			s.Release()
		}
	})

	t.Run("a caller that leaves while waiting stops waiting", func(t *testing.T) {
		b := web.NewBudget(8*mib, mib, time.Hour)
		for range 2 {
			at(t, b.Share("one"), mib)
		}
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if err := b.Share("one").Grow(ctx, mib); !errors.Is(err, context.Canceled) {
			t.Errorf("Grow = %v; want %v", err, context.Canceled)
		}
	})

	t.Run("a body is refused as it is read, not for its Content-Length", func(t *testing.T) {
		b := web.NewBudget(mib, mib, 0)
		post := func(body string) *http.Request {
			r := httptest.NewRequest(http.MethodPost, "/", strings.NewReader(body))
			r.ContentLength = 1 << 40
			return r
		}
		for range 1000 {
			r := post("x")
			b.Count(httptest.NewRecorder(), r, 8)
			if _, err := io.ReadAll(r.Body); err != nil {
				t.Fatalf("a request of one byte that claims a tebibyte: %v", err)
			}
		}
		r := post(strings.Repeat("x", mib))
		b.Count(httptest.NewRecorder(), r, 8)
		_, err := io.ReadAll(r.Body)
		if !refused(err) {
			t.Errorf("eight times a mebibyte = %v; want a refusal", err)
		}
	})
}
