package gate

import (
	"net"
	"syscall"
	"testing"

	"github.com/jackc/pgx/v5"
)

// TestUnacknowledgedConnectionsEnd holds that a connection whose other side acknowledges nothing ends by itself.
func TestUnacknowledgedConnectionsEnd(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	config, err := pgx.ParseConfig("postgres://gangway@127.0.0.1/gangway")
	if err != nil {
		t.Fatal(err)
	}
	KeepAlive(config)
	conn, err := config.DialFunc(t.Context(), "tcp", l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	raw, err := conn.(*net.TCPConn).SyscallConn()
	if err != nil {
		t.Fatal(err)
	}
	var got int
	var wrong error
	if err := raw.Control(func(fd uintptr) {
		got, wrong = syscall.GetsockoptInt(int(fd), syscall.IPPROTO_TCP, tcpUserTimeout)
	}); err != nil || wrong != nil {
		t.Fatal(err, wrong)
	}
	if got != 11000 {
		t.Errorf("sent data may stay unacknowledged for %d ms; want 11000", got)
	}
}
