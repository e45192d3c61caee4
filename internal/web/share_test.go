package web_test

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"testing"
	"testing/synctest"
	"time"

	"gangway/internal/web"
)

// A sender sends a body to a share, as a connection does: a read of what was not sent
// yet waits until the connection's deadline.
type sender struct {
	http.ResponseWriter
	sent  chan int // bytes
	late  chan struct{}
	share *web.Share
	out   error // how receiving it ended
	ended chan struct{}
}

// SetReadDeadline lets the budget cut the connection.
func (s *sender) SetReadDeadline(t time.Time) error {
	if t.Before(time.Now()) {
		close(s.late)
	}
	return nil
}

func (s *sender) Read(p []byte) (int, error) {
	select {
	case n, more := <-s.sent:
		if !more {
			return 0, io.EOF
		}
		return n, nil
	case <-s.late:
		return 0, os.ErrDeadlineExceeded
	}
}

// send begins to receive a body of client, in a buffer that doubles.
func send(t *testing.T, b *web.Budget, client string) *sender {
	s := &sender{httptest.NewRecorder(), make(chan int), make(chan struct{}), b.Share(client), nil, make(chan struct{})}
	s.share.Reading(s)
	go func() {
		defer close(s.ended)
		defer s.share.Release()
		piece := make([]byte, 16<<10)
		for size, got := int64(512), int64(0); ; {
			if got >= size {
				size *= 2
				continue
			}
			if s.out = s.share.Grow(t.Context(), size); s.out != nil {
				return
			}
			n, err := s.share.Read(s, piece)
			if got += int64(n); err != nil {
				if err != io.EOF {
					s.out = err
				}
				return
			}
		}
	}()
	return s
}

// bring sends that many bytes, or as many as are accepted until it is cut.
func (s *sender) bring(bytes int) {
	for sent := 0; sent < bytes; sent += 16 << 10 {
		select {
		case s.sent <- min(16<<10, bytes-sent):
		case <-s.ended:
			return
		}
	}
}

// whole sends all of a body and reports how it ended.
func (s *sender) whole(bytes int) error {
	s.bring(bytes)
	close(s.sent)
	<-s.ended
	return s.out
}

// refused reports whether err is 503 with Retry-After.
func refused(err error) bool {
	var full *web.Refusal
	return errors.As(err, &full) && full.Status == http.StatusServiceUnavailable && full.Header.Get("Retry-After") != ""
}

// These tests run on a clock of their own.
func TestStalledBodies(t *testing.T) {
	budget := func() *web.Budget { return web.NewBudget(128*mib, 32*mib, web.Patience) }

	t.Run("a body that stops in the middle delays nobody", func(t *testing.T) {
		for _, client := range []string{"stalled", "another"} {
			for _, size := range []int{1_000_000, 5_000_000} {
				synctest.Test(t, func(t *testing.T) {
					b := budget()
					stalled := send(t, b, "stalled")
					stalled.bring(20_000_000)
					began := time.Now()
					if err := send(t, b, client).whole(size); err != nil || time.Since(began) > 0 {
						t.Errorf("%d bytes of %s: %v after %v; want them accepted at once", size, client, err,
							time.Since(began))
					}
					close(stalled.sent)
				})
			}
		}
	})

	t.Run("however many have stopped, and wherever, the next upload is accepted within seconds", func(t *testing.T) {
		for _, stopped := range []int{20_000, 300_000, 3_000_000, 9_000_000, 20_000_000} {
			for _, clients := range []int{1, 3, 20, 100} {
				synctest.Test(t, func(t *testing.T) {
					b := budget()
					var stalled []*sender
					for i := range clients {
						s := send(t, b, fmt.Sprint("stalled ", i))
						go s.bring(stopped)
						stalled = append(stalled, s)
					}
					synctest.Wait()
					for i := range 3 {
						began := time.Now()
						if err := send(t, b, "honest").whole(1_000_000 << i); err != nil || time.Since(began) > 15*
							time.Second {
							t.Errorf("%d clients stopped at %d: upload %d = %v after %v", clients, stopped, i, err,
								time.Since(began))
						}
					}
					for _, s := range stalled { // those that nobody waited for are still there
						select {
						case <-s.ended:
						case <-time.After(10 * web.Patience):
							close(s.late)
						}
					}
				})
			}
		}
	})

	t.Run("a body is cut only while others wait, and its sender is told", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			b := budget()
			stalled := send(t, b, "stalled")
			stalled.bring(20_000_000)
			time.Sleep(time.Hour)
			select {
			case <-stalled.ended:
				t.Fatalf("it was cut although nobody waits: %v", stalled.out)
			default:
			}
			if err := send(t, b, "other").whole(30_000_000); err != nil {
				t.Errorf("the one that waited: %v", err)
			}
			<-stalled.ended
			if !refused(stalled.out) {
				t.Errorf("the one that was cut: %v; want 503 with Retry-After", stalled.out)
			}
		})
	})

	t.Run("an upload over a ship's slow line finishes while others wait", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			b := budget()
			for i := range 4 {
				go send(t, b, fmt.Sprint("stalled ", i)).bring(20_000_000)
			}
			synctest.Wait()
			ship := send(t, b, "ship")
			for range 5_000_000 / (32 << 10) { // 256 kbit/s
				time.Sleep(time.Second)
				ship.bring(32 << 10)
			}
			if err := ship.whole(0); err != nil {
				t.Errorf("the ship's 5 MB: %v", err)
			}
		})
	})
}
