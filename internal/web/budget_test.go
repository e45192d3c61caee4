package web_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"gangway/internal/calltest"
	"gangway/internal/web"
)

const mib = 1 << 20

// refused reports whether err is 503 with Retry-After.
func refused(err error) bool {
	var full *web.Refusal
	return errors.As(err, &full) && full.Status == http.StatusServiceUnavailable && full.Header.Get("Retry-After") != ""
}

// hold holds memory for a body, and reports whether there was room.
func hold(t *testing.T, b *web.Budget, client string, bytes int64) (release func(), ok bool) {
	t.Helper()
	release, err := b.Hold(t.Context(), client, bytes)
	if err != nil && !refused(err) {
		t.Fatalf("Hold(%d) = %v; want room, or 503 with Retry-After", bytes, err)
	}
	return release, err == nil
}

func TestBodiesWaitForMemory(t *testing.T) {
	t.Run("one after the other, however large", func(t *testing.T) {
		b := web.NewBudget(16*mib, time.Hour) // 6 MiB for large bodies
		var all sync.WaitGroup
		for i := range 50 {
			all.Go(func() {
				if release, ok := hold(t, b, fmt.Sprint(i%5), int64(i)*mib); ok {
					release()
				} else {
					t.Errorf("body %d was turned away", i)
				}
			})
		}
		all.Wait()
	})

	t.Run("one client has half of it, and small bodies have their own", func(t *testing.T) {
		b := web.NewBudget(32*mib, 0) // 12 MiB for large bodies
		for _, client := range []string{"one", "other"} {
			got := 0
			for range 12 {
				if _, ok := hold(t, b, client, mib); ok {
					got++
				}
			}
			if got != 6 {
				t.Errorf("%s got %d MiB; want half", client, got)
			}
		}
		if _, ok := hold(t, b, "third", mib); ok {
			t.Error("there is room left for a large body")
		}
		if _, ok := hold(t, b, "one", 100_000); !ok {
			t.Error("a small body was turned away")
		}
	})

	t.Run("a caller that leaves stops waiting", func(t *testing.T) {
		b := web.NewBudget(8*mib, time.Hour)
		hold(t, b, "one", 3*mib)
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if _, err := b.Hold(ctx, "one", mib); !errors.Is(err, context.Canceled) {
			t.Errorf("Hold = %v; want %v", err, context.Canceled)
		}
	})

	t.Run("what is released is returned to the system", func(t *testing.T) {
		var before, now runtime.MemStats
		runtime.ReadMemStats(&before)
		release, _ := hold(t, web.NewBudget(128*mib, 0), "one", 20*mib)
		release()
		for now = before; now.NumForcedGC == before.NumForcedGC && t.Context().Err() == nil; runtime.Gosched() {
			runtime.ReadMemStats(&now)
		}
	})
}

func TestCountedBodies(t *testing.T) {
	b := web.NewBudget(mib, 0)
	read := func(text string, times int64) (string, error) {
		r := httptest.NewRequest(http.MethodPost, "/", strings.NewReader(text))
		r.ContentLength = 1 << 40 // for which nothing is reserved
		defer b.Count(httptest.NewRecorder(), r, times)()
		got, err := io.ReadAll(r.Body)
		return string(got), err
	}
	for _, size := range []int{0, 1, 511, 512, 513, 16 << 10, 16<<10 + 1, 50_000} {
		text := strings.Repeat("x", size)
		if got, err := read(text, 1); err != nil || got != text {
			t.Errorf("a body of %d bytes: %d came, %v", size, len(got), err)
		}
	}
	hold(t, b, web.Network(web.Client(httptest.NewRequest("", "/", nil))), 64_000) // all that one network has
	if _, err := read(strings.Repeat("x", 17_000), 1); !refused(err) {
		t.Errorf("a body without room: %v; want 503 with Retry-After", err)
	}
	if _, err := read("x", 8); err != nil {
		t.Errorf("one byte without room: %v", err)
	}
}

// receiver is a server that answers how much memory a body was held in, and names clients by a header.
func receiver(t *testing.T, b *web.Budget) *httptest.Server {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		client := r.Header.Get("Client")
		body, err := b.Receive(w, r, client)
		if err != nil {
			web.Problem(w, r, err)
			return
		}
		defer body.Close()
		release, err := b.Hold(r.Context(), client, body.Size)
		if err != nil {
			web.Problem(w, r, err)
			return
		}
		defer release()
		sent, err := io.ReadAll(body.Again())
		fmt.Fprint(w, bytes.Count(sent, []byte("x")), err)
	}))
	t.Cleanup(s.Close)
	return s
}

// TestSlowSenders: a thousand bodies that stopped, of one customer or of several, keep nobody's upload from finishing.
func TestSlowSenders(t *testing.T) {
	s := receiver(t, web.NewBudget(128*mib, web.Patience))
	for i := range 1000 {
		conn := calltest.Must(net.Dial("tcp", s.Listener.Addr().String()))(t)
		t.Cleanup(func() { conn.Close() })
		stopped := []int{1, 20_000, 100_000}[i%3]
		fmt.Fprintf(conn, "POST / HTTP/1.1\r\nHost: x\r\nClient: slow %d\r\nContent-Length: %d\r\n\r\n%s", i%7,
			stopped+1, strings.Repeat("x", stopped))
	}
	for i, size := range []int{1, 100_000, 30_000_000} {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, s.URL,
			strings.NewReader(strings.Repeat("x", size)))
		calltest.Done(t, err)
		req.Header.Set("Client", "honest")
		res := calltest.Must(http.DefaultClient.Do(req))(t)
		defer res.Body.Close()
		if said, _ := io.ReadAll(res.Body); string(said) != fmt.Sprint(size, nil) {
			t.Errorf("upload %d: %s", i, said)
		}
	}
}

// A line is a connection on which a body comes as slowly as it is written, on a clock of the test's own.
type line struct {
	http.ResponseWriter
	net.Conn
}

func (l line) Write(p []byte) (int, error) { return l.ResponseWriter.Write(p) }

func TestDeadlinesOfBodies(t *testing.T) {
	for name, tt := range map[string]struct {
		every time.Duration // 32 KiB
		bytes int
		ok    bool
	}{
		"256 kbit/s":             {time.Second, 5_000_000, true},
		"128 kbit/s":             {2 * time.Second, 5_000_000, true},
		"a minute without bytes": {time.Minute, 50_000, true},
		"three minutes":          {3 * time.Minute, 100_000, false},
		"8 kbit/s":               {32 * time.Second, 1_000_000, false},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ours, theirs := net.Pipe()
				r := httptest.NewRequest(http.MethodPost, "/", ours)
				var sending sync.WaitGroup
				defer sending.Wait()
				defer ours.Close()
				sending.Go(func() {
					defer theirs.Close()
					for sent := 0; sent < tt.bytes; sent += 32 << 10 {
						time.Sleep(tt.every)
						if _, err := theirs.Write(make([]byte, 32<<10)); err != nil {
							return
						}
					}
				})
				body, err := web.NewBudget(mib, web.Patience).Receive(line{httptest.NewRecorder(), ours}, r, "ship")
				if err == nil {
					body.Close()
				}
				if (err == nil) != tt.ok {
					t.Errorf("Receive = %v; want it received: %t", err, tt.ok)
				}
			})
		})
	}
}
