package hooks_test

import (
	"bytes"
	"context"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"gangway/internal/book/flight/duffel"
	"gangway/internal/book/flight/duffel/duffeltest"
	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/store/storetest"
	"gangway/internal/web/hooks"
)

var now = time.Date(2026, 11, 2, 9, 0, 0, 0, time.UTC)

// TestRefusedEvents holds that the log tells of each event that was refused, why
// and from where, with nothing of its body, and that a flood of them is told in
// few lines.
func TestRefusedEvents(t *testing.T) {
	storetest.EachInTrial(t, func(t *testing.T, db *store.DB) {
		var log bytes.Buffer
		account := storetest.Account(t, db).ID
		handler := hooks.New(hooks.Config{
			DB: db, Now: func() time.Time { return now }, Log: slog.New(slog.NewTextHandler(&log, nil)),
			Secret: func(_ context.Context, in store.Scoped) (string, error) {
				if in.Scope().Account != account {
					return "", gangway.Errorf(gangway.NotFound, "there is no such secret")
				}
				return "whsec_of_this_test", nil
			},
			Duffel: func(context.Context, store.Scoped) (*duffel.Seller, error) { panic("nothing was believed") },
		})
		send := func(method, path, signature, body string) int {
			r := httptest.NewRequestWithContext(t.Context(), method, path, strings.NewReader(body))
			r.RemoteAddr = "203.0.113.7:40000"
			r.Header.Set("X-Duffel-Signature", signature)
			w := httptest.NewRecorder()
			handler.ServeHTTP(w, r)
			return w.Code
		}
		const body = `{"passport":"XK7Q9ZP41"}`
		for _, tt := range []struct {
			name, method, path, signature, body string
			status                              int
			says                                string
		}{
			{"a bad signature", "POST", "/duffel/" + account, duffeltest.Sign("whsec_other", now.Unix(), []byte(body)),
				body, 401, "signature or its time is wrong"},
			{"no signature", "POST", "/duffel/" + account, "", body, 401, "signature or its time is wrong"},
			{"an account that there is not", "POST", "/duffel/acc_none", "", body, 401, "no such account"},
			{"too large", "POST", "/duffel/" + account, "", body + strings.Repeat(" ", 1<<20), 413, "at most 1 MiB"},
			{"signed, and no event", "POST", "/duffel/" + account, duffeltest.Sign("whsec_of_this_test", now.Unix(),
				[]byte("[]")), "[]", 400, "status=400"},
			{"another address", "POST", "/sabre/x", "", body, 404, "no supplier"},
			{"another method", "GET", "/duffel/" + account, "", "", 405, "answers POST"},
		} {
			t.Run(tt.name, func(t *testing.T) {
				log.Reset()
				if got := send(tt.method, tt.path, tt.signature, tt.body); got != tt.status {
					t.Fatalf("answered %d; want %d", got, tt.status)
				}
				said := log.String()
				for _, want := range []string{"event=webhook.refused", "client=203.0.113.7", "path=" + tt.path,
					tt.says} {
					if strings.Count(said, "\n") != 1 || !strings.Contains(said, want) {
						t.Errorf("the log says %q; want one line with %q", said, want)
					}
				}
				if strings.Contains(said, "XK7Q9ZP41") || strings.Contains(said, "whsec") {
					t.Errorf("the log has what was sent: %s", said)
				}
			})
		}
		t.Run("a flood", func(t *testing.T) {
			log.Reset()
			for range 500 {
				if got := send(http.MethodPost, "/duffel/acc_flood"+strings.Repeat("x", 4000), "", body); got != 401 {
					t.Fatalf("answered %d; want 401", got)
				}
			}
			if lines := strings.Count(log.String(), "\n"); lines != 11 || log.Len() > 11*600 {
				t.Errorf("the log has %d lines, %d bytes of 500 refusals; want the first ten and the hundredth, each "+
					"short", lines, log.Len())
			}
		})
	})
}
