package poll_test

import (
	"fmt"
	"net/http"
	"sync"
	"testing"
	"time"

	"gangway/internal/accept/poll"
	"gangway/internal/gangway"
	"gangway/internal/store/storetest"
)

// ask asks the account's feed and fails the test unless it answered so. It waits for no answer for long.
func (d *desk) asks(flow gangway.Flow, ask gangway.Ask, answered bool) poll.Answer {
	d.t.Helper()
	if !answered {
		d.patience.Store(int64(impatient))
		defer d.patience.Store(int64(patient))
	}
	return d.told(flow, ask, answered)
}

// told does the same and waits as long as it takes.
func (d *desk) told(flow gangway.Flow, ask gangway.Ask, answered bool) poll.Answer {
	d.t.Helper()
	answers, err := d.poller.Ask(d.t.Context(), d.in, flow, ask)
	if err != nil || len(answers) != 1 || (answers[0].Error == "") != answered {
		d.t.Fatalf("asked %+v: %+v, %v; want an answer: %v", ask, answers, err, answered)
	}
	return answers[0]
}

func TestAskedWhileSomebodyTypes(t *testing.T) {
	d, c := newDesk(t, storetest.New(t)), newCustomer(t)
	d.set(gangway.TravellerLookupFlow, c.URL)
	c.has(`[{"id":"1","last_name":"Reyes","first_name":"Ana"},{"id":"2","last_name":"Cruz","first_name":"Bea"}]`)
	d.asks(gangway.TravellerLookupFlow, gangway.Ask{Surname: "Rey"}, true)
	d.there("Ana")
	if asked := c.requests(); len(asked) != 1 || asked[0] != "surname=Rey" {
		t.Errorf("asked %q; want surname=Rey", asked)
	}
	d.asks(gangway.TravellerLookupFlow, gangway.Ask{Surname: "Rey"}, true)
	if asked := c.requests(); len(asked) != 1 {
		t.Errorf("the same is asked again at once: %q", asked)
	}
	d.later(time.Minute)
	d.asks(gangway.TravellerLookupFlow, gangway.Ask{Surname: "Rey"}, true)
	if asked := c.requests(); len(asked) != 2 {
		t.Errorf("the same is not asked a minute later: %q", asked)
	}
	if run := d.fetch(poll.Ask{Ask: gangway.Ask{Surname: "Cru"}}); run.Received != 1 || run.Created > 0 {
		t.Errorf("feed run: %+v; want one received and nothing stored", run)
	}
	if list, err := d.in.SuggestTravellers(t.Context(), "cruz", nil, 10); err != nil || len(list) > 0 {
		t.Errorf("feed run has stored %v, %v", list, err)
	}
}

// What was told of a day stays until the system tells something else of it.
func TestLastGoodAnswerStays(t *testing.T) {
	d, c := newDesk(t, storetest.New(t)), newCustomer(t)
	d.set(gangway.CrewChangesFlow, c.URL)
	day := gangway.Ask{Date: "2026-12-05"}
	c.has(`[{"vessel":"Nordlys","onsigners":[{"last_name":"Reyes","first_name":"Ana"}]},
		{"vessel":"Aurora","change_date":"2026-12-05","onsigners":[{"last_name":"Reyes","first_name":"Bea"}]},
		{"vessel":"Orion","change_date":"2026-12-06","onsigners":[{"last_name":"Reyes","first_name":"Cas"}]}]`)
	at := d.asks(gangway.CrewChangesFlow, day, true).At
	d.changes(2)
	d.later(time.Minute)
	c.says(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusBadGateway) })
	if a := d.asks(gangway.CrewChangesFlow, day, false); !a.At.Equal(at) {
		t.Errorf("%+v; want when it was told last: %s", a, at)
	}
	d.changes(2)
	first := d.poller
	d.poller = d.another() // as after a restart
	if a := d.asks(gangway.CrewChangesFlow, day, false); !a.At.IsZero() || !a.Last.Equal(at) {
		t.Errorf("another process says %+v; want when it answered last: %s", a, at)
	}
	d.poller = first
	c.has(`[{"vessel":"Aurora","onsigners":[{"last_name":"Reyes","first_name":"Bea"}]}]`)
	d.asks(gangway.CrewChangesFlow, day, true)
	d.changes(1)
}

// Who asks a system that hangs waits no longer than anybody may, and a system
// that fails again and again is spared.
func TestSystemThatHangs(t *testing.T) {
	d, c := newDesk(t, storetest.New(t)), newCustomer(t)
	d.set(gangway.TravelRequestsFlow, c.URL)
	var hang sync.WaitGroup
	hang.Add(1)
	t.Cleanup(hang.Done)
	c.says(func(_ http.ResponseWriter, r *http.Request) {
		over := make(chan struct{})
		go func() { hang.Wait(); close(over) }()
		select {
		case <-r.Context().Done():
		case <-over:
		}
	})
	for i := range 5 {
		to := gangway.Date(fmt.Sprintf("2026-12-0%d", i+1))
		d.asks(gangway.TravelRequestsFlow, gangway.Ask{From: "2026-12-01", To: to}, false)
	}
	if asked := c.requests(); len(asked) > 4 {
		t.Errorf("it was asked %d times; want it to be spared after three", len(asked))
	}
}

// The same that several ask at the same time is asked once.
func TestAskedOnceForAll(t *testing.T) {
	d, c := newDesk(t, storetest.New(t)), newCustomer(t)
	d.set(gangway.TravelRequestsFlow, c.URL)
	asked := make(chan struct{})
	c.says(func(w http.ResponseWriter, _ *http.Request) {
		<-asked
		fmt.Fprint(w, "[]")
	})
	var all sync.WaitGroup
	for range 20 {
		all.Go(func() {
			d.poller.Ask(t.Context(), d.in, gangway.TravelRequestsFlow,
				gangway.Ask{From: "2026-12-01", To: "2026-12-07"})
		})
	}
	close(asked)
	all.Wait()
	if n := len(c.requests()); n > 2 { // one who comes just after the answer asks once more
		t.Errorf("20 who asked the same made %d requests", n)
	}
}

// What was set anew is asked anew at once: neither the answer to what it was before counts, nor that it was silent.
func TestFeedThatWasSetAnewIsAskedAnew(t *testing.T) {
	d, broken, good := newDesk(t, storetest.New(t)), newCustomer(t), newCustomer(t)
	broken.says(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusBadGateway) })
	good.has(`[{"id":"1","last_name":"Reyes","first_name":"Ana"}]`)
	d.set(gangway.TravellerLookupFlow, broken.URL)
	for range 4 { // until it is left alone
		d.asks(gangway.TravellerLookupFlow, gangway.Ask{Surname: "Rey"}, false)
	}
	d.set(gangway.TravellerLookupFlow, good.URL)
	d.asks(gangway.TravellerLookupFlow, gangway.Ask{Surname: "Rey"}, true)
	d.set(gangway.TravellerLookupFlow, good.URL+"/crew")
	d.asks(gangway.TravellerLookupFlow, gangway.Ask{Surname: "Rey"}, true)
	if asked := good.requests(); len(asked) != 2 {
		t.Errorf("asked %d times; want once for each address", len(asked))
	}
}
