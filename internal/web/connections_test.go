package web_test

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"testing"

	"gangway/internal/calltest"
	"gangway/internal/web"
)

// bounded is a server with a bound on connections, behind a proxy at 127.0.0.9.
func bounded(t *testing.T, all int, h http.Handler) *httptest.Server {
	t.Helper()
	proxies := []netip.Prefix{netip.MustParsePrefix("127.0.0.9/32")}
	s := httptest.NewUnstartedServer(web.FindClient(proxies, h))
	s.Listener = web.BoundConnections(s.Listener.(*net.TCPListener), all, proxies)
	s.Start()
	t.Cleanup(s.Close)
	return s
}

// dial opens a connection from an address of this machine.
func dial(t *testing.T, s *httptest.Server, from string) net.Conn {
	t.Helper()
	dialer := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(from)}}
	conn := calltest.Must(dialer.DialContext(t.Context(), "tcp", s.Listener.Addr().String()))(t)
	t.Cleanup(func() { conn.Close() })
	return conn
}

// ask asks for a page on a connection, on behalf of whoever the header names, and returns the answer's head.
func ask(t *testing.T, conn net.Conn, forwarded string) *http.Response {
	t.Helper()
	fmt.Fprintf(conn, "GET / HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: %s\r\n\r\n", forwarded)
	return head(t, conn)
}

func head(t *testing.T, conn net.Conn) *http.Response {
	t.Helper()
	res := calltest.Must(http.ReadResponse(bufio.NewReader(conn), nil))(t)
	return res
}

// turnedAway fails unless a connection is told to try again before it has sent anything.
func turnedAway(t *testing.T, conn net.Conn) {
	t.Helper()
	res := head(t, conn)
	if res.StatusCode != http.StatusServiceUnavailable || res.Header.Get("Retry-After") == "" {
		t.Fatalf("a connection too many = %s, Retry-After %q; want 503 with one", res.Status,
			res.Header.Get("Retry-After"))
	}
}

func TestConnections(t *testing.T) {
	empty := http.HandlerFunc(func(http.ResponseWriter, *http.Request) {})
	served := func(t *testing.T, conn net.Conn) net.Conn {
		t.Helper()
		if res := ask(t, conn, ""); res.StatusCode != http.StatusOK {
			t.Fatalf("answer = %s; want 200", res.Status)
		}
		return conn
	}

	t.Run("one network has a quarter of them, others the rest", func(t *testing.T) {
		s := bounded(t, 8, empty)
		for range 2 {
			served(t, dial(t, s, "127.0.0.1"))
		}
		turnedAway(t, dial(t, s, "127.0.0.1"))
		served(t, dial(t, s, "127.0.0.2"))
	})
	t.Run("beyond all of them everybody is told to try again", func(t *testing.T) {
		s := bounded(t, 4, empty)
		for i := range 4 {
			served(t, dial(t, s, fmt.Sprint("127.0.0.", i+1)))
		}
		turnedAway(t, dial(t, s, "127.0.0.5"))
	})
	t.Run("a closed connection frees its place", func(t *testing.T) {
		s := bounded(t, 4, empty)
		for range 20 {
			conn := served(t, dial(t, s, "127.0.0.1"))
			fmt.Fprint(conn, "GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
			if _, err := io.Copy(io.Discard, conn); err != nil { // until the server has closed it
				t.Fatal(err)
			}
			conn.Close()
		}
	})
	t.Run("everybody comes through a trusted proxy", func(t *testing.T) {
		s := bounded(t, 4, empty)
		for range 4 {
			served(t, dial(t, s, "127.0.0.9"))
		}
		turnedAway(t, dial(t, s, "127.0.0.9"))
	})
}

func TestBoundRequests(t *testing.T) {
	begun, end := make(chan string), make(chan bool)
	s := bounded(t, 100, web.BoundRequests(2, 3, web.Problem,
		http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
			begun <- web.From(r)
			<-end
		})))
	wait := func(client string) net.Conn {
		t.Helper()
		conn := dial(t, s, "127.0.0.9")
		fmt.Fprintf(conn, "GET / HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: %s\r\n\r\n", client)
		if got := <-begun; got != client {
			t.Fatalf("the request of %s began; want that of %s", got, client)
		}
		return conn
	}
	first := wait("192.0.2.1")
	wait("192.0.2.1")
	if res := ask(t, dial(t, s, "127.0.0.9"), "192.0.2.1"); res.StatusCode != http.StatusTooManyRequests ||
		res.Header.Get("Retry-After") == "" {
		t.Errorf("a request too many of one client, through a proxy = %s; want 429 with Retry-After", res.Status)
	}
	wait("192.0.2.2")
	if res := ask(t, dial(t, s, "127.0.0.9"), "192.0.2.3"); res.StatusCode != http.StatusServiceUnavailable ||
		res.Header.Get("Retry-After") == "" {
		t.Errorf("a request too many of all = %s; want 503 with Retry-After", res.Status)
	}
	end <- true
	close(end) // the others end, too
	if res := head(t, first); res.StatusCode != http.StatusOK {
		t.Errorf("a request under way = %s; want 200", res.Status)
	}
}
