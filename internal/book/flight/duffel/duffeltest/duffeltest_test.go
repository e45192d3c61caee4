package duffeltest_test

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"os/exec"
	"testing"
	"time"

	"gangway/internal/book/flight/duffel/duffeltest"
	"gangway/internal/need"
)

// monday is when these tests take place.
var monday = time.Date(2026, 11, 2, 9, 0, 0, 0, time.UTC)

// TestInteropOfficialClient checks that Duffel's own JavaScript client works with the model, and that the model's
// answers have the types that Duffel publishes.
func TestInteropOfficialClient(t *testing.T) {
	need.Interop(t)
	node := need.DuffelClient(t)
	model := duffeltest.New(func() time.Time { return monday })
	duffel := httptest.NewServer(model)
	defer duffel.Close()
	heard := 0
	receiver := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body)
		if r.Header.Get("X-Duffel-Signature") == "" {
			t.Error("a webhook arrived without a signature")
		}
		heard++
	}))
	defer receiver.Close()
	model.Subscribe(receiver.URL, "order.created")
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	out, err := exec.CommandContext(ctx, node, "testdata/client/contract.mjs", duffel.URL,
		duffeltest.Token).CombinedOutput()
	if err != nil || heard == 0 {
		t.Fatalf("contract.mjs: %v, %d webhooks\n%s", err, heard, out)
	}
	t.Logf("%s", out)
}
