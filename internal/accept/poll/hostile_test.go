package poll_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"gangway/internal/accept/poll"
	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/store/storetest"
	"gangway/internal/transport"
	"gangway/internal/transport/transporttest"
)

// hostileMost is how long a document may be that the pollers of these tests fetch, and hostileSent
// how many bytes a system may get rid of then: those, and what the buffers of both sides hold.
const (
	hostileMost = 2 << 20
	hostileLive = 32 << 20
	inBuffers   = 16 << 20
)

// eachHostile runs a test against each kind of hostile system; inward must never be reached.
func eachHostile(t *testing.T, test func(t *testing.T, h transporttest.HostileSystem)) {
	reached := make(chan struct{}, 1000)
	canary := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { reached <- struct{}{} }))
	defer canary.Close()
	for _, h := range transporttest.HostileSystems(canary.URL) {
		t.Run(h.Name, func(t *testing.T) { test(t, h) })
	}
	if len(reached) > 0 {
		t.Error("a redirect was followed inward")
	}
}

// short returns a poller that fetches short documents only.
func (d *desk) short() *poll.Poller {
	return d.another(func(c *poll.Config) { c.MostBytes = hostileMost })
}

// A neighbour is another account of the same process, whose systems are well.
type neighbour struct {
	*desk
	system *customer
}

func (d *desk) neighbour() *neighbour {
	d.t.Helper()
	_, other := storetest.Accounts(d.t, d.db)
	n := &neighbour{&desk{t: d.t, db: d.db, in: d.db.In(other.Scope()), poller: d.poller, now: d.now, later: d.later,
		patience: d.patience},
		newCustomer(d.t)}
	n.system.has(crew("Zoe"))
	return n
}

// setNamed sets a feed of another name than "crew".
func (d *desk) setNamed(name string, flow gangway.Flow, url string) {
	d.t.Helper()
	settings, _ := json.Marshal(map[string]string{"url": url})
	_, err := d.poller.Set(d.t.Context(), d.in, storetest.Operator, gangway.Feed{Name: name, Flow: flow,
		Transport: gangway.Transport{Kind: "endpoint", Settings: settings}})
	must(d.t, err)
}

// TestHostileSystemsThatAreFetched has the program fetch by itself from systems that were well once: what they had
// stays, the history says what is wrong, and meanwhile another account is served by the same process.
func TestHostileSystemsThatAreFetched(t *testing.T) {
	eachHostile(t, func(t *testing.T, h transporttest.HostileSystem) {
		db := storetest.New(t)
		d := newDesk(t, db)
		d.poller = d.short()
		next := d.neighbour()
		system := transporttest.NewHostileServer(t, func(*http.Request) string { return crew("Ana", "Bea") })
		d.set(gangway.TravellersFlow, system.URL)
		good := d.run(2, 2, 0, 0, 0, 0)

		system.Turn(h)
		d.later(2 * time.Hour)
		failed, stop := db.Await(store.FeedTopic("crew"))
		defer stop()
		fetched, stop := db.Await(store.FeedTopic("neighbour"))
		defer stop()
		defer d.works()()
		<-system.Asked
		next.setNamed("neighbour", gangway.TravellersFlow, next.system.URL)
		next.ends("neighbour", 1, fetched)
		next.there("Zoe")
		next.setNamed("lookup", gangway.TravellerLookupFlow, next.system.URL)
		next.asks(gangway.TravellerLookupFlow, gangway.Ask{Surname: "Rey"}, true)
		if h.Holds {
			select {
			case <-failed:
				t.Fatal("the run that hangs has ended, so that this test shows nothing")
			default:
			}
			system.LetGo()
		}
		history := d.ends("crew", 2, failed)
		d.there("Ana", "Bea")
		if !history[0].Failed() || strings.Contains(history[0].Error, "secret") ||
			!h.Holds && !strings.Contains(history[0].Error, h.Says) {
			t.Errorf("history: %+v; want the last run failed, because %q", history, h.Says)
		}
		if f := d.stored(); f.Size != 2 || !f.GoodAt.Equal(good.At) && f.GoodAt.Sub(good.At) > time.Minute {
			t.Errorf("the feed: %+v; want its last good run known", f)
		}
		if sent := system.Sent(); sent > hostileMost+inBuffers {
			t.Errorf("%d MiB were read", sent>>20)
		}
	})
}

// TestHostileSystemsThatAreAsked asks systems that were well once, while somebody waits: what they said stays with
// its time, the wait ends though they let go of nobody, and meanwhile another account is served by the same process.
func TestHostileSystemsThatAreAsked(t *testing.T) {
	eachHostile(t, func(t *testing.T, h transporttest.HostileSystem) {
		d := newDesk(t, storetest.New(t))
		first, second := d.short(), d.short() // processes that each find out by themselves how the system is
		d.poller = first
		next := d.neighbour()
		system := transporttest.NewHostileServer(t, func(*http.Request) string {
			return `[{"vessel":"Nordlys","onsigners":[{"last_name":"Reyes","first_name":"Ana"}]}]`
		})
		d.set(gangway.CrewChangesFlow, system.URL)
		day := gangway.Ask{Date: "2026-12-05"}
		at := d.asks(gangway.CrewChangesFlow, day, true).At
		d.poller = second
		d.asks(gangway.CrewChangesFlow, day, true)
		d.later(time.Minute)

		system.Turn(h)
		ask := d.told // it ends the wait by itself, for the reason that is looked for
		if h.Holds {
			ask = d.asks
		}
		got := ask(gangway.CrewChangesFlow, day, false) // which ends, or the test does not
		if !got.At.Equal(at) || strings.Contains(got.Error, "secret") ||
			!h.Holds && !strings.Contains(got.Error, h.Says) {
			t.Errorf("%+v; want when it was told last, %s, and %q", got, at, h.Says)
		}
		if sent := system.Sent(); sent > hostileLive+inBuffers {
			t.Errorf("%d MiB were read", sent>>20)
		}
		d.changes(1)

		system.Turn(h)
		d.poller = first
		told := make(chan []poll.Answer, 1)
		go func() {
			answers, _ := first.Ask(t.Context(), d.in, gangway.CrewChangesFlow, day)
			told <- answers
		}()
		<-system.Asked
		next.setNamed("lookup", gangway.TravellerLookupFlow, next.system.URL)
		next.asks(gangway.TravellerLookupFlow, gangway.Ask{Surname: "Rey"}, true)
		next.set(gangway.TravellersFlow, next.system.URL)
		next.run(1, 1, 0, 0, 0, 0)
		next.there("Zoe")
		if h.Holds {
			select {
			case <-told:
				t.Fatal("whoever asks the system that hangs has an answer, so that this test shows nothing")
			default:
			}
			system.LetGo()
		}
		if answers := <-told; len(answers) != 1 || answers[0].Error == "" || !answers[0].At.Equal(at) {
			t.Errorf("%+v; want that it has not answered since %s", answers, at)
		}
		d.changes(1)
	})
}

// A name that leads into our own network by now leads nowhere, whatever it was when the feed was set: what its system
// told before stays.
func TestNameThatChangesIsNotFollowed(t *testing.T) {
	d := newDesk(t, storetest.New(t))
	reached := newCustomer(t)
	reached.has(`[]`)
	c := newCustomer(t)
	c.has(crew("Ana"))
	d.set(gangway.TravellersFlow, c.URL)
	d.run(1, 1, 0, 0, 0, 0)
	day := gangway.Ask{From: "2026-12-01", To: "2026-12-07"}

	transporttest.NamesLeadHome(t)
	d.poller = d.another(func(c *poll.Config) { c.Options, c.LivePatience = transport.Options{}, nil })
	port := reached.Listener.Addr().String()[strings.LastIndexByte(reached.Listener.Addr().String(), ':'):]
	d.set(gangway.TravellersFlow, "https://crew.example"+port)
	d.fails("--allow-network")
	d.there("Ana")
	d.setNamed("requests", gangway.TravelRequestsFlow, "https://crew.example"+port)
	if a := d.told(gangway.TravelRequestsFlow, day, false); !strings.Contains(a.Error, "--allow-network") ||
		strings.Contains(a.Error, "127.0.0.1") {
		t.Errorf("%+v; want it refused without saying where the name leads", a)
	}
	if asked := reached.requests(); len(asked) > 0 {
		t.Error(fmt.Sprint("our own network was asked ", asked))
	}
}
