package app_test

import (
	"log/slog"
	"net/http"
	"testing"
	"time"

	"gangway/internal/gangway"
	"gangway/internal/store/storetest"
	"gangway/internal/web"
	"gangway/internal/web/app"
	"gangway/internal/web/app/apptest"
)

// TestFormsCanBeOpenedAgain holds that opening the address that a form was sent to, by
// reloading or from the history, leads to a page.
func TestFormsCanBeOpenedAgain(t *testing.T) {
	opens := map[string]bool{}
	for _, r := range routes(t) {
		opens[r.Path] = opens[r.Path] || r.Method == http.MethodGet
	}
	for _, r := range routes(t) {
		if !opens[r.Path] && r.For != web.Anybody {
			t.Errorf("%s cannot be opened again: reload.go says where its form stands", r.Path)
		}
	}
}

// routes are all addresses of the application.
func routes(t *testing.T) []web.Route {
	t.Helper()
	a := apptest.Must(app.New(app.Config{DB: storetest.New(t), Now: time.Now, Log: slog.New(slog.DiscardHandler)}))(t)
	return a.Routes()
}

// TestMethods requests pages by methods that they do not have; the answer names those that
// they do.
func TestMethods(t *testing.T) {
	s := apptest.NewSite(t)
	c := s.SignedIn(t, gangway.Booker)
	tests := []struct {
		method, path string
		status       int
		allow        string
	}{
		{"PUT", "/bookings", 405, "GET, HEAD"},
		{"DELETE", "/bookings/b1", 405, "GET, HEAD"},
		{"POST", "/bookings/b1", 405, "GET, HEAD"},
		{"OPTIONS", "/approvals", 405, "GET, HEAD, POST"},
		{"PATCH", "/searches", 405, "GET, HEAD, POST"},
		{"GET", "/sign-out", 405, "POST"},
		{"POST", "/", 405, "GET, HEAD"},
		{"POST", "/suggest/travellers", 405, "GET, HEAD"},
		{"DELETE", "/nowhere", 404, ""},
		{"GET", "/nowhere", 404, ""},
	}
	for _, tt := range tests {
		for name, client := range map[string]*apptest.Client{"signed in": c, "nobody": s.Client(t)} {
			req := apptest.Must(http.NewRequestWithContext(t.Context(), tt.method, s.URL+tt.path, nil))(t)
			if a := client.In(t).Do(req); a.Status != tt.status || a.Head.Get("Allow") != tt.allow {
				t.Errorf("%s %s (%s): %d, Allow %q; want %d, %q", tt.method, tt.path, name, a.Status,
					a.Head.Get("Allow"), tt.status, tt.allow)
			}
		}
	}
}
