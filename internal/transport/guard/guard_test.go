package guard_test

import (
	"context"
	"errors"
	"net"
	"net/netip"
	"strings"
	"testing"

	"gangway/internal/transport/guard"
	"gangway/internal/transport/transporttest"
)

var loopback = []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8"), netip.MustParsePrefix("::1/128")}

// listen returns the address of a server that counts nothing: a connection shows that it was reached.
func listen(t *testing.T, network, address string) net.Listener {
	t.Helper()
	l, err := net.Listen(network, address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	return l
}

func TestGuard(t *testing.T) {
	_, port, _ := net.SplitHostPort(listen(t, "tcp", "127.0.0.1:0").Addr().String())
	socket := listen(t, "unix", t.TempDir()+"/s").Addr().String()
	tests := []struct {
		allow            []netip.Prefix
		network, address string
		reached          bool
	}{
		{nil, "tcp", "127.0.0.1:" + port, false},
		{nil, "tcp", "localhost:" + port, false},
		{nil, "tcp4", "[::ffff:127.0.0.1]:" + port, false},
		{nil, "tcp", "[::ffff:7f00:1]:" + port, false},
		{nil, "tcp", "0.0.0.0:" + port, false},
		{nil, "tcp", "2130706433:" + port, false},
		{nil, "tcp", "0x7f.1:" + port, false},
		{nil, "tcp", "169.254.169.254:80", false},
		{nil, "tcp", "10.0.0.1:21", false},
		{nil, "unix", socket, false},
		{nil, "udp", "127.0.0.1:" + port, false},
		{loopback, "tcp", "127.0.0.1:" + port, true},
		{loopback, "tcp", "localhost:" + port, true},
		{loopback, "unix", socket, false},
		{loopback, "udp", "127.0.0.1:" + port, false},
		{loopback, "tcp", "0.0.0.0:" + port, false},
		{loopback, "tcp", "10.0.0.1:21", false},
	}
	for _, tt := range tests {
		conn, err := guard.New(tt.allow).DialContext(t.Context(), tt.network, tt.address)
		if conn != nil {
			conn.Close()
		}
		if (err == nil) != tt.reached {
			t.Errorf("with %v allowed, %s %s = %v; want it reached: %v", tt.allow, tt.network, tt.address, err,
				tt.reached)
		}
		if err != nil && strings.Contains(guard.Explain(err, "no answer").Error(), port) {
			t.Errorf("%s = %v, with an address of ours in it", tt.address, guard.Explain(err, "no answer"))
		}
	}
}

// A name that is resolved to a public address when settings are made, and to one of
// ours when it is called, leads nowhere: the address connected to is checked.
func TestChangingName(t *testing.T) {
	_, port, _ := net.SplitHostPort(listen(t, "tcp", "127.0.0.1:0").Addr().String())
	asked := transporttest.NamesLeadHome(t)
	for range 100 {
		conn, err := guard.New(nil).DialContext(t.Context(), "tcp", "crew.example:"+port)
		if conn != nil || !errors.Is(err, guard.ErrRefused) {
			t.Fatalf("a name with our own address = %v, %v; want it refused", conn, err)
		}
	}
	if asked.Load() == 0 {
		t.Error("the name was never looked up")
	}
}

// A host that is written otherwise than hosts are is told so, and not in the words of a library.
func TestHostAsItIsWritten(t *testing.T) {
	for _, host := range []string{"[::1]", "[93.184.216.34]", "a.example,b.example", "/tmp/x", "a.example:22", "a b"} {
		err := guard.New(loopback).CheckHost(host)
		if err == nil || !strings.Contains(err.Error(), "usually written") {
			t.Errorf("CheckHost(%q) = %v; want it refused", host, err)
		}
	}
	flood := errors.New("net/http: server response headers exceeded 65536 bytes; aborted")
	if told := guard.Explain(flood, "no answer").Error(); strings.Contains(told, "net/http") {
		t.Errorf("a flood of headers is told as %q; want a sentence of ours", told)
	}
}

func TestRule(t *testing.T) {
	address := listen(t, "tcp", "127.0.0.1:0").Addr().String()
	port := errors.New("not this port")
	var asked netip.AddrPort
	g := guard.New(loopback, func(_ context.Context, to netip.AddrPort) error { asked = to; return port })
	if _, err := g.DialContext(t.Context(), "tcp", address); !errors.Is(err, port) || asked.String() != address {
		t.Errorf("Dial = %v, the rule was asked for %s; want its refusal of %s", err, asked, address)
	}
}

// What is served at its own ports is not looked for at those of others, whatever the settings said.
func TestPorts(t *testing.T) {
	if _, err := guard.NewFor(nil, 22).DialContext(t.Context(), "tcp", "8.8.8.8:25"); !errors.Is(err, guard.ErrPort) {
		t.Errorf("DialContext = %v; want the port refused before anything is sent", err)
	}
}
