package store

import (
	"strings"
	"syscall"
	"time"
)

// tcpUserTimeout is an option of Linux: for how long what was sent may stay
// unacknowledged. Keepalives ask only while nothing was.
const tcpUserTimeout = 0x12

// unanswered has the system end a connection to PostgreSQL whose other side
// acknowledges nothing any more, as after a failover to another machine.
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
