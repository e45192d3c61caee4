package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/store/storetest"
)

// TestOperatorsPage: whoever runs Gangway sees the customers that need somebody first, and the servers; nobody's name,
// and nothing where the surfaces are. The page answers this machine only, also after the server was killed.
func TestOperatorsPage(t *testing.T) {
	onEither(t, func(t *testing.T, database string) {
		db := openStore(t, database)
		now := time.Now()
		_, _, err := db.CreateCustomer(t.Context(), storetest.Operator, "Aldebaran Bulk", now)
		must(t, err)
		account, _, err := db.CreateCustomer(t.Context(), storetest.Operator, "Halcyon Tankers", now)
		must(t, err)
		hire(t, db, account.Customer.ID, ines, gangway.Admin)
		in := db.In(account.Scope())
		pushTo(t, in, "https://crewing.halcyon.example/sync", now)
		bookAlone(t, in, "a1")
		now = time.Now()
		queue, d := storetest.TakeDelivery(t, db, now)
		must(t, storetest.SettleTry(t, db, queue, d, "due", store.Attempt{At: now, Status: http.StatusBadGateway},
			&store.DeliveryFailure{Next: now, Probe: now}))
		db.Close()

		socket := filepath.Join(t.TempDir(), "operator.sock")
		p, _, _ := serve(t, database, "--operator-listen", "unix:"+socket)
		p.kill()
		_, app, _ := serve(t, database, "--operator-listen", "unix:"+socket)
		client := http.Client{Transport: &http.Transport{DialContext: func(ctx context.Context, _, _ string) (net.Conn,
			error) {
			return new(net.Dialer).DialContext(ctx, "unix", socket)
		}}}
		ask := func(method, url string) (int, string) {
			t.Helper()
			res := sure(client.Do(sure(http.NewRequestWithContext(t.Context(), method, url, nil))(t)))(t)
			defer res.Body.Close()
			return res.StatusCode, string(sure(io.ReadAll(res.Body))(t))
		}
		status, page := ask(http.MethodGet, "http://localhost/")
		failing := strings.Index(page, `data-customer="`+account.Customer.ID+`" data-state="failing"`)
		if status != http.StatusOK || failing < 0 || failing > strings.Index(page, "Aldebaran Bulk") ||
			!strings.Contains(page, "answers 502 Bad Gateway") ||
			!strings.Contains(page, fmt.Sprint("schema ", store.Schema())) {
			t.Errorf("the page is %d\n%s\nwant the failing customer first, and the server", status, page)
		}
		_, detail := ask(http.MethodGet, "http://localhost/?customer="+account.Customer.ID)
		if !strings.Contains(detail, "gangway outlet show default --customer "+account.Customer.ID) {
			t.Errorf("the customer's page is\n%s\nwant what to do", detail)
		}
		if strings.Contains(page+detail, "Paredes") || strings.Contains(page+detail, ines) {
			t.Error("the page names a person")
		}
		for url, want := range map[string]int{"http://localhost:9465/": 200, "http://127.0.0.1/debug/pprof/": 200,
			"http://crew.example/": 403, "http://crew.example/debug/pprof/": 403, "http://localhost/nothing": 404} {
			if got, _ := ask(http.MethodGet, url); got != want {
				t.Errorf("GET %s = %d; want %d", url, got, want)
			}
		}
		if got, _ := ask(http.MethodPost, "http://localhost/"); got != http.StatusMethodNotAllowed {
			t.Errorf("POST = %d; want 405", got)
		}
		if res, _ := look(t, app+"/debug/pprof/"); res.StatusCode != http.StatusNotFound {
			t.Errorf("the profiler answers where people are: %d; want 404", res.StatusCode)
		}
	})
}

// TestLogForPrograms: each line is one JSON object, of which spans and addresses are text; what is less important than
// asked for is left out.
func TestLogForPrograms(t *testing.T) {
	var out bytes.Buffer
	log, m := logFlags{LogFormat: "json"}.open(&out)
	log.Debug("left out")
	log.InfoContext(store.OfRequest(t.Context(), "req_1"), "told", "took", 1500*time.Millisecond, "listen",
		&net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 80})
	var line map[string]any
	must(t, json.Unmarshal(out.Bytes(), &line))
	if line["msg"] != "told" || line["took"] != "1.5s" || line["listen"] != "127.0.0.1:80" ||
		line["request"] != "req_1" {
		t.Errorf("the line is %v", line)
	}
	if m.log != nil {
		t.Error("requests are logged, which nobody asked for")
	}
}
