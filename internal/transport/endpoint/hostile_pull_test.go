package endpoint

import (
	"context"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"testing"
	"time"

	"gangway/internal/calltest"
	"gangway/internal/gangway"
	"gangway/internal/transport"
	"gangway/internal/transport/transporttest"
)

// TestHostilePull fetches from customers' systems that are slow, dying, lying or
// hostile. Each pull ends, with little memory, and with a sentence.
func TestHostilePull(t *testing.T) {
	reached := false
	canary := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { reached = true }))
	defer canary.Close()
	for _, tt := range transporttest.HostileSystems(canary.URL) {
		t.Run(tt.Name, func(t *testing.T) {
			system := transporttest.NewHostileServer(t, nil)
			system.Turn(tt)
			p := newPuller(t, system.URL+"/crew?key=hush", transport.Options{Allow: loopback})
			deadline := patient
			if tt.Holds {
				deadline = soon
			}
			ctx, cancel := context.WithTimeout(t.Context(), deadline)
			defer cancel()
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			got, err := transporttest.Pull(ctx, p, transport.Query{Most: 4 << 20})
			runtime.ReadMemStats(&after)
			if tt.Says == "" { // a document in the transport's eyes, whatever type it says
				if err != nil || len(got) != 1 || got[0].ContentType != "image/png" {
					t.Errorf("Pull = %v, %v; want it as it came, with its type", got, err)
				}
				return
			}
			if err == nil || !strings.Contains(err.Error(), tt.Says) || gangway.KindOf(err) == gangway.Internal ||
				strings.Contains(err.Error(), "hush") || strings.Contains(err.Error(), "secret") {
				t.Errorf("Pull = %v; want %q", err, tt.Says)
			}
			if used := after.TotalAlloc - before.TotalAlloc; used > 64<<20 {
				t.Errorf("it used %d MiB", used>>20)
			}
		})
	}
	if reached {
		t.Error("the redirect was followed")
	}
}

func newPuller(t *testing.T, address string, o transport.Options) *puller {
	t.Helper()
	p, err := open(json.RawMessage(fmt.Sprintf(`{"url": %q, "auth": {"kind": "bearer", "token": "hush"}}`, address)), o)
	calltest.Done(t, err)
	return p
}

// A system that says nothing for a minute is left, though nobody waits for it.
func TestSilence(t *testing.T) {
	for name, say := range map[string]func(net.Conn, <-chan struct{}){
		"at once": func(_ net.Conn, gone <-chan struct{}) { <-gone },
		"midway": func(conn net.Conn, gone <-chan struct{}) {
			fmt.Fprint(conn, "HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n[{}")
			<-gone
		},
	} {
		p := newPuller(t, raw(t, say), transport.Options{Allow: loopback})
		p.silence = 50 * time.Millisecond
		if _, err := transporttest.Pull(t.Context(), p, transport.Query{}); err == nil || !strings.Contains(err.Error(),
			"no answer in time") {
			t.Errorf("silent %s: Pull = %v; want it left", name, err)
		}
	}
}

// Names that lead into our own network when they are called lead nowhere, whatever they were when the feed was set.
func TestChangingNamePull(t *testing.T) {
	reached := false
	canary := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { reached = true }))
	defer canary.Close()
	_, port, _ := net.SplitHostPort(canary.Listener.Addr().String())
	p := newPuller(t, "https://crew.example:"+port+"/", transport.Options{})
	asked := transporttest.NamesLeadHome(t)
	for range 20 {
		_, err := transporttest.Pull(t.Context(), p, transport.Query{})
		if err == nil || !strings.Contains(err.Error(), "--allow-network") ||
			strings.Contains(err.Error(), "127.0.0.1") {
			t.Fatalf("Pull = %v; want it refused", err)
		}
	}
	if reached || asked.Load() == 0 {
		t.Errorf("our own network was reached: %v, after %d look-ups", reached, asked.Load())
	}
}

// Plain http:// is only for networks that the operator allows.
func TestPlainPull(t *testing.T) {
	p := newPuller(t, "http://93.184.216.34/", transport.Options{})
	ctx, cancel := context.WithTimeout(t.Context(), patient)
	defer cancel()
	_, err := transporttest.Pull(ctx, p, transport.Query{})
	if err == nil || !strings.Contains(err.Error(), "plain http://") {
		t.Errorf("Pull = %v; want it refused", err)
	}
}
