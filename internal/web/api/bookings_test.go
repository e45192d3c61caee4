package api_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/store/storetest"
	"gangway/internal/web/api"
)

// pulled is a booking record, as far as these tests read it.
type pulled struct {
	ID      string
	State   string
	Actions []struct {
		Action    string
		Timestamp int64
	}
}

func (s *surface) pull(t *testing.T, query string) (list []pulled, id string) {
	t.Helper()
	res := s.do(t, "GET", "/bookings"+query, nil)
	if res.status != 200 {
		t.Fatalf("GET /bookings%s = %d %s", query, res.status, res.body)
	}
	if err := json.Unmarshal([]byte(res.body), &list); err != nil {
		t.Fatalf("GET /bookings%s: %v", query, err)
	}
	return list, res.header.Get("Pull-Id")
}

// book makes a booking, whose first action is at the given minute.
func (s *surface) book(t *testing.T, id string, minute int) {
	t.Helper()
	s.bookWith(t, id, minute, "")
}

func (s *surface) bookWith(t *testing.T, id string, minute int, remark string) {
	t.Helper()
	at := now.Add(time.Duration(minute) * time.Minute)
	b := gangway.Booking{ID: id, Locator: id, CreatedAt: at, CreatedBy: "ana@example.com",
		Purpose: gangway.Purpose{Metadata: map[string]string{"remark": remark}}}
	storetest.Book(t, s.in, b)
}

func (s *surface) move(t *testing.T, id string, event gangway.Event, minute int) {
	t.Helper()
	_, err := s.in.UpdateBooking(t.Context(), id, "", func(b *gangway.Booking) (gangway.Action, error) {
		return b.Move(event, "ana@example.com", now.Add(time.Duration(minute)*time.Minute))
	})
	must(t, err)
}

// summary writes pulled bookings as "ID: state [actions]".
func summary(list []pulled) string {
	out := ""
	for _, b := range list {
		out += b.ID + ": " + b.State + " ["
		for i, a := range b.Actions {
			if i > 0 {
				out += " "
			}
			out += a.Action
		}
		out += "]; "
	}
	return out
}

func TestPull(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		t.Run("each action is handed out once, bookings by their latest action", func(t *testing.T) {
			s, stranger := surfaceOn(t, db, api.Limits{}), surfaceOn(t, db, api.Limits{})
			s.book(t, "PULLAA", 1)
			s.book(t, "PULLBB", 2)
			s.move(t, "PULLAA", gangway.Issue, 3)
			list, id := s.pull(t, "")
			if got := summary(list); got != "PULLBB: confirmed [confirmed]; PULLAA: issued [confirmed issued]; " ||
				id == "" {
				t.Fatalf("first pull %q = %s", id, got)
			}
			if list, next := s.pull(t, ""); len(list) != 0 || next == "" || next == id {
				t.Fatalf("second pull %q = %s; want nothing, under a name of its own", next, summary(list))
			}
			s.move(t, "PULLBB", gangway.Cancel, 4)
			if list, _ := s.pull(t, ""); summary(list) != "PULLBB: cancelled [cancelled]; " {
				t.Fatalf("third pull = %s", summary(list))
			}
			if again, same := s.pull(t, "?pull="+id); summary(again) !=
				"PULLBB: confirmed [confirmed]; PULLAA: issued [confirmed issued]; " || same != id {
				t.Fatalf("the first pull again %q = %s", same, summary(again))
			}
			if res := s.do(t, "GET", "/bookings?pull=pull_nobody", nil); res.status != 404 {
				t.Errorf("an unknown pull = %d; want 404", res.status)
			}
			if res := stranger.do(t, "GET", "/bookings?pull="+id, nil); res.status != 404 {
				t.Errorf("another account's pull = %d; want 404", res.status)
			}
			if list, _ := stranger.pull(t, ""); len(list) != 0 {
				t.Errorf("another account pulled %s", summary(list))
			}
			if res := s.do(t, "HEAD", "/bookings", nil); res.status != 405 {
				t.Errorf("HEAD = %d; want 405: it must not consume", res.status)
			}
		})
		t.Run("a caller who hangs up before the last byte gets everything again", func(t *testing.T) {
			s := surfaceOn(t, db, api.Limits{})
			s.book(t, "PULLCC", 1)
			h, written := s.Config.Handler, make(chan struct{})
			slow := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				h.ServeHTTP(flushesLate{w, r.Context(), written}, r)
			}))
			conn := s.ask(t, slow.URL)
			<-written
			conn.Close()
			slow.Close() // waits until the handler has seen it
			if list, _ := s.pull(t, ""); summary(list) != "PULLCC: confirmed [confirmed]; " {
				t.Fatalf("after a lost answer = %s; want it again", summary(list))
			}
		})
		t.Run("a long answer that was cut off is handed out again", func(t *testing.T) {
			s := surfaceOn(t, db, api.Limits{})
			for i := range 110 {
				s.bookWith(t, fmt.Sprintf("LONG%02d", i), i, strings.Repeat("a long remark ", 10_000))
			}
			conn := s.ask(t, s.URL)
			if n, err := io.CopyN(io.Discard, conn, 100_000); err != nil {
				t.Fatalf("%d bytes came, %v; want the beginning of a long answer", n, err)
			}
			conn.Close()
			s.Close()
			s.Server = httptest.NewServer(s.Config.Handler)
			list, id := s.pull(t, "")
			if again, _ := s.pull(t, "?pull="+id); len(list) != 110 || len(again) != 110 {
				t.Fatalf("afterwards %d bookings, and repeated %d; want all 110", len(list), len(again))
			}
			if list, _ := s.pull(t, ""); len(list) != 0 {
				t.Fatalf("then %d bookings; want none", len(list))
			}
		})
		t.Run("what a crash left unwritten is handed out again once its lease ends", func(t *testing.T) {
			s := surfaceOn(t, db, api.Limits{})
			s.book(t, "PULLDD", 1)
			if _, err := s.in.BeginPull(t.Context(), store.PullAsk{ID: "pull_dead", Limit: 10, Now: now.Add(-time.Hour),
				Lease: now.Add(time.Minute)}); err != nil {
				t.Fatal(err)
			}
			s.move(t, "PULLDD", gangway.Issue, 2)
			if list, _ := s.pull(t, ""); len(list) != 0 {
				t.Fatalf("a pull beside one that is being written = %s; want the booking left to a later one",
					summary(list))
			}
			if _, err := s.in.BeginPull(t.Context(), store.PullAsk{ID: "pull_next", Limit: 10,
				Now: now.Add(2 * time.Minute), Lease: now.Add(2 * time.Minute)}); err != nil {
				t.Fatal(err)
			}
			must(t, s.in.AbandonPull(t.Context(), "pull_next", now.Add(2*time.Minute)))
			if list, _ := s.pull(t, ""); summary(list) != "PULLDD: issued [confirmed issued]; " {
				t.Fatalf("afterwards = %s", summary(list))
			}
		})
		t.Run("twenty parallel pulls share nothing and lose nothing", func(t *testing.T) {
			s := surfaceOn(t, db, api.Limits{PerMinute: 1000, Answers: 20})
			for i := range 30 {
				s.book(t, fmt.Sprintf("MANY%02d", i), i)
			}
			var mu sync.Mutex
			seen := map[string]int{}
			var wait sync.WaitGroup
			pull := func() {
				list, _ := s.pull(t, "")
				mu.Lock()
				defer mu.Unlock()
				for _, b := range list {
					for _, a := range b.Actions {
						seen[b.ID+" "+a.Action]++
					}
				}
			}
			for i := range 20 {
				wait.Go(pull)
				wait.Go(func() { s.move(t, fmt.Sprintf("MANY%02d", i), gangway.Issue, 60+i) })
			}
			wait.Wait()
			pull()
			if len(seen) != 50 {
				t.Errorf("%d of 50 actions were handed out", len(seen))
			}
			for action, n := range seen {
				if n != 1 {
					t.Errorf("%s was handed out %d times", action, n)
				}
			}
		})
		t.Run("modified lists without consuming", func(t *testing.T) {
			s := surfaceOn(t, db, api.Limits{})
			s.book(t, "PULLEE", 1)
			s.move(t, "PULLEE", gangway.Issue, 2)
			after := now.Add(90 * time.Second).Format(time.RFC3339)
			for range 2 {
				var list []pulled
				res := s.do(t, "GET", "/bookings/modified?from="+url.QueryEscape(after), nil)
				if err := json.Unmarshal([]byte(res.body), &list); err != nil || summary(list) !=
					"PULLEE: issued [issued]; " {
					t.Fatalf("modified after %s = %d %s", after, res.status, res.body)
				}
			}
			for _, bad := range []string{"", "?from=yesterday", "?from=2026-11-31"} {
				if res := s.do(t, "GET", "/bookings/modified"+bad, nil); res.status != 400 ||
					res.problem.Errors["from"] == nil {
					t.Errorf("modified%s = %d %s; want 400 naming from", bad, res.status, res.body)
				}
			}
			if list, _ := s.pull(t, ""); summary(list) != "PULLEE: issued [confirmed issued]; " {
				t.Errorf("the next pull = %s; want both actions", summary(list))
			}
		})
	})
}

// flushesLate is an answer that is sent only when its caller has hung up.
type flushesLate struct {
	http.ResponseWriter
	gone    context.Context
	written chan struct{} // closed when the answer is about to leave
}

func (w flushesLate) FlushError() error {
	close(w.written)
	<-w.gone.Done()
	return http.NewResponseController(w.ResponseWriter).Flush()
}

// ask begins a pull over a raw connection, so that it can be broken off.
func (s *surface) ask(t *testing.T, address string) net.Conn {
	t.Helper()
	conn, err := net.Dial("tcp", strings.TrimPrefix(address, "http://"))
	must(t, err)
	t.Cleanup(func() { conn.Close() })
	fmt.Fprintf(conn, "GET /bookings HTTP/1.1\r\nHost: gangway\r\nX-Api-Key: %s\r\n\r\n", s.key)
	return conn
}
