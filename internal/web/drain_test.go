package web_test

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"gangway/internal/calltest"
	"gangway/internal/gangway"
	"gangway/internal/web"
)

// A refuser is a server that refuses every request once it has read some of
// its body, with drains for bodies of 1000 bytes.
type refuser struct {
	*httptest.Server
	asked  atomic.Int32
	closed chan struct{} // a value for each connection that has ended
	said   said
}

// said is the server's own log.
type said struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (s *said) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.buf.Write(p)
}

func newRefuser(t *testing.T) *refuser {
	t.Helper()
	r := &refuser{closed: make(chan struct{}, 100)}
	drains := web.NewDrains(1000)
	r.Server = httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		r.asked.Add(1)
		req.Body.Read(make([]byte, 10))
		drains.Problem(w, req, gangway.Errorf(gangway.Invalid, "the body is not taken"))
	}))
	r.Config.ErrorLog = log.New(&r.said, "", 0)
	r.Config.ConnState = func(_ net.Conn, s http.ConnState) {
		if s == http.StateClosed {
			r.closed <- struct{}{}
		}
	}
	r.Start()
	t.Cleanup(r.Close)
	return r
}

// dial sends text on a connection of its own and reads the head of the answer.
func (r *refuser) dial(t *testing.T, text string) (net.Conn, *bufio.Reader) {
	t.Helper()
	conn := calltest.Must(new(net.Dialer).DialContext(t.Context(), "tcp", r.Listener.Addr().String()))(t)
	t.Cleanup(func() { conn.Close() })
	fmt.Fprint(conn, text)
	in := bufio.NewReader(conn)
	res, err := http.ReadResponse(in, nil)
	if err != nil || res.StatusCode != http.StatusBadRequest {
		t.Fatalf("answer = %v, %v; want 400", res, err)
	}
	if _, err := io.Copy(io.Discard, res.Body); err != nil {
		t.Fatalf("the answer is cut: %v", err)
	}
	return conn, in
}

// quiet checks that the server has logged nothing, and was asked that many times.
func (r *refuser) quiet(t *testing.T, asked int32) {
	t.Helper()
	r.said.mu.Lock()
	defer r.said.mu.Unlock()
	if r.said.buf.Len() > 0 {
		t.Errorf("the server logged:\n%.2000s", r.said.buf.String())
	}
	if got := r.asked.Load(); got != asked {
		t.Errorf("the server was asked %d times; want %d: what follows in a body is no request", got, asked)
	}
}

func TestRefusedBodies(t *testing.T) {
	const (
		head = "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n\r\n"
		next = "GET /next HTTP/1.1\r\nHost: x\r\n\r\n"
	)
	x := strings.Repeat

	t.Run("a body that ends leaves the connection usable", func(t *testing.T) {
		r := newRefuser(t)
		conn, in := r.dial(t, fmt.Sprintf(head, 900)+x("x", 900))
		fmt.Fprint(conn, next)
		if res, err := http.ReadResponse(in, nil); err != nil || res.StatusCode != http.StatusBadRequest {
			t.Errorf("the next request is answered %v, %v; want 400", res, err)
		}
		r.quiet(t, 2)
	})

	t.Run("a body longer than the bound ends the connection, and the rest of it is not read as a request",
		func(t *testing.T) {
			r := newRefuser(t)
			conn, in := r.dial(t, fmt.Sprintf(head, 3000)+x("x", 2000))
			fmt.Fprint(conn, x("x", 1000)+next) // once the drain is over
			io.Copy(io.Discard, in)
			<-r.closed
			r.quiet(t, 1)
		})

	t.Run("a malformed body ends the connection", func(t *testing.T) {
		r := newRefuser(t)
		_, in := r.dial(t, "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n"+next)
		io.Copy(io.Discard, in)
		<-r.closed
		r.quiet(t, 1)
	})

	t.Run("a body that its sender cuts off ends the connection without a panic", func(t *testing.T) {
		r := newRefuser(t)
		for range 40 {
			conn, _ := r.dial(t, fmt.Sprintf(head, 501)+x("x", 500))
			conn.(*net.TCPConn).SetLinger(0) // reset, as of a program that was ended
			conn.Close()
			<-r.closed
		}
		r.quiet(t, 40)
	})
}
