package deliver_test

import (
	"context"
	cryptorand "crypto/rand"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"log"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"gangway/internal/calltest"
	"gangway/internal/gangway"
	"gangway/internal/need"
	"gangway/internal/store"
	"gangway/internal/store/storetest"
	"gangway/internal/transport"
	"gangway/internal/transport/endpoint"
	"gangway/internal/transport/kinds"
	"gangway/internal/transport/transporttest"
)

// A faulty customer's system takes each request that comes whole, but answers the first ones wrongly.
type faulty struct {
	*httptest.Server
	wrong  int // so many requests
	answer func(w http.ResponseWriter, gone <-chan struct{})
	gone   chan struct{}

	mu       sync.Mutex
	requests int
	protocol string // of the latest
	got      []received
}

func newFaulty(t *testing.T, wrong int, answer func(http.ResponseWriter, <-chan struct{})) *faulty {
	t.Helper()
	f := &faulty{wrong: wrong, answer: answer, gone: make(chan struct{})}
	f.Server = httptest.NewUnstartedServer(f)
	f.Config.ErrorLog = log.New(io.Discard, "", 0)
	t.Cleanup(func() { close(f.gone); f.Close() })
	return f
}

func (f *faulty) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	var b struct{ ID, State string }
	if err != nil || json.Unmarshal(body, &b) != nil {
		return
	}
	f.mu.Lock()
	f.requests++
	f.protocol = r.Proto
	wrong := f.requests <= f.wrong
	f.got = append(f.got, received{ID: r.Header.Get("Webhook-Id"), Body: body, State: b.State, Ref: b.ID})
	f.mu.Unlock()
	if wrong {
		f.answer(w, f.gone)
	}
}

// first waits for the first request, and returns the booking that it is about.
func (f *faulty) first(t *testing.T) (booking string) {
	t.Helper()
	until(t, "a request comes", func() bool {
		f.mu.Lock()
		defer f.mu.Unlock()
		if len(f.got) > 0 {
			booking = f.got[0].Ref
		}
		return booking != ""
	})
	return booking
}

// raw has a fault on the connection itself.
func raw(do func(conn net.Conn, gone <-chan struct{})) func(http.ResponseWriter, <-chan struct{}) {
	return func(w http.ResponseWriter, gone <-chan struct{}) {
		conn, _, err := w.(http.Hijacker).Hijack()
		if err != nil {
			return
		}
		defer conn.Close()
		do(conn, gone)
	}
}

func answering(status int, header ...string) func(http.ResponseWriter, <-chan struct{}) {
	return func(w http.ResponseWriter, _ <-chan struct{}) {
		for i := 0; i < len(header); i += 2 {
			w.Header().Set(header[i], header[i+1])
		}
		w.WriteHeader(status)
	}
}

// impatient are outlets that wait a moment for a system where others wait fifteen seconds.
var impatient = func() []transport.Kind {
	kind := endpoint.Outlet
	kind.Send = func(settings json.RawMessage, o transport.Options) (transport.Sender, error) {
		s, err := endpoint.Outlet.Send(settings, o)
		return brief{s}, err
	}
	return []transport.Kind{kind}
}()

type brief struct{ transport.Sender }

func (b brief) Send(ctx context.Context, d transport.Outgoing) (transport.Answer, error) {
	ctx, cancel := context.WithTimeout(ctx, 200*time.Millisecond)
	defer cancel()
	return b.Sender.Send(ctx, d)
}

// TestReceivers has customers' systems fail, once in each kind of way.
func TestReceivers(t *testing.T) { receiversFail(t, false) }

// TestTrialReceivers has them fail in each way we know, many times.
func TestTrialReceivers(t *testing.T) {
	need.Trial(t)
	receiversFail(t, true)
}

// mostOfAnswer is how many bytes of an answer a system gets rid of before its connection ends: those that are read,
// and what the buffers of both sides hold.
const mostOfAnswer = 64 << 20

// receiversFail has customers' systems fail. Whatever they do, every action arrives: none is lost, none comes under
// two identifiers, and none comes after a later one of its booking. What comes again has its own identifier and the
// same bytes.
func receiversFail(t *testing.T, all bool) {
	canary := newCustomer(t)
	inAnHour := time.Date(2026, 11, 2, 10, 0, 0, 0, time.UTC).Format(http.TimeFormat)
	tests := []struct {
		name    string
		wrong   int
		answer  func(http.ResponseWriter, <-chan struct{})
		first   string           // what the first attempt says
		outlets []transport.Kind // impatient with systems that hold whoever sends
		trial   bool             // another of its kind is tried for every change
	}{
		{"answers 500 nine times", 9, answering(500), "500", kinds.Outlets, false},
		{"hangs", 3, raw(func(_ net.Conn, gone <-chan struct{}) { <-gone }), "no answer", impatient, false},
		{"drips", 3, raw(func(conn net.Conn, gone <-chan struct{}) {
			fmt.Fprint(conn, "HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n")
			transporttest.Drip(conn, gone, "x")
		}), "no answer", impatient, true},
		{"closes half-way", 3, raw(func(conn net.Conn, _ <-chan struct{}) {
			fmt.Fprint(conn, "HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\nhalf of it")
		}), "no answer", kinds.Outlets, false},
		{"asks for an hour, in seconds", 1, answering(429, "Retry-After", "3600"), "429", kinds.Outlets, false},
		{"asks for an hour, by a date", 1, answering(429, "Retry-After", inAnHour), "429", kinds.Outlets, true},
		{"says that it is gone", 1, answering(410), "410", kinds.Outlets, false},
		{"redirects", 3, answering(307, "Location", canary.URL), "307", kinds.Outlets, false},
		{"redirects to a private address", 3, answering(308, "Location", "http://169.254.169.254/latest"), "308",
			kinds.Outlets, true},
		{"answers ten gigabytes", 3, raw(func(conn net.Conn, _ <-chan struct{}) {
			fmt.Fprint(conn, "HTTP/1.1 200 OK\r\nContent-Length: 10000000000\r\n\r\n")
			zeros, sent, err := make([]byte, 1<<20), 0, error(nil)
			for n := 0; err == nil; sent += n {
				if sent > mostOfAnswer {
					t.Errorf("%d MiB of an answer were read", sent>>20)
					return
				}
				n, err = conn.Write(zeros)
			}
		}), "200", kinds.Outlets, false},
		{"resets after reading", 3, raw(func(conn net.Conn, _ <-chan struct{}) {
			if tcp, ok := conn.(*net.TCPConn); ok {
				tcp.SetLinger(0)
			}
		}), "broke", kinds.Outlets, true},
	}
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		for _, tt := range tests {
			if tt.trial && !all {
				continue
			}
			again(t, tt.name, func(t *testing.T, round round) came {
				f := newFaulty(t, round.of(tt.wrong), tt.answer)
				f.Start()
				r := newPipeline(t, db, f.URL)
				stop := r.runWith(t, tt.outlets, loopback)
				ids := r.threeActionsEach(t, round.bookings)
				if round.first {
					first := r.attempts(t, f.first(t), 1)
					if said := fmt.Sprint(first.Status, " ", first.Answer); !strings.Contains(said, tt.first) {
						t.Errorf("the first attempt is %q; want %q", said, tt.first)
					}
				}
				r.arrives(t, ids)
				stop()
				return f.check(t, ids)
			})
		}
		again(t, "is down for an hour", func(t *testing.T, round round) came {
			f := newFaulty(t, 0, nil)
			r := newPipeline(t, db, "http://"+f.Listener.Addr().String())
			f.Listener.Close()
			stop := r.run(t, loopback)
			ids := r.threeActionsEach(t, round.bookings)
			for n := 1; n <= 6; n++ {
				for _, id := range ids {
					r.attempts(t, id, n)
				}
				r.clock.forward(12 * time.Minute)
			}
			f.Listener = calltest.Must(net.Listen("tcp", f.Listener.Addr().String()))(t)
			f.Start()
			r.arrives(t, ids)
			stop()
			return f.check(t, ids)
		})
		again(t, "has a certificate that nobody vouches for", func(t *testing.T, round round) came {
			f := newFaulty(t, 0, nil)
			f.EnableHTTP2 = true
			f.StartTLS()
			r := newPipeline(t, db, f.URL)
			stop := r.run(t, loopback)
			ids := r.threeActionsEach(t, round.bookings)
			if last := r.attempts(t, ids[0], 1); last.Status != 0 || !strings.Contains(last.Answer, "certificate") {
				t.Errorf("the attempt says %q; want the certificate named", last.Answer)
			}
			if f.requests > 0 {
				t.Error("something was sent to it")
			}
			ca := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: f.Certificate().Raw})
			settings := calltest.Must(json.Marshal(map[string]string{"url": f.URL, "ca": string(ca)}))(t)
			if _, err := r.in.SetOutlet(t.Context(), storetest.Operator, gangway.DefaultOutlet,
				func(old store.StoredOutlet) (gangway.Outlet, error) {
					o := old.Outlet
					o.Transport.Settings = settings
					return o, nil
				}, nil, r.clock.Now()); err != nil {
				t.Fatal(err)
			}
			r.arrives(t, ids)
			stop()
			if f.protocol != "HTTP/2.0" {
				t.Errorf("it was sent by %s; want HTTP/2, which it speaks", f.protocol)
			}
			return f.check(t, ids)
		})
	})
	if n := len(canary.wait(t, 0)); n > 0 {
		t.Errorf("a redirect was followed %d times", n)
	}
}

// threeActionsEach makes n bookings that are held, issued and cancelled, and returns their identifiers.
func (r *pipeline) threeActionsEach(t *testing.T, n int) (ids []string) {
	t.Helper()
	for i := range n {
		id := fmt.Sprintf("%s%d", strings.ToUpper(cryptorand.Text()[:5]), i)
		r.book(t, id)
		r.move(t, id, gangway.Issue)
		r.move(t, id, gangway.Cancel)
		ids = append(ids, id)
	}
	return ids
}

// stored returns the outlet as it is now.
func (r *pipeline) stored(t *testing.T) gangway.Outlet {
	t.Helper()
	list := calltest.Must(r.in.Outlets(t.Context()))(t)
	return list[0]
}

// arrives lets time pass until everything is delivered. An outlet that was switched off is switched on again.
func (r *pipeline) arrives(t *testing.T, ids []string) {
	t.Helper()
	passes := 48 * time.Hour // at most: after three days what was refused is parked, however busy this machine is
	until(t, "everything is delivered", func() bool {
		if passes > 0 {
			r.clock.forward(time.Minute)
			passes -= time.Minute
		}
		if r.stored(t).Off {
			same := func(old store.StoredOutlet) (gangway.Outlet, error) { return old.Outlet, nil }
			if _, err := r.in.SetOutlet(t.Context(), storetest.Operator, gangway.DefaultOutlet, same, nil,
				r.clock.Now()); err != nil {
				t.Fatal(err)
			}
		}
		for _, id := range ids {
			list := calltest.Must(r.in.DeliveryStatuses(t.Context(), id))(t)
			if slices.ContainsFunc(list, func(d store.DeliveryStatus) bool { return d.State != "done" }) {
				return false
			}
		}
		return true
	})
}

// came is how many actions arrived, none of them lost, doubled or out of order, and how many pushes were repeats.
type came struct{ actions, again int }

// A round is one of those of a trial: the first is always the same, the others are drawn.
type round struct {
	first    bool
	bookings int
	chance   *rand.Rand
}

// of returns how often something happens that happens n times in the first round.
func (r round) of(n int) int {
	if r.first {
		return n
	}
	return 1 + r.chance.IntN(2*n)
}

// again runs a trial as often as GANGWAY_FAULTS says, and logs what came in all.
func again(t *testing.T, name string, trial func(*testing.T, round) came) {
	t.Run(name, func(t *testing.T) {
		faults := need.Count("FAULTS", 1)
		var all came
		chance := rand.New(rand.NewPCG(12, 4))
		for n := 0; n < faults && !t.Failed(); n++ {
			r := round{n == 0, 3, chance}
			if n > 0 {
				r.bookings = 1 + chance.IntN(12)
			}
			var got came
			t.Run(fmt.Sprint("round ", n+1), func(t *testing.T) { // which gives its connections back
				got = trial(t, r)
			})
			all.actions, all.again = all.actions+got.actions, all.again+got.again
		}
		t.Logf("%s, %d rounds, %d actions: 0 lost, 0 doubled, 0 out of order; %d came again", name, faults,
			all.actions, all.again)
	})
}

// check holds what came against what was to come.
func (f *faulty) check(t *testing.T, ids []string) came {
	t.Helper()
	f.mu.Lock()
	defer f.mu.Unlock()
	known, states, again := map[string]received{}, map[string][]string{}, 0
	var err error
	for _, p := range f.got {
		before, repeated := known[p.ID]
		switch {
		case !repeated:
			known[p.ID], states[p.Ref] = p, append(states[p.Ref], p.State)
		case string(before.Body) != string(p.Body):
			err = errors.Join(err, fmt.Errorf("%s came again with other bytes", p.ID))
		case states[p.Ref][len(states[p.Ref])-1] != p.State:
			err = errors.Join(err, fmt.Errorf("%s of %s came again after a later action", p.State, p.Ref))
		default:
			again++
		}
	}
	for _, id := range ids {
		if got := strings.Join(states[id], " "); got != "confirmed issued cancelled" {
			err = errors.Join(err, fmt.Errorf("of %s came %q", id, got))
		}
	}
	calltest.Done(t, err)
	return came{3 * len(ids), again}
}

// TestClocks has the clock of a replica an hour ahead, and set back two hours while it works: nothing is lost,
// doubled or out of order, and nothing waits for the clock to come back to where it was.
func TestClocks(t *testing.T) { clocksAreSetBack(t) }

// TestTrialClocks does so many times.
func TestTrialClocks(t *testing.T) {
	need.Trial(t)
	clocksAreSetBack(t)
}

func clocksAreSetBack(t *testing.T) {
	storetest.EachURL(t, func(t *testing.T, url string) {
		again(t, "set back", func(t *testing.T, round round) came {
			f := newFaulty(t, round.of(3), answering(http.StatusServiceUnavailable))
			f.Start()
			db := openDB(t, url)
			r := newPipeline(t, db, f.URL)
			replicas := []*pipeline{r}
			if strings.HasPrefix(url, "postgres") {
				other := *r
				other.db, other.clock = openDB(t, url), &clock{now: r.clock.Now()}
				other.in = other.db.In(r.in.Scope())
				replicas = append(replicas, &other)
			}
			r.clock.forward(time.Hour)
			var ids []string
			for _, replica := range replicas {
				defer replica.run(t, loopback)()
				ids = append(ids, replica.threeActionsEach(t, round.bookings)...)
			}
			r.clock.forward(-2 * time.Hour)
			for _, replica := range replicas {
				ids = append(ids, replica.threeActionsEach(t, round.bookings)...)
				replica.arrives(t, ids)
			}
			return f.check(t, ids)
		})
	})
}
