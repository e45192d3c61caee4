package gate

import (
	"net"
	"syscall"
	"testing"

	"github.com/jackc/pgx/v5"

	"gangway/internal/calltest"
)

// TestUnacknowledgedConnectionsEnd holds that a connection whose other side acknowledges nothing ends by itself.
func TestUnacknowledgedConnectionsEnd(t *testing.T) {
	l := calltest.Must(net.Listen("tcp", "127.0.0.1:0"))(t)
	defer l.Close()
	config := calltest.Must(pgx.ParseConfig("postgres://gangway@127.0.0.1/gangway"))(t)
	KeepAlive(config)
	conn := calltest.Must(config.DialFunc(t.Context(), "tcp", l.Addr().String()))(t)
	defer conn.Close()
	raw := calltest.Must(conn.(*net.TCPConn).SyscallConn())(t)
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
