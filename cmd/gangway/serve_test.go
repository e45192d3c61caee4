package main

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"gangway/internal/need"
	"gangway/internal/store/storetest"
)

func TestServe(t *testing.T) {
	onEither(t, func(t *testing.T, database string) {
		made := answer[newCustomer](t, "account", "create", "Halcyon Tankers", "--database", database)
		p, app, base := serve(t, database)
		for _, tt := range []struct {
			name, url, key string
			status         int
			holds          string
		}{
			{"it is alive", app + "/healthz", "", 200, "alive"},
			{"it reaches its database", app + "/readyz", "", 200, "ready"},
			{"people see the sign-in page", app + "/", "", 200, "Sign in"},
			{"a key opens the integration surface", base + "/bookings", made.Development.APIKey, 200, "[]"},
			{"nothing else does", base + "/bookings", "", 401, "X-Api-Key"},
			{"the report asks for its login", app + "/reporting/v2/odata", "", 401,
				"the report asks for a name and a password"},
		} {
			t.Run(tt.name, func(t *testing.T) {
				res, body := look(t, tt.url, "X-Api-Key", tt.key)
				if res.StatusCode != tt.status || !strings.Contains(body, tt.holds) {
					t.Fatalf("GET %s = %d %.300s; want %d with %q", tt.url, res.StatusCode, body, tt.status, tt.holds)
				}
			})
		}
		t.Run("people sign in with the password that the command printed", func(t *testing.T) {
			newPerson(t, app, database, made.Customer, "booker")
		})
		t.Run("told to stop, it ends without complaint", func(*testing.T) { p.stop() })
	})
}

// TestBehindProxy sends requests without a key through a proxy. Each client is counted by its own address, and by
// nothing that it can invent.
func TestBehindProxy(t *testing.T) {
	left := func(t *testing.T, base, forwarded string) string {
		t.Helper()
		res, _ := look(t, base+"/bookings", "X-Forwarded-For", forwarded)
		_, rest, _ := strings.Cut(res.Header.Get("RateLimit"), ";r=")
		count, _, _ := strings.Cut(rest, ";")
		return count
	}
	for _, tt := range []struct {
		name string
		args []string
		then string // what another client has left after the first one's request
	}{
		{"one that is trusted", []string{"--trusted-proxy", "10.0.0.0/8", "--trusted-proxy", "127.0.0.0/8"}, "99"},
		{"one that is not", nil, "98"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, _, base := serve(t, storetest.EmptySQLiteURL(t), append(tt.args, "--requests-per-minute", "100")...)
			if got := left(t, base, "192.0.2.1, 203.0.113.9"); got != "99" {
				t.Fatalf("the first client has %s requests left; want 99", got)
			}
			if got := left(t, base, "192.0.2.1, 203.0.113.10"); got != tt.then {
				t.Fatalf("another client has %s requests left; want %s", got, tt.then)
			}
			if got := left(t, base, "192.0.2.2, 10.1.1.1, 203.0.113.10"); tt.args != nil && got != "98" {
				t.Fatalf("the other client, who makes up more entries, has %s requests left; want 98", got)
			}
		})
	}
}

// TestServeBounds sends what no well-meaning client sends.
func TestServeBounds(t *testing.T) {
	_, app, _ := serve(t, storetest.EmptySQLiteURL(t), "--connections", "8")
	address := strings.TrimPrefix(app, "http://")
	ask := func(header string) *http.Response {
		t.Helper()
		conn := sure(net.Dial("tcp", address))(t)
		t.Cleanup(func() { conn.Close() })
		fmt.Fprintf(conn, "GET /sign-in HTTP/1.1\r\nHost: x\r\n%s\r\n", header)
		return sure(http.ReadResponse(bufio.NewReader(conn), nil))(t)
	}
	t.Run("a header has a bound", func(t *testing.T) {
		for kib, want := range map[int]int{15: http.StatusOK, 16: http.StatusRequestHeaderFieldsTooLarge} {
			res := ask("Connection: close\r\nX-A: " + strings.Repeat("x", kib<<10) + "\r\n")
			if res.StatusCode != want {
				t.Errorf("a header of %d KiB = %s; want %d", kib, res.Status, want)
			}
		}
	})
	t.Run("one network has a quarter of the connections", func(t *testing.T) {
		for range 3 { // the second may be refused already: a header too long keeps its connection for half a second
			if res := ask(""); res.StatusCode == http.StatusServiceUnavailable && res.Header.Get("Retry-After") != "" {
				return
			}
		}
		t.Error("three of eight connections were answered; want 503 with Retry-After for the third")
	})
}

func TestServeRefuses(t *testing.T) {
	taken := sure(net.Listen("tcp", "127.0.0.1:0"))(t)
	defer taken.Close()
	for _, tt := range []struct {
		name string
		args []string
		says string
		code int
	}{
		{"a port that is taken", []string{"--listen", taken.Addr().String(), "--database", storetest.SQLiteURL(t)},
			"address already in use", 1},
		{"what is no network", []string{"--allow-network", "10.0.0.0", "--database", storetest.SQLiteURL(t)},
			"--allow-network", 2},
		{"a proxy that is everybody", []string{"--trusted-proxy", "0.0.0.0/0", "--database", storetest.SQLiteURL(t)},
			"would believe everybody", 2},
		{"no connections", []string{"--connections", "0", "--database", storetest.SQLiteURL(t)},
			"--connections is a number from 1", 2},
		{"an operator's page for everybody", []string{"--operator-listen", ":9465", "--database",
			storetest.SQLiteURL(t)}, "can be reached by others", 2},
		{"an operator's page anywhere", []string{"--operator-listen", "unix:operator.sock", "--database",
			storetest.SQLiteURL(t)}, "needs a whole path", 2},
		{"pulls without end", []string{"--pull-bookings", "10001", "--database", storetest.SQLiteURL(t)},
			"--pull-bookings is a number from 1 to 10000", 2},
		{"what is no address", []string{"--listen", "127.0.0.1:0", "--base-url", "api.crew.example", "--database",
			storetest.SQLiteURL(t)}, "--base-url is an address", 2},
		{"a certificate without its key", []string{"--tls-cert", "cert.pem", "--database", storetest.SQLiteURL(t)},
			"give --tls-cert with --tls-key", 2},
		{"a certificate for a number", []string{"--acme-email", "ops@crew.example", "--app-url", "https://192.0.2.1",
			"--listen", "127.0.0.1:0", "--database", storetest.SQLiteURL(t)}, "for names such as crew.example", 2},
		{"nothing to lead to", []string{"--http-listen", ":80", "--database", storetest.SQLiteURL(t)},
			"--http-listen leads to https", 2},
		{"a database that cannot be opened", []string{"--listen", "127.0.0.1:0", "--database",
			"sqlite:/nowhere/at/all/gangway.db"}, "the folder /nowhere/at/all for the database file is not there", 1},
		{"a database that is not there", []string{"--listen", "127.0.0.1:0", "--database",
			strings.Replace(storetest.PostgresURL(t), "gangway_test", "nothing", 1)}, "does not exist", 1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			cmd := gangwayCommand(t, append([]string{"serve"}, tt.args...)...)
			var out bytes.Buffer
			cmd.Stdout, cmd.Stderr = &out, &out
			err := cmd.Run()
			if cmd.ProcessState.ExitCode() != tt.code || !strings.HasPrefix(out.String(), "gangway: ") ||
				!strings.Contains(out.String(), tt.says) || strings.Count(out.String(), "\n") != 1 {
				t.Fatalf("gangway serve = %v, and said %q; want exit code %d and one line with %q", err, out.String(),
					tt.code, tt.says)
			}
		})
	}
}

// TestServeLeavesBalancers: a server that SIGTERM stops is not ready and still serves, on connections that nobody uses
// again; a second signal ends it at once, and Ctrl-C does so from the beginning.
func TestServeLeavesBalancers(t *testing.T) {
	p, app, _ := serve(t, storetest.EmptySQLiteURL(t), "--drain", "1h")
	p.cmd.Process.Signal(syscall.SIGTERM)
	eventually(t, "it is not ready", func() bool {
		got, _ := look(t, app+"/readyz")
		return got.StatusCode == http.StatusServiceUnavailable
	})
	for path, want := range map[string]int{"/healthz": 200, "/sign-in": 200, "/readyz": 503} {
		if got, _ := look(t, app+path); got.StatusCode != want || !got.Close {
			t.Errorf("GET %s = %d, closed: %t; want %d, and the connection closed", path, got.StatusCode, got.Close,
				want)
		}
	}
	p.cmd.Process.Signal(os.Interrupt)
	<-p.gone

	p, _, _ = serve(t, storetest.EmptySQLiteURL(t), "--drain", "1h")
	p.cmd.Process.Signal(os.Interrupt)
	<-p.gone
	if code := p.cmd.ProcessState.ExitCode(); code != 0 {
		t.Errorf("Ctrl-C: it ended with %d; want 0", code)
	}
}

// TestTrialRollingRestart restarts replicas one after the other behind a proxy that checks each second whether they are
// ready: no request is lost.
func TestTrialRollingRestart(t *testing.T) {
	need.Trial(t)
	database := storetest.PostgresURL(t)
	made := answer[newCustomer](t, "account", "create", "Halcyon Tankers", "--database", database)
	var ready [2]atomic.Bool
	var at [2]*url.URL
	var replicas [2]*program
	run := func(i int) {
		replicas[i], _ = start(t, serving, "serve", "--listen", at[i].Host, "--database", database, "--drain", "5s",
			"--requests-per-minute", "1000000")
		eventually(t, "the proxy has noticed", ready[i].Load)
	}
	checking, stop := context.WithCancel(t.Context())
	defer stop()
	for i := range at {
		at[i] = &url.URL{Scheme: "http", Host: freePort(t)}
		go func() {
			for tick := time.NewTicker(time.Second); checking.Err() == nil; <-tick.C {
				res, err := http.Get(at[i].String() + "/readyz")
				ready[i].Store(err == nil && res.StatusCode == http.StatusOK)
				if err == nil {
					res.Body.Close()
				}
			}
		}()
		run(i)
	}
	var turn atomic.Int64
	proxy := httptest.NewServer(&httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) {
		i := int(turn.Add(1)) % 2
		if !ready[i].Load() {
			i = 1 - i
		}
		r.SetURL(at[i])
		r.Out.Host = r.In.Host
	}})
	defer proxy.Close()
	var sent, lost atomic.Int64
	var clients sync.WaitGroup
	sending, over := context.WithCancel(t.Context())
	for range 4 {
		clients.Go(func() {
			for sending.Err() == nil {
				_, body, err := call(http.MethodPost, proxy.URL+"/api/passenger", made.Production.APIKey,
					[]any{nobodyElse()})
				if sent.Add(1); err != nil {
					lost.Add(1)
					t.Logf("a request was lost: %v, %s", err, body)
				}
			}
		})
	}
	for i := range replicas {
		replicas[i].stop()
		run(i)
	}
	over()
	clients.Wait()
	if t.Logf("%d requests, %d lost", sent.Load(), lost.Load()); lost.Load() > 0 || sent.Load() == 0 {
		t.Errorf("%d of %d requests were lost; want none", lost.Load(), sent.Load())
	}
}
