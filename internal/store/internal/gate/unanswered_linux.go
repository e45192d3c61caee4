package gate

import (
	"strings"
	"syscall"
	"time"
)

// tcpUserTimeout is a Linux socket option: for how long sent data may stay
// unacknowledged. Keepalives are sent only while there is no such data.
const tcpUserTimeout = 0x12

// unanswered has the system close a connection to PostgreSQL whose other side no
// longer acknowledges anything, for example after a failover to another machine.
func unanswered(network, _ string, c syscall.RawConn) (err error) {
	if !strings.HasPrefix(network, "tcp") {
		return nil
	}
	most := silence.Idle + time.Duration(silence.Count)*silence.Interval
	if wrong := c.Control(func(fd uintptr) {
		err = syscall.SetsockoptInt(int(fd), syscall.IPPROTO_TCP, tcpUserTimeout, int(most.Milliseconds()))
	}); wrong != nil {
		return wrong
	}
	return err
}
