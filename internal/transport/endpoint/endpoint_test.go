package endpoint_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"sync"
	"testing"

	"gangway/internal/transport"
	"gangway/internal/transport/endpoint"
	"gangway/internal/transport/transporttest"
)

var loopback = []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8"), netip.MustParsePrefix("::1/128")}

func TestEndpoint(t *testing.T) {
	transporttest.Pusher(t, endpoint.New(endpoint.Config{Allow: loopback}), func(t *testing.T) transporttest.Receiver {
		var mu sync.Mutex
		var got []transport.Document
		status, header, body := http.StatusOK, http.Header{}, ""
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			doc, _ := io.ReadAll(r.Body)
			mu.Lock()
			defer mu.Unlock()
			got = append(got, transport.Document{Header: r.Header.Clone(), Body: doc})
			for name, values := range header {
				w.Header()[name] = values
			}
			w.WriteHeader(status)
			io.WriteString(w, body)
		}))
		t.Cleanup(server.Close)
		return transporttest.Receiver{
			To: server.URL,
			Answer: func(s int, h http.Header, b string) {
				mu.Lock()
				defer mu.Unlock()
				status, header, body = s, h, b
			},
			Received: func() []transport.Document {
				mu.Lock()
				defer mu.Unlock()
				return append([]transport.Document(nil), got...)
			},
		}
	})
}

// TestGuard calls addresses inside the operator's network by every name they
// have; none is reached.
func TestGuard(t *testing.T) {
	reached := false
	canary := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { reached = true }))
	defer canary.Close()
	_, port, _ := strings.Cut(strings.TrimPrefix(canary.URL, "http://"), ":")
	e := endpoint.New(endpoint.Config{})
	for _, host := range []string{
		"127.0.0.1", "localhost", "127.1", "0.0.0.0", "[::1]", "[::ffff:127.0.0.1]", "[::]", "10.0.0.1", "192.168.1.1",
		"172.16.0.1", "169.254.169.254", "100.64.0.1", "[fe80::1]", "[fc00::1]", "[64:ff9b::7f00:1]", "2130706433",
	} {
		if _, err := e.Push(t.Context(), transport.Document{To: "http://" + host + ":" + port + "/"}); err == nil {
			t.Errorf("%s was called", host)
		}
	}
	for _, address := range []string{"", "crew.example.com", "ftp://crew.example.com/", "file:///etc/passwd", "https://me:secret@crew.example.com/", "https://crew.example.com/#a", "gopher://127.0.0.1/"} {
		if err := endpoint.CheckURL(address); err == nil {
			t.Errorf("CheckURL(%q) = nil; want it refused", address)
		}
	}
	if reached {
		t.Error("the canary was reached")
	}
}
