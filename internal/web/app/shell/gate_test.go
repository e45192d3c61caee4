package shell_test

import (
	"bytes"
	"context"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"gangway/internal/store/storetest"
	"gangway/internal/web"
	"gangway/internal/web/app"
	"gangway/internal/web/app/apptest"
)

// Whoever leaves while a page is made has reached no limit, and nothing went wrong.
func TestLeavingIsNoFault(t *testing.T) {
	var log bytes.Buffer
	a, err := app.New(app.Config{DB: storetest.New(t), Now: time.Now, Log: slog.New(slog.NewTextHandler(&log, nil))})
	apptest.Done(t, err)
	left, leave := context.WithCancel(t.Context())
	leave()
	for _, err := range []error{web.Full(), context.Canceled} {
		a.Refuse(httptest.NewRecorder(), httptest.NewRequestWithContext(left, http.MethodGet, "/bookings", nil), err)
	}
	if log.Len() > 0 {
		t.Errorf("the log says %s", &log)
	}
}

// TestFormsOfOtherOrigins holds whose pages may send a form: those of the address that the operator gave, to the
// letter, or without one those of the host that the form is sent to. The hand-off is for pages of every site.
func TestFormsOfOtherOrigins(t *testing.T) {
	const given, none, form = "https://Crew.example:443/desk", "", "/sign-in"
	db := storetest.New(t)
	for _, tt := range []struct {
		app, host, path, origin, site string
		refused                       bool
	}{
		{given, "crew.example", form, "https://crew.example", "", false},
		{given, "crew.example", form, "https://crew.example", "same-origin", false},
		{given, "10.0.0.7:8080", form, "https://crew.example", "", false}, // behind a proxy
		{given, "crew.example", form, "http://crew.example", "", true},
		{given, "crew.example", form, "http://crew.example", "same-origin", true},
		{given, "crew.example", form, "https://crew.example:8443", "", true},
		{given, "10.0.0.7:8080", form, "http://10.0.0.7:8080", "", true},
		{given, "crew.example", form, "https://elsewhere.example", "cross-site", true},
		{given, "crew.example", form, "null", "", true},
		{given, "crew.example", form, "", "", false}, // no browser, or an old one
		{given, "crew.example", form, "", "cross-site", true},
		{given, "crew.example", "/integrations/search", "https://elsewhere.example", "cross-site", false},
		{none, "localhost:8080", form, "http://localhost:8080", "same-origin", false},
		{none, "127.0.0.1:8080", form, "http://127.0.0.1:8080", "", false},
		{none, "127.0.0.1:8080", form, "http://localhost:8080", "same-origin", true},
		{none, "localhost:8080", form, "http://localhost:9090", "", true},
	} {
		a, err := app.New(app.Config{DB: db, Now: time.Now, Log: slog.New(slog.DiscardHandler), AppURL: tt.app})
		apptest.Done(t, err)
		r := httptest.NewRequest(http.MethodPost, tt.path, strings.NewReader("email=a&password=b"))
		r.Host = tt.host
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		for name, value := range map[string]string{"Origin": tt.origin, "Sec-Fetch-Site": tt.site} {
			if value != "" {
				r.Header.Set(name, value)
			}
		}
		w := httptest.NewRecorder()
		a.ServeHTTP(w, r)
		if refused := strings.Contains(w.Body.String(), "sent by a page of another site"); refused != tt.refused ||
			refused != (w.Code == http.StatusForbidden) {
			t.Errorf("%+v: answered with %d", tt, w.Code)
		}
	}
}
