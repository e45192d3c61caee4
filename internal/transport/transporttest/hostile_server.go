package transporttest

import (
	"bufio"
	"fmt"
	"net"
	"net/http"
	"sync"
	"sync/atomic"
	"testing"
)

// A HostileServer is a customer's system that answers well until it turns hostile.
type HostileServer struct {
	URL   string
	Asked chan string // holds the address of each request that came, as it was written

	mu   sync.Mutex
	has  func(r *http.Request) string // the document that it has; while it answers well
	evil *HostileSystem
	gone chan struct{} // closed when it lets go of those whom it holds

	held atomic.Int64 // how many it holds
	sent atomic.Int64
}

// NewHostileServer starts a server that answers with what it has, until it turns hostile.
func NewHostileServer(t testing.TB, has func(r *http.Request) string) *HostileServer {
	t.Helper()
	s := &HostileServer{Asked: make(chan string, 10_000), has: has, gone: make(chan struct{})}
	port := Listen(t, s.serve)
	t.Cleanup(s.LetGo)
	s.URL = fmt.Sprint("http://127.0.0.1:", port)
	return s
}

func (s *HostileServer) serve(conn net.Conn) {
	r, err := http.ReadRequest(bufio.NewReader(conn))
	if err != nil {
		return
	}
	s.mu.Lock()
	has, evil, gone := s.has, s.evil, s.gone
	s.mu.Unlock()
	s.held.Add(1)
	defer s.held.Add(-1)
	s.Asked <- r.URL.RequestURI()
	if evil != nil {
		evil.say(counted{conn, &s.sent}, gone)
		return
	}
	doc := has(r)
	fmt.Fprintf(conn, "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: %d\r\n\r\n%s", len(doc), doc)
}

// Turn makes it hostile in a way, from the next request on. It forgets who asked it before.
func (s *HostileServer) Turn(into HostileSystem) { s.become(&into) }

// Recover makes it answer well again. It lets go of nobody.
func (s *HostileServer) Recover() { s.become(nil) }

func (s *HostileServer) become(evil *HostileSystem) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.evil = evil
	s.sent.Store(0)
	for {
		select {
		case <-s.Asked:
			continue
		default:
		}
		return
	}
}

// LetGo hangs up on all whom it holds.
func (s *HostileServer) LetGo() {
	s.mu.Lock()
	defer s.mu.Unlock()
	close(s.gone)
	s.gone = make(chan struct{})
}

// Holds returns how many it holds.
func (s *HostileServer) Holds() int { return int(s.held.Load()) }

// Sent returns how many bytes of answers were taken from it since it turned hostile,
// by whoever asked or by the system's buffers.
func (s *HostileServer) Sent() int64 { return s.sent.Load() }

// counted counts what is written.
type counted struct {
	net.Conn
	sent *atomic.Int64
}

func (c counted) Write(p []byte) (int, error) {
	n, err := c.Conn.Write(p)
	c.sent.Add(int64(n))
	return n, err
}
