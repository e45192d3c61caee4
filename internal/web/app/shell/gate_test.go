package shell_test

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"gangway/internal/store/storetest"
	"gangway/internal/web"
	"gangway/internal/web/app"
)

// TestErrorPagesKeepOurWords holds that no page shows what was added to an error
// for our log.
func TestErrorPagesKeepOurWords(t *testing.T) {
	a, err := app.New(app.Config{DB: storetest.New(t), Now: time.Now, Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	w := httptest.NewRecorder()
	a.Refuse(w, httptest.NewRequest(http.MethodGet, "/bookings", nil), fmt.Errorf("show page bookings: %w", web.Full()))
	body := w.Body.String()
	if w.Code != http.StatusServiceUnavailable || w.Header().Get("Retry-After") == "" {
		t.Errorf("status = %d, Retry-After %q; want 503 with one", w.Code, w.Header().Get("Retry-After"))
	}
	if !strings.Contains(body, "As much is being received") || strings.Contains(strings.ToLower(body), "show page") {
		t.Errorf("the page says %s; want the sentence of the refusal alone", body)
	}
}

// Whoever leaves while a page is made has reached no limit, and nothing went wrong.
func TestLeavingIsNoFault(t *testing.T) {
	var log bytes.Buffer
	a, err := app.New(app.Config{DB: storetest.New(t), Now: time.Now, Log: slog.New(slog.NewTextHandler(&log, nil))})
	if err != nil {
		t.Fatal(err)
	}
	left, leave := context.WithCancel(t.Context())
	leave()
	for _, err := range []error{web.Full(), context.Canceled} {
		a.Refuse(httptest.NewRecorder(), httptest.NewRequestWithContext(left, http.MethodGet, "/bookings", nil), err)
	}
	if log.Len() > 0 {
		t.Errorf("the log says %s", &log)
	}
}
