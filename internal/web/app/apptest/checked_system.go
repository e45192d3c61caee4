package apptest

import (
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"gangway/internal/samplecustomer"
)

// CheckedSystem serves a customer's system that does all as it should, but for one thing:
// where nobody has a surname it answers 404.
func CheckedSystem(t *testing.T, s *Site) *httptest.Server {
	t.Helper()
	system := samplecustomer.New(samplecustomer.Config{Now: s.Now, Log: slog.New(slog.DiscardHandler)})
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasPrefix(r.URL.Query().Get("surname"), "Zz") {
			http.NotFound(w, r)
			return
		}
		system.ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	return server
}
