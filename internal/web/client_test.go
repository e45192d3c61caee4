package web

import (
	"net/http"
	"net/http/httptest"
	"net/netip"
	"testing"
)

// TestClient checks what a request's peer and X-Forwarded-For say about its client.
func TestClient(t *testing.T) {
	trusted := []netip.Prefix{
		netip.MustParsePrefix("127.0.0.1/32"), netip.MustParsePrefix("10.20.0.0/16"),
		netip.MustParsePrefix("2001:db8:5::/48"),
	}
	const near = "127.0.0.1:40000"
	tests := []struct {
		name, peer string
		lines      []string
		want       string
	}{
		{"a peer that nobody trusts is the client, whatever it says", "198.51.100.7:5000", []string{"203.0.113.9"},
			"198.51.100.7"},
		{"a trusted proxy names the client", near, []string{"203.0.113.9"}, "203.0.113.9"},
		{"a proxy that names no client is the client itself", near, nil, "127.0.0.1"},
		{"what the client wrote itself is not trusted", near, []string{"192.0.2.1, 10.20.0.3, 203.0.113.9"},
			"203.0.113.9"},
		{"a chain of trusted proxies", near, []string{"203.0.113.9, 10.20.0.3,10.20.0.4"}, "203.0.113.9"},
		{"lines are one list", near, []string{"192.0.2.1", "203.0.113.9", "10.20.0.4"}, "203.0.113.9"},
		{"trusted ones only: the farthest one", near, []string{"10.20.0.3, 10.20.0.4"}, "10.20.0.3"},
		{"an entry that is not an address ends the walk at the last proxy", near, []string{"203.0.113.9, unknown, " +
			"10.20.0.4"},
			"10.20.0.4"},
		{"no address at all", near, []string{"unknown"}, "127.0.0.1"},
		{"an empty line", near, []string{"203.0.113.9", ""}, "127.0.0.1"},
		{"an entry left empty", near, []string{"203.0.113.9, , 10.20.0.4"}, "10.20.0.4"},
		{"a name is not an address", near, []string{"ship.example"}, "127.0.0.1"},
		{"with a port", near, []string{"203.0.113.9:61000"}, "203.0.113.9"},
		{"IPv6", near, []string{"2001:db8:9::1"}, "2001:db8:9::1"},
		{"IPv6 in brackets", near, []string{"[2001:db8:9::1]"}, "2001:db8:9::1"},
		{"IPv6 in brackets with a port", near, []string{"[2001:db8:9::1]:61000"}, "2001:db8:9::1"},
		{"IPv6 with a zone", near, []string{"fe80::1%eth0"}, "fe80::1"},
		{"IPv4 written as IPv6", near, []string{"::ffff:203.0.113.9"}, "203.0.113.9"},
		{"a trusted proxy written as IPv6", "[::ffff:10.20.0.3]:40000", []string{"203.0.113.9"}, "203.0.113.9"},
		{"a trusted proxy on IPv6 with a zone", "[2001:db8:5::7%eth1]:40000", []string{"203.0.113.9"}, "203.0.113.9"},
		{"a line of commas", near, []string{",,,,"}, "127.0.0.1"},
		{"half an address in brackets", near, []string{"[2001:db8:9::1"}, "127.0.0.1"},
		{"the proxy at a Unix socket names the client", "@", []string{"192.0.2.1,203.0.113.9, 10.20.0.4"},
			"203.0.113.9"},
		{"the proxy at a Unix socket names nobody", "", nil, "invalid IP"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := httptest.NewRequest(http.MethodGet, "/", nil)
			r.RemoteAddr = tt.peer
			for _, line := range tt.lines {
				r.Header.Add("X-Forwarded-For", line)
			}
			var got string
			h := FindClient(trusted, http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
				got = Client(r).String()
			}))
			h.ServeHTTP(httptest.NewRecorder(), r)
			if got != tt.want {
				t.Fatalf("Client of %s with %q = %s; want %s", tt.peer, tt.lines, got, tt.want)
			}
		})
	}

	t.Run("without trusted proxies the peer is the client", func(t *testing.T) {
		r := httptest.NewRequest(http.MethodGet, "/", nil)
		r.RemoteAddr = near
		r.Header.Set("X-Forwarded-For", "203.0.113.9")
		if got := Client(r).String(); got != "127.0.0.1" {
			t.Fatalf("Client = %s; want the peer, 127.0.0.1", got)
		}
	})
}

func TestNetwork(t *testing.T) {
	for address, want := range map[string]string{
		"203.0.113.9":                  "203.0.113.9/32",
		"2001:db8:9:8:7:6:5:4":         "2001:db8:9:8::/64",
		"2001:db8:9:8:ffff:ffff::ffff": "2001:db8:9:8::/64",
	} {
		if got := Network(netip.MustParseAddr(address)); got != want {
			t.Errorf("Network(%s) = %s; want %s", address, got, want)
		}
	}
	if got := Network(netip.Addr{}); got != "unknown" {
		t.Errorf("Network of no address = %s; want unknown", got)
	}
}
