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
	if reached {
		t.Error("the canary was reached")
	}
}

// TestCheck tries, before anything is sent, what a push would refuse.
func TestCheck(t *testing.T) {
	open, own := endpoint.New(endpoint.Config{}), endpoint.New(endpoint.Config{Allow: loopback})
	tests := []struct {
		e             *endpoint.Endpoint
		address, says string // says: empty when it is taken
	}{
		{open, "https://crew.invalid/api/sync_flights", ""},
		{open, "https://93.184.216.34/api", ""},
		{open, "https://93.184.216.34:8443/api", ""},
		{open, "", "must be a URL"},
		{open, "crew.example.com", "must be a URL"},
		{open, "https://", "must be a URL"},
		{open, "https://:443/", "must be a URL"},
		{open, "ftp://crew.invalid/", "must begin with https://"},
		{open, "file:///etc/passwd", "must be a URL"},
		{open, "https://me:secret@crew.invalid/", "user name or password"},
		{open, "https://crew.invalid/#a", "fragment"},
		{open, "https://crew.invalid/#", "fragment"},
		{open, "https://crew.invalid:99999/", "port"},
		{open, "https://93.184.216.34:25/", "not allowed"},
		{open, "http://93.184.216.34/api", "plain http://"},
		{open, "http://crew.invalid/api", "plain http://"},
		{open, "http://169.254.169.254/x", "not allowed"},
		{open, "https://169.254.169.254/x", "not allowed"},
		{open, "https://127.0.0.1/", "not allowed"},
		{open, "https://localhost/", "not allowed"},
		{open, "https://[::1]/", "not allowed"},
		{open, "https://2130706433/", "usually written"},
		{open, "https://0x7f000001/", "usually written"},
		{open, "https://0177.0.0.1/", "usually written"},
		{open, "https://127.1/", "usually written"},
		{open, "https://127.0.0.0x1./", "usually written"},
		{open, "https://①②⑦.0.0.1/", "usually written"},
		{open, "https://127。0。0。1/", "usually written"},
		{open, "https://localhost./", "not allowed"},
		{open, "https://LocalHost.LocalDomain/", "not allowed"},
		{open, "https://ip6-localhost/", "not allowed"},
		{open, "https://a.localhost/", "not allowed"},
		{open, "https://ｌｏｃａｌｈｏｓｔ/", "not allowed"},
		{open, "https://crew.invalid/" + strings.Repeat("a", 100_000), "2048"},
		{open, "https://3com.invalid/", ""},
		{open, "https://[::ffff:10.0.0.1]/", "not allowed"},
		{open, "https://192.168.1.1/", "not allowed"},
		{own, "http://127.0.0.1:22/", ""},
		{own, "http://localhost:8080/", ""},
		{own, "https://10.0.0.1/", "not allowed"},
		{own, "http://93.184.216.34/", "plain http://"},
	}
	for _, tt := range tests {
		warning, err := tt.e.Check(t.Context(), tt.address)
		if unknown := tt.says == "" && strings.Contains(tt.address, ".invalid"); unknown != strings.Contains(warning,
			".invalid ") {
			t.Errorf("Check(%q) warns %q; want a warning only for an unknown name", tt.address, warning)
		}
		if tt.says == "" && err != nil || tt.says != "" && (err == nil || !strings.Contains(err.Error(), tt.says)) {
			t.Errorf("Check(%q) = %v; want %q", tt.address, err, tt.says)
		}
		if tt.says == "" {
			continue
		}
		if _, err := tt.e.Push(t.Context(), transport.Document{To: tt.address}); err == nil {
			t.Errorf("%q is refused by Check and accepted by Push", tt.address)
		}
	}
}
