package endpoint

import (
	"context"
	"crypto/tls"
	"net"
	"net/http"
	"net/http/httptrace"
	"sync/atomic"

	"gangway/internal/transport"
)

// A heldConn writes nothing once the document that it was given for may not be sent any more. Making a
// connection takes seconds at times, and a process may be paused at any moment of it, so this is asked
// with the bytes in hand.
type heldConn struct {
	net.Conn
	held atomic.Pointer[func() bool] // of the latest request; nil: none was made yet
}

// Write writes bytes of the latest request, or fails.
func (c *heldConn) Write(b []byte) (int, error) {
	if held := c.held.Load(); held != nil && !(*held)() {
		c.Close()
		return 0, transport.ErrNotHeld
	}
	return c.Conn.Write(b)
}

// holding makes heldConns of the connections that dial opens.
func holding(dial dialing) dialing {
	return func(ctx context.Context, network, address string) (net.Conn, error) {
		conn, err := dial(ctx, network, address)
		if err != nil {
			return nil, err
		}
		return &heldConn{Conn: conn}, nil
	}
}

// whileHeld returns a request that leaves only while the document of its context may be sent.
func whileHeld(req *http.Request) *http.Request {
	held := transport.Held(req.Context())
	return req.WithContext(httptrace.WithClientTrace(req.Context(), &httptrace.ClientTrace{
		GotConn: func(got httptrace.GotConnInfo) {
			conn := got.Conn
			if secure, ok := conn.(*tls.Conn); ok {
				conn = secure.NetConn()
			}
			if conn, ok := conn.(*heldConn); ok {
				conn.held.Store(&held)
			}
		},
	}))
}
