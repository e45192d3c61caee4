package api_test

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/store/storetest"
	"gangway/internal/web/api"
)

// A heldBack answer waits, with its place taken, until it is released.
type heldBack struct {
	http.ResponseWriter
	begun, release chan struct{}
}

func (w heldBack) Write(p []byte) (int, error) {
	w.begun <- struct{}{}
	<-w.release
	return w.ResponseWriter.Write(p)
}

func (w heldBack) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// holdBack makes answers to requests with X-Held wait for each other's release.
func (s *surface) holdBack(t *testing.T) (begun, release chan struct{}) {
	t.Helper()
	begun, release = make(chan struct{}), make(chan struct{})
	h := s.Config.Handler
	s.Close()
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("X-Held") != "" {
			w = heldBack{w, begun, release}
		}
		h.ServeHTTP(w, r)
	}))
	t.Cleanup(s.Close)
	return begun, release
}

func TestAnswersUnderWayAreBounded(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		limits := api.DefaultLimits
		limits.Answers, limits.AllAnswers = 2, 3
		a := surfaceOn(t, db, limits)
		b, c := another(t, a), another(t, a)
		begun, release := a.holdBack(t)
		b.Server, c.Server = a.Server, a.Server
		answered := make(chan result)
		hold := func(s *surface, path string) {
			go func() { answered <- s.do(t, "GET", path, nil, "X-Held", "yes") }()
			<-begun
		}
		for i, s := range []*surface{a, b, c} {
			s.book(t, fmt.Sprintf("HELD%d", i), 0)
		}
		hold(a, "/bookings?days=7")
		hold(a, "/bookings/modified?from=2026-11-01")
		for _, path := range []string{"/bookings?pull=night", "/bookings", "/bookings?days=1",
			"/bookings/modified?from=2026-11-01", "/bookings/pulls"} {
			res := a.do(t, "GET", path, nil)
			if res.status != 429 || res.header.Get("Retry-After") == "" || !strings.Contains(res.problem.Detail,
				"2 answers") {
				t.Errorf("a third answer, %s = %d %v %s; want 429", path, res.status, res.header, res.body)
			}
		}
		hold(b, "/bookings?days=7")
		for _, s := range []*surface{b, c} {
			if res := s.do(t, "GET", "/bookings?pull=night", nil); res.status != 503 || res.header.Get("Retry-After") ==
				"" {
				t.Errorf("a fourth answer in all = %d %v %s; want 503", res.status, res.header, res.body)
			}
		}
		if res := a.post(t, "/passenger", []any{traveller()}); res.status != 200 {
			t.Errorf("an upload meanwhile = %d %s", res.status, res.body)
		}
		close(release)
		go func() { // what else the three write
			for range begun {
			}
		}()
		for range 3 {
			if res := <-answered; res.status != 200 || !strings.Contains(res.body, `"id":"HELD`) {
				t.Errorf("an answer that had a place = %d %s", res.status, res.body)
			}
		}
		for i, s := range []*surface{a, b, c} { // nothing was consumed, and all places are free
			if list, id := s.pull(t, "?pull=night"); summary(list) != fmt.Sprintf("HELD%d: confirmed [confirmed]; ",
				i) || id != "night" {
				t.Errorf("the pull that was refused, afterwards = %s", summary(list))
			}
		}
	})
}

// another returns the surface of s as another account sees it.
func another(t *testing.T, s *surface) *surface {
	t.Helper()
	o := surfaceOn(t, s.db, api.Limits{})
	o.Close()
	return o
}

func TestCallerWhoReadsNothingIsCut(t *testing.T) {
	s := surfaceOn(t, storetest.New(t), api.Limits{PerMinute: 1000, Answers: 1, Patience: 2 * time.Second})
	for i := range 110 {
		s.bookWith(t, fmt.Sprintf("LONG%02d", i), i, strings.Repeat("a long remark ", 10_000))
	}
	h, ended := s.Config.Handler, make(chan struct{})
	s.Close()
	slow := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		defer close(ended)
		h.ServeHTTP(w, r)
	}))
	defer slow.Close()
	conn := s.ask(t, slow.URL)
	conn.(*net.TCPConn).SetReadBuffer(4096)
	<-ended // although the caller is still connected, and has read nothing
	s.Server = httptest.NewServer(h)
	t.Cleanup(s.Close)
	if list, _ := s.pull(t, "?limit=1"); len(list) != 1 || list[0].State != string(gangway.Confirmed) {
		t.Errorf("the next pull = %s; want what the cut one had", summary(list))
	}
}

// A body that stops arriving is told to come again: the records are not wrong.
func TestBodyThatComesTooSlowly(t *testing.T) {
	s := surfaceOn(t, storetest.New(t), api.Limits{})
	r := httptest.NewRequest("POST", "/passenger", io.MultiReader(strings.NewReader("["),
		iotest.ErrReader(&net.OpError{Op: "read", Err: os.ErrDeadlineExceeded})))
	r.Header.Set("X-Api-Key", s.key)
	r.Header.Set("Content-Type", "application/json")
	r.ContentLength = 1 << 20
	w := httptest.NewRecorder()
	s.Config.Handler.ServeHTTP(w, r)
	if w.Code != http.StatusServiceUnavailable || w.Header().Get("Retry-After") == "" {
		t.Errorf("%d %s; want 503 with Retry-After", w.Code, w.Body)
	}
}

// TestSlowCallerIsNotCut checks that the deadline for receiving starts again with every
// few kilobytes: a ship's line is slow, not dead.
func TestSlowCallerIsNotCut(t *testing.T) {
	s := surfaceOn(t, storetest.New(t), api.Limits{})
	for i := range 20 {
		s.bookWith(t, fmt.Sprintf("SLOW%02d", i), -i, strings.Repeat("a long remark ", 1000))
	}
	h, slow := s.Config.Handler, &slowLine{}
	s.Close()
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		slow.ResponseWriter = w
		h.ServeHTTP(slow, r)
	}))
	t.Cleanup(s.Close)
	if res := s.do(t, "GET", "/bookings?days=7", nil); res.status != 200 || len(res.body) < 20*14_000 ||
		slow.most == 0 || slow.most > 16<<10 {
		t.Errorf("%d bytes came, up to %d of them on one deadline; want at most 16 KiB", len(res.body), slow.most)
	}
}

// A slowLine records how many bytes at most have to be received within one deadline.
type slowLine struct {
	http.ResponseWriter
	due, most int
}

func (w *slowLine) SetWriteDeadline(at time.Time) error {
	w.due = 0
	return http.NewResponseController(w.ResponseWriter).SetWriteDeadline(at)
}

func (w *slowLine) Write(p []byte) (int, error) {
	w.due += len(p)
	w.most = max(w.most, w.due)
	return w.ResponseWriter.Write(p)
}

func (w *slowLine) FlushError() error { return http.NewResponseController(w.ResponseWriter).Flush() }
