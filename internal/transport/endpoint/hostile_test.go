package endpoint

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"crypto/tls"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"runtime"
	"strings"
	"testing"
	"time"

	"gangway/internal/transport"
	"gangway/internal/transport/transporttest"
)

var loopback = []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8"), netip.MustParsePrefix("::1/128")}

// raw is a customer's system that sends whatever say writes, byte by byte if it likes.
func raw(t *testing.T, say func(conn net.Conn, gone <-chan struct{})) (address string) {
	t.Helper()
	gone := make(chan struct{})
	port := transporttest.Listen(t, func(conn net.Conn) {
		if _, err := http.ReadRequest(bufio.NewReader(conn)); err == nil {
			say(conn, gone)
		}
	})
	t.Cleanup(func() { close(gone) })
	return fmt.Sprint("http://127.0.0.1:", port)
}

// push posts a document to an address, which has as long as deadline.
func push(t *testing.T, to string, deadline time.Duration) (transport.Answer, error) {
	t.Helper()
	s, err := newSender(json.RawMessage(fmt.Sprintf(`{"url": %q}`, to)), transport.Options{Allow: loopback}, deadline)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	return s.Send(t.Context(), transport.Outgoing{Body: []byte("{}")})
}

// How long these tests wait for a system that ends the exchange by itself, however busy the machine is, and for one
// that holds whoever asks it for ever: only the deadline ends that.
const (
	patient = 5 * time.Minute
	soon    = 500 * time.Millisecond
)

// TestHostile pushes to customers' systems that are broken or malicious. Each push
// ends, with little memory, and only a complete answer counts.
func TestHostile(t *testing.T) {
	var bomb bytes.Buffer
	packed := gzip.NewWriter(&bomb)
	for range 64 {
		packed.Write(make([]byte, 1<<20))
	}
	packed.Close()
	tests := []struct {
		name     string
		say      func(conn net.Conn, gone <-chan struct{})
		holds    bool // until it is left
		answered bool
	}{
		{"says nothing", func(conn net.Conn, gone <-chan struct{}) { <-gone }, true, false},
		{"hangs up", func(net.Conn, <-chan struct{}) {}, false, false},
		{"does not speak HTTP", func(conn net.Conn, _ <-chan struct{}) {
			conn.Write([]byte("220 smtp " +
				"ready\r\n"))
		}, false, false},
		{"has headers that are none", func(conn net.Conn, _ <-chan struct{}) {
			fmt.Fprint(conn, "HTTP/1.1 200 OK\r\nnot a header\r\n\r\n")
		}, false, false},
		{"drips headers", func(conn net.Conn, gone <-chan struct{}) {
			fmt.Fprint(conn, "HTTP/1.1 200 OK\r\n")
			transporttest.Drip(conn, gone, "X-A: b\r\n")
		}, true, false},
		{"sends headers without end", func(conn net.Conn, _ <-chan struct{}) {
			fmt.Fprint(conn, "HTTP/1.1 200 OK\r\n")
			for range 1 << 16 {
				if _, err := fmt.Fprintf(conn, "X-A: %s\r\n", strings.Repeat("x", 1<<10)); err != nil {
					return
				}
			}
		}, false, false},
		{"drips its body", func(conn net.Conn, gone <-chan struct{}) {
			fmt.Fprint(conn, "HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n")
			transporttest.Drip(conn, gone, "x")
		}, true, false},
		{"never ends its body", func(conn net.Conn, gone <-chan struct{}) {
			fmt.Fprint(conn, "HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\nhalf of it")
			<-gone
		}, true, false},
		{"cuts its body", func(conn net.Conn, _ <-chan struct{}) {
			fmt.Fprint(conn, "HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\nhalf of it")
		}, false, false},
		{"sends ten gigabytes", func(conn net.Conn, _ <-chan struct{}) {
			fmt.Fprint(conn, "HTTP/1.1 200 OK\r\nContent-Length: 10000000000\r\n\r\n")
			zeros := make([]byte, 1<<20)
			for range 256 { // of which nobody should read as many
				if _, err := conn.Write(zeros); err != nil {
					return
				}
			}
			t.Error("256 MiB were read")
		}, false, true},
		{"sends a bomb", func(conn net.Conn, _ <-chan struct{}) {
			fmt.Fprintf(conn, "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: %d\r\n\r\n", bomb.Len())
			conn.Write(bomb.Bytes())
		}, false, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			to := raw(t, tt.say)
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			deadline := patient
			if tt.holds {
				deadline = soon
			}
			answer, err := push(t, to, deadline)
			runtime.ReadMemStats(&after)
			if (err == nil) != tt.answered || len(answer.Body) > transport.AnswerKept {
				t.Errorf("Send = %d with %d bytes, %v; want an answer: %v", answer.Status, len(answer.Body), err,
					tt.answered)
			}
			for _, internals := range []string{"http: ", "net/http", "http2", "EOF", "malformed", " tcp "} {
				if err != nil && strings.Contains(err.Error(), internals) {
					t.Errorf("Send = %v; want words for the customer's admins", err)
				}
			}
			if used := after.TotalAlloc - before.TotalAlloc; used > 64<<20 {
				t.Errorf("it used %d MiB", used>>20)
			}
		})
	}
}

// TestCertificate checks that nothing is sent to a host which cannot prove its identity.
func TestCertificate(t *testing.T) {
	told := false
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { told = true }))
	server.Config.ErrorLog = log.New(io.Discard, "", 0)
	server.TLS = &tls.Config{}
	server.StartTLS()
	defer server.Close()
	_, err := push(t, server.URL, deadline)
	if err == nil || !strings.Contains(err.Error(), "certificate") || told {
		t.Fatalf("Send = %v; want the certificate refused and named", err)
	}
}

func TestSafePort(t *testing.T) {
	g := newGuard(loopback)
	for address, want := range map[string]bool{
		"93.184.216.34:443": true, "93.184.216.34:80": true, "93.184.216.34:8443": true,
		"[2606:2800:220:1::1]:443": true,
		"93.184.216.34:22":         false, "93.184.216.34:25": false, "93.184.216.34:1023": false, "127.0.0.1:22": true,
	} {
		if err := safe(g, "https", netip.MustParseAddrPort(address)); (err == nil) != want {
			t.Errorf("%s: %v; want it allowed: %v", address, err, want)
		}
	}
}
