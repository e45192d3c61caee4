package api_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"gangway/internal/deliver"
	"gangway/internal/gangway"
	"gangway/internal/need"
	"gangway/internal/store"
	"gangway/internal/store/storetest"
	"gangway/internal/transport"
	"gangway/internal/transport/kinds"
	"gangway/internal/web/api"
)

// TestKilledPullers kills a customer's programs 200 times while they pull, and in make trial a
// thousand times, at every moment of an answer, while bookings are made and pushed. Whatever was lost
// without their noticing can be requested again by the names that they gave.
func TestKilledPullers(t *testing.T) {
	programs, deaths := 8, need.Count("DEATHS", 200)
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		s := surfaceOn(t, db, api.Limits{PerMinute: 1_000_000, Answers: 1000, AllAnswers: 1000})
		h := s.Config.Handler
		s.Close()
		s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.Header.Get("X-Dies") != "" {
				w = &answersNobody{ResponseWriter: w, gone: r.Context()}
			}
			h.ServeHTTP(w, r)
		}))
		pushed := s.pushToo(t)
		working, dying := newCrewDepartment(s), sync.WaitGroup{}
		killed := make([]*puller, programs)
		for i := range killed {
			killed[i] = &puller{surface: s, number: i, chance: rand.New(rand.NewPCG(uint64(i), 7)),
				got: map[string][]byte{}}
			dying.Go(func() {
				for n := range deaths / programs {
					if n%2 == 0 {
						working.orders <- true
					}
					killed[i].die(t)
				}
			})
		}
		go working.work(t)
		dying.Wait()
		working.end()

		// The pulls that the programs can name, and one more for the rest.
		got := map[string]int{}
		count := func(body []byte) {
			var list []pulled
			must(t, json.Unmarshal(body, &list))
			for _, b := range list {
				for _, a := range b.Actions {
					got[b.ID+" "+a.Action]++
				}
			}
		}
		names, partly := 0, 0
		for _, p := range killed {
			for name, before := range p.got {
				body := p.ask(t, name)
				if again := p.ask(t, name); !bytes.Equal(body, again) {
					t.Errorf("pull %s repeats\n%s\nand then\n%s", name, body, again)
				}
				if !bytes.HasPrefix(body, before) && string(before) != "[]" {
					t.Errorf("pull %s was\n%.300s\nand then\n%.300s", name, before, body)
				}
				count(body)
				names++
			}
			partly += p.partly
		}
		count(killed[0].ask(t, "the-rest"))
		for _, action := range working.done {
			if got[action] != 1 {
				t.Errorf("%s is in %d pulls; want one", action, got[action])
			}
		}
		if len(got) != len(working.done) || names != deaths {
			t.Errorf("%d actions in %d pulls; want %d in %d", len(got), names, len(working.done), deaths)
		}
		s.wantNoneOvertaken(t)
		pushed(len(working.done))
		if partly < deaths/10 {
			t.Errorf("%d programs died with a part of an answer; want many", partly)
		}
	})
}

// answersNobody is an answer that is sent only when its caller has hung up.
type answersNobody struct {
	http.ResponseWriter
	gone context.Context
}

func (w *answersNobody) Write(p []byte) (int, error) {
	<-w.gone.Done()
	return w.ResponseWriter.Write(p)
}

func (w *answersNobody) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// A puller is a program of the customer that is killed again and again.
type puller struct {
	*surface
	number int
	chance *rand.Rand
	got    map[string][]byte // by the name of a pull, the part of its answer that arrived
	partly int
}

// die begins a pull under a new name and dies while it is answered. Half of the time it
// finds its note of the name after a restart, and asks again.
func (p *puller) die(t *testing.T) {
	name := fmt.Sprintf("p%d.%d", p.number, len(p.got))
	p.got[name] = nil
	moment := p.chance.IntN(5)
	header := ""
	if moment == 1 {
		header = "X-Dies: yes\r\n"
	}
	conn, err := net.Dial("tcp", p.Listener.Addr().String())
	if err != nil {
		t.Error(err)
		return
	}
	conn.(*net.TCPConn).SetLinger(0) // a killed process sends no goodbye
	fmt.Fprintf(conn, "GET /bookings?pull=%s&limit=%d HTTP/1.1\r\nHost: gangway\r\nX-Api-Key: %s\r\n%s\r\n", name,
		1+p.chance.IntN(3), p.key, header)
	switch moment {
	case 0: // at once
	case 1: // before the headers, when the pull has begun
	default:
		p.got[name] = p.readPart(conn, moment)
	}
	conn.Close()
	if p.chance.IntN(2) == 0 {
		before := p.got[name]
		if p.got[name] = p.ask(t, name); !bytes.HasPrefix(p.got[name], before) && string(before) != "[]" {
			t.Errorf("pull %s was %.300s and then %.300s", name, before, p.got[name])
		}
	}
}

// readPart reads the headers (moment 2), some of the body (3) or all of it (4), and
// returns what it read of the body.
func (p *puller) readPart(conn net.Conn, moment int) []byte {
	r := bufio.NewReaderSize(conn, 16)
	res, err := http.ReadResponse(r, nil)
	if err != nil || moment == 2 {
		return nil
	}
	body, part := io.Reader(res.Body), new(bytes.Buffer)
	if moment == 3 {
		body = io.LimitReader(body, p.chance.Int64N(3000))
	}
	io.Copy(part, body)
	if part.Len() > 2 {
		p.partly++
	}
	return part.Bytes()
}

// ask gets a whole pull.
func (p *puller) ask(t *testing.T, name string) []byte {
	req, err := http.NewRequest("GET", p.URL+"/bookings?pull="+name, nil)
	if err != nil {
		t.Error(err)
		return nil
	}
	req.Header.Set("X-Api-Key", p.key)
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Error(err)
		return nil
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	if err != nil || res.StatusCode != http.StatusOK {
		t.Errorf("pull %s = %d %s, %v", name, res.StatusCode, body, err)
	}
	return body
}

// A crewDepartment books, issues and cancels, in the order of its orders.
type crewDepartment struct {
	*surface
	orders chan bool
	done   []string
	ended  chan struct{}
}

func newCrewDepartment(s *surface) *crewDepartment {
	return &crewDepartment{surface: s, orders: make(chan bool, 10), ended: make(chan struct{})}
}

func (c *crewDepartment) work(t *testing.T) {
	defer close(c.ended)
	remark := strings.Repeat("a remark ", 200)
	i := 0
	for range c.orders {
		i++
		id := fmt.Sprintf("DIE%04d", i)
		c.bookWith(t, id, i, remark)
		c.done = append(c.done, id+" confirmed")
		if i%3 > 0 {
			c.move(t, id, gangway.Issue, i)
			c.done = append(c.done, id+" issued")
		}
		if i%3 > 1 {
			c.move(t, id, gangway.CancelForRefund, i)
			c.done = append(c.done, id+" refund_pending")
		}
	}
}

func (c *crewDepartment) end() {
	close(c.orders)
	<-c.ended
}

// wantNoneOvertaken reads all pulls in the order in which they began, and fails unless
// the actions of each booking are in order across them.
func (s *surface) wantNoneOvertaken(t *testing.T) {
	t.Helper()
	pulls, err := s.in.Pulls(t.Context(), now, 100_000)
	must(t, err)
	next := map[string]int{}
	for i := range pulls {
		part, err := s.in.PullPart(t.Context(), pulls[len(pulls)-1-i].ID, 0, 100_000)
		must(t, err)
		for _, b := range part {
			for _, a := range b.Actions {
				if next[b.Booking]++; a.Seq != next[b.Booking] {
					t.Errorf("booking %s: action %d comes where %d is due", b.Booking, a.Seq, next[b.Booking])
				}
			}
		}
	}
}

// pushToo has everything pushed as well, and returns a function that waits until that
// many actions have arrived.
func (s *surface) pushToo(t *testing.T) func(actions int) {
	t.Helper()
	var came atomic.Int64
	another := make(chan struct{}, 1)
	receiver := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body)
		came.Add(1)
		select {
		case another <- struct{}{}:
		default:
		}
	}))
	t.Cleanup(receiver.Close)
	if _, err := s.in.SetOutlet(t.Context(), storetest.Operator, gangway.DefaultOutlet, storetest.PushTo(receiver.URL),
		[]string{deliver.NewSecret()}, now); err != nil {
		t.Fatal(err)
	}
	d := deliver.New(deliver.Config{
		DB: s.db, Kinds: kinds.Outlets, Options: transport.Options{
			Allow: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}},
		Now: time.Now, Log: slog.New(slog.DiscardHandler),
	})
	ctx, stop := context.WithCancel(context.WithoutCancel(t.Context()))
	ended := make(chan struct{})
	go func() { defer close(ended); d.Run(ctx) }()
	t.Cleanup(func() { stop(); <-ended })
	return func(actions int) {
		t.Helper()
		for deadline := time.After(5 * time.Minute); came.Load() < int64(actions); {
			select {
			case <-another:
			case <-deadline:
				t.Fatalf("%d of %d actions were pushed", came.Load(), actions)
			}
		}
	}
}
