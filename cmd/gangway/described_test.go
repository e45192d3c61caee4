package main

import (
	"encoding/json"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"gangway/internal/deliver"
	"gangway/internal/describe/describetest"
	"gangway/internal/samplecustomer"
	"gangway/internal/store/storetest"
)

// TestBookingsAreAsDescribed takes a booking through its life, on the real server, and holds every record that is
// pushed and pulled of it against the server's own description.
func TestBookingsAreAsDescribed(t *testing.T) {
	w := newLife(t, storetest.SQLiteURL(t))
	d := described(t, w)
	var mu sync.Mutex
	pushes := 0
	system := d.Customer(t, w.customer.Config.Handler, func(string) {
		mu.Lock()
		defer mu.Unlock()
		pushes++
	})
	w.customer.Config.Handler = http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		r.URL.Path = "/api/sync_flights" // the outlet's address has no path
		system.ServeHTTP(rw, r)
	})
	w.live()
	w.cancel()
	eventually(t, "every action is pushed", func() bool {
		mu.Lock()
		defer mu.Unlock()
		return pushes >= w.booking().Version
	})
	known := d.Doc.Components.Schemas["Booking"].Value.Properties["metadata"].Value.Properties
	for _, path := range []string{"/bookings?pull=all", "/bookings?days=1", "/bookings/modified?from=2020-01-01",
		"/bookings/pulls"} {
		res, answer, err := call(http.MethodGet, w.base+path, w.key, nil)
		must(t, err)
		var list []struct {
			Actions  any            `json:"actions"`
			Metadata map[string]any `json:"metadata"`
		}
		if err := json.Unmarshal(answer, &list); err != nil || len(list) != 1 {
			t.Fatalf("GET %s = %.200s, %v; want one", path, answer, err)
		}
		if actions, ok := list[0].Actions.([]any); ok && len(actions) < 3 {
			t.Errorf("GET %s has %d actions; want the whole life", path, len(actions))
		}
		for name := range list[0].Metadata {
			if known[name] == nil {
				t.Errorf("GET %s has metadata.%s, which is not described", path, name)
			}
		}
		d.Hold(t, httptest.NewRequest(http.MethodGet, path, nil), nil, res.StatusCode, res.Header, answer)
	}
}

// described is how the server describes itself.
func described(t *testing.T, w *life) *describetest.Description {
	t.Helper()
	_, doc, err := call(http.MethodGet, w.base+"/openapi.json", "", nil)
	must(t, err)
	return describetest.Read(t, doc)
}

// TestCallsAreAsDescribed has the program examine the sample customer's system, and holds every call that it makes, and
// what it takes for a good answer, against the description's webhooks.
func TestCallsAreAsDescribed(t *testing.T) {
	d := described(t, newLife(t, storetest.SQLiteURL(t)))
	secret := filepath.Join(t.TempDir(), "secret")
	signing := deliver.NewSecret()
	must(t, os.WriteFile(secret, []byte(signing), 0o600))
	var mu sync.Mutex
	called := map[string]int{}
	system := httptest.NewServer(d.Customer(t, samplecustomer.New(samplecustomer.Config{
		Secret: signing, Log: slog.New(slog.DiscardHandler)}), func(webhook string) {
		mu.Lock()
		defer mu.Unlock()
		called[webhook]++
	}))
	t.Cleanup(system.Close)
	for _, flow := range [][]string{{}, {"--flow", "push", "--secret-file", secret}} {
		args := append([]string{"check", "--url", system.URL, "--allow-network", "127.0.0.0/8"}, flow...)
		ran(t, gangwayCommand(t, args...))
	}
	for _, webhook := range []string{"suggestTravellers", "listTravelRequests", "listCrewChanges", "syncFlights"} {
		if called[webhook] == 0 {
			t.Errorf("%s was never called", webhook)
		}
	}
}
