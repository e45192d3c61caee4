package web

import (
	"fmt"
	"net"
	"net/netip"
	"slices"
	"time"
)

// sendBuffer is how much of an answer the system buffers for a connection whose other end reads
// nothing. The default is megabytes for each, on top of the memory that the program counts.
const sendBuffer = 128 << 10

// turnedAway is the answer to a connection beyond the bound: opening many costs us no more than
// this.
const turnedAway = "too many connections are open; try again in a moment\n"

// Connections is a listener with a bound on how many connections there are at a time,
// from one network and in all: each takes memory before it has identified itself.
//
// Trusted proxies count only towards the total, because everybody comes through them; BoundRequests
// counts the clients behind them.
//
// Decided: docs/choices.md, "What anybody may fill".
type Connections struct {
	net.Listener
	Silent  bool // connections beyond the bound are closed without an answer, because they speak TLS
	trusted []netip.Prefix
	limit   *ConcurrencyLimit // by network
}

// BoundConnections bounds the connections of l, which are TCP's or of a Unix socket: all of them, and a
// quarter of that for one network.
func BoundConnections(l net.Listener, all int, trusted []netip.Prefix) *Connections {
	return &Connections{Listener: l, trusted: trusted, limit: NewConcurrencyLimit(Concurrency{Each: max(1, all/4),
		All: all})}
}

// Accept returns the next connection that there is room for. Others are told to try again.
func (c *Connections) Accept() (net.Conn, error) {
	for {
		accepted, err := c.Listener.Accept()
		if err != nil {
			return nil, err
		}
		conn := accepted.(stream) // as connections of TCP and of Unix sockets are
		release, full := c.limit.Acquire(c.networkOf(conn))
		if full != nil && c.Silent {
			conn.Close()
			continue
		}
		if full != nil {
			conn.SetWriteDeadline(time.Now().Add(time.Second)) // nothing was sent yet, so nothing waits
			fmt.Fprintf(conn, "HTTP/1.1 503 Service Unavailable\r\nRetry-After: %s\r\nConnection: "+
				"close\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: %d\r\n\r\n%s",
				RetryAfter, len(turnedAway), turnedAway)
			conn.Close()
			continue
		}
		conn.SetWriteBuffer(sendBuffer) // if it cannot be set the system's own bound applies
		return &connection{conn, release}, nil
	}
}

// networkOf returns the network that a connection counts for: one of its own for a trusted proxy.
func (c *Connections) networkOf(conn net.Conn) string {
	at, ok := address(conn.RemoteAddr().String())
	if !ok {
		return fmt.Sprintf("%p", conn) // the proxy at a Unix socket
	}
	if slices.ContainsFunc(c.trusted, func(p netip.Prefix) bool { return p.Contains(at) }) {
		return conn.RemoteAddr().String()
	}
	return Network(at)
}

// A stream is what TCP and Unix sockets have in common.
type stream interface {
	net.Conn
	CloseWrite() error
	SetWriteBuffer(bytes int) error
}

// A connection counts until it is closed.
type connection struct {
	stream
	release func()
}

// Close is part of net.Conn. It frees the place before the other side can see that the
// connection has ended.
func (c *connection) Close() error {
	c.release()
	return c.stream.Close()
}
