package api_test

import (
	"bytes"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"testing"
	"time"

	"gangway/internal/web"
	"gangway/internal/web/api"
)

// of gives the surface a budget.
func (s *surface) of(t *testing.T, b *web.Budget) *surface {
	t.Helper()
	limited := *s
	limited.Server = httptest.NewServer(api.New(api.Config{DB: s.db, Now: func() time.Time {
		return now
	}, Log: slog.New(slog.DiscardHandler), Budget: b}))
	t.Cleanup(limited.Close)
	return &limited
}

// beginPost sends the head of a request with a body of so many bytes on a connection of
// its own, which it returns. headers are lines as they are sent.
func (s *surface) beginPost(t *testing.T, path string, bytes int, headers string) net.Conn {
	t.Helper()
	conn, err := new(net.Dialer).DialContext(t.Context(), "tcp", s.Listener.Addr().String())
	must(t, err)
	t.Cleanup(func() { conn.Close() })
	fmt.Fprintf(conn, "POST %s HTTP/1.1\r\nHost: x\r\nX-Api-Key: %s\r\nContent-Length: %d\r\n%s\r\n", path, s.key,
		bytes, headers)
	return conn
}

// fullBudget is a budget whose large part is used up by others.
func fullBudget(t *testing.T) *web.Budget {
	t.Helper()
	b := web.NewBudget(8<<20, 0)
	for _, client := range []string{"others", "and others"} {
		must(t, did(b.Hold(t.Context(), client, 3<<19)))
	}
	return b
}

func TestUploadMemory(t *testing.T) {
	plain := newSurface(t)

	t.Run("no memory is reserved for a Content-Length alone", func(t *testing.T) {
		var open []net.Conn
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		for range 60 {
			open = append(open, plain.beginPost(t, "/passenger", 33_000_000, ""))
			fmt.Fprint(open[len(open)-1], "[")
		}
		for _, conn := range open { // each is cut short, so its answer shows that it was being read
			conn.(*net.TCPConn).CloseWrite()
			if answer, _ := io.ReadAll(conn); !bytes.HasPrefix(answer, []byte("HTTP/1.1 400")) {
				t.Errorf("answer = %.60q; want 400", answer)
			}
			conn.Close()
		}
		runtime.ReadMemStats(&after)
		if took := after.TotalAlloc - before.TotalAlloc; took > 30<<20 {
			t.Errorf("60 requests that claim 33 MB and send a byte had %d bytes set aside", took)
		}
	})

	t.Run("without room, large uploads are told when to try again and small ones are accepted",
		func(t *testing.T) {
			s := plain.of(t, fullBudget(t))
			res := s.do(t, "POST", "/passenger", []byte("["+strings.Repeat(" ", 4<<20)+"]"))
			if res.status != http.StatusServiceUnavailable || res.header.Get("Retry-After") == "" {
				t.Errorf("a large upload = %d %s; want 503 with Retry-After", res.status, res.body)
			}
			if res := s.post(t, "/passenger", crew(1)); res.status != 200 {
				t.Errorf("one record = %d %s; want 200", res.status, res.body)
			}
		})

	t.Run("an upload's memory is released", func(t *testing.T) {
		s := plain.of(t, web.NewBudget(8<<20, 0))
		for range 30 {
			if res := s.post(t, "/passenger", crew(2000)); res.status != 200 {
				t.Fatalf("upload = %d %s", res.status, res.body)
			}
		}
	})

	t.Run("a body that would grow far beyond its size is refused before it is decoded", func(t *testing.T) {
		doc := `[{"vessel":"V","change_date":"2036-12-01","onsigners":[` + strings.Repeat("{},", 9<<20) + `{}]}]`
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		res := plain.do(t, "POST", "/travel-requests", []byte(doc))
		runtime.ReadMemStats(&after)
		if res.status != http.StatusRequestEntityTooLarge {
			t.Errorf("ten million empty members = %d %.200s; want 413", res.status, res.body)
		}
		if took := after.TotalAlloc - before.TotalAlloc; took > 200<<20 { // the body, as its buffer grew, at both ends
			t.Errorf("refusing it took %d bytes", took)
		}
	})

	t.Run("an object with more members than a record can have is refused", func(t *testing.T) {
		var doc strings.Builder
		doc.WriteString(`[{"id":"1"`)
		for i := range 10_001 {
			fmt.Fprintf(&doc, `,"x%d":0`, i)
		}
		doc.WriteString(`}]`)
		if res := plain.do(t, "POST", "/passenger", []byte(doc.String())); res.status != 400 ||
			!strings.Contains(res.body, "an object has more than 10000 members") {
			t.Errorf("answer = %d %.200s; want 400 that says so", res.status, res.body)
		}
	})
}

// Most programs read nothing before they have sent everything.
func TestRefusedWhileSending(t *testing.T) {
	s := newSurface(t).of(t, fullBudget(t))
	for name, tt := range map[string]struct {
		bytes  int
		status string
	}{"no room": {20 << 20, "503"}, "too large": {33 << 20, "413"}} {
		conn := s.beginPost(t, "/passenger", tt.bytes, "Connection: close\r\n")
		if _, err := conn.Write(bytes.Repeat([]byte(" "), tt.bytes)); err != nil {
			t.Errorf("%s: sending was cut: %v", name, err)
		}
		answer, err := io.ReadAll(conn)
		if err != nil || !bytes.HasPrefix(answer, []byte("HTTP/1.1 "+tt.status)) {
			t.Errorf("%s: %.80q, %v; want %s", name, answer, err, tt.status)
		}
		conn.Close()
	}
}

func TestStalledUpload(t *testing.T) {
	s := newSurface(t).of(t, web.NewBudget(8<<20, 30*time.Second))
	conn := s.beginPost(t, "/passenger", 3_000_000, "")
	conn.Write(bytes.Repeat([]byte(" "), 2_900_000))
	if res := s.do(t, "POST", "/passenger", []byte("[]"+strings.Repeat(" ", 1_000_000))); res.status != 200 {
		t.Errorf("an upload beside one that has stopped = %d %s", res.status, res.body)
	}
}

func TestHeadLooks(t *testing.T) {
	s := newSurface(t)
	for _, path := range []string{"/bookings/pulls", "/bookings/modified?from=2036-01-01"} {
		if res := s.do(t, "HEAD", path, nil); res.status != 200 || res.body != "" {
			t.Errorf("HEAD %s = %d %q; want 200 without a body", path, res.status, res.body)
		}
	}
	if res := s.do(t, "HEAD", "/bookings", nil); res.status != 405 {
		t.Errorf("HEAD on the pull = %d; want 405: it must not consume", res.status)
	}
}
