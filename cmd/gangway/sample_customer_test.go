package main

import (
	"net/http"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"gangway/internal/deliver"
)

// The sample customer remembers what was pushed in a file, so that a repeat after a restart is none of its actions.
func TestSampleCustomerRemembers(t *testing.T) {
	secret, body := deliver.NewSecret(), recordOf("B1", 1, "confirmed")
	file := filepath.Join(t.TempDir(), "pushes.tsv")
	for _, want := range []string{"1 action pushed", "nothing yet, 1 arrived twice"} {
		p, at := start(t, `address: +(http://\S+/api/sync_flights)`, "sample-customer", "--listen", "127.0.0.1:0",
			"--base-url", "http://127.0.0.1:1/api", "--app-url", "http://127.0.0.1:1", "--api-key", "gw_test_x",
			"--webhook-secret", secret, "--pushes", file)
		r := &exampleReceiver{t: t, url: at[1]}
		if status := r.post(headersOf(t, "m1", time.Now(), body, secret), body); status != http.StatusNoContent {
			t.Fatalf("the push is answered %d; want 204", status)
		}
		if _, page := look(t, strings.TrimSuffix(at[1], "api/sync_flights")); !strings.Contains(page, want) {
			t.Fatalf("the page does not say %q:\n%s", want, page)
		}
		p.stop()
	}
}
