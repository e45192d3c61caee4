package poll_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/store/storetest"
)

// Of a feed that is asked while somebody waits it is said since when it fails and why, once for many
// failures, and no more once it has answered.
func TestFeedThatDoesNotAnswerIsFailing(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		d, c := newDesk(t, db), newCustomer(t)
		d.set(gangway.TravellerLookupFlow, c.URL)
		c.has("[]")
		d.asks(gangway.TravellerLookupFlow, gangway.Ask{Surname: "Aa"}, true)
		good := d.stored()
		if good.GoodAt.IsZero() || !good.Failing.IsZero() {
			t.Fatalf("after an answer: %+v; want it well", good)
		}
		c.says(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusBadGateway) })
		d.later(time.Minute)
		since := d.now()
		for i := range 3 {
			d.asks(gangway.TravellerLookupFlow, gangway.Ask{Surname: fmt.Sprint("Ab", i)}, false)
			d.later(2 * time.Minute)
		}
		if f := d.stored(); !f.Failing.Equal(since) || !f.GoodAt.Equal(good.GoodAt) {
			t.Errorf("failing since %s, good at %s; want %s and %s", f.Failing, f.GoodAt, since, good.GoodAt)
		}
		if run := d.history(1)[0]; !strings.Contains(run.Error, "502") || run.Ask != (gangway.Ask{}) {
			t.Errorf("the run: %+v; want it said once why, and not who was looked for", run)
		}
		c.has("[]")
		d.poller = d.another() // whose breaker is closed
		d.asks(gangway.TravellerLookupFlow, gangway.Ask{Surname: "Aa"}, true)
		if f := d.stored(); !f.Failing.IsZero() || !f.GoodAt.Equal(d.now()) {
			t.Errorf("after an answer: failing since %s, good at %s; want it well", f.Failing, f.GoodAt)
		}
	})
}

// What was guessed, left out or refused of an answer that somebody waited for is in the feed's history, once for each
// kind, whoever was looked for.
func TestWhatIsLeftOutOfALiveAnswerIsSaidOnce(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		d, c := newDesk(t, db), newCustomer(t)
		d.set(gangway.TravellerLookupFlow, c.URL)
		for i, answer := range []string{
			"id,last_name,first_name,gender\n1,Reyes,Ana,F\n",
			"id,last_name,first_name,gender\n1,Reyes,Jos\xe9,M\n",
			"id,last_name,first_name,gender\n2,Reyes,Andr\xe9,M\n",
			"id,last_name,first_name,gender\n3,Reyes,Bea,F\n4,Reyes,,M\n",
			"id,last_name,first_name,gender\n5,Reyes,Ren\xe9,M\n6,Reyes,,M\n",
			"id,last_name,first_name,gender\n7,Reyes,Cas,divers\n",
			"id,last_name,first_name,gender\n8,Reyes,Dan,divers\n9,Reyes,,M\n",
		} {
			d.later(2 * time.Minute)
			c.has(answer)
			d.asks(gangway.TravellerLookupFlow, gangway.Ask{Surname: "Re"}, true)
			for _, run := range d.history([]int{0, 1, 1, 2, 2, 3, 3}[i]) {
				run, err := d.in.FeedRun(t.Context(), "crew", run.ID)
				if err != nil || run.Failed() || run.Notice.Text != "" || len(run.Warnings)+len(run.Refusals) != 1 {
					t.Errorf("%q: %+v", answer, run)
				}
			}
		}
	})
}

// The day that was asked for is that of crew changes which have none, and not of one whose own
// cannot be read.
func TestDayThatCannotBeReadIsNotTheOneAskedFor(t *testing.T) {
	d, c := newDesk(t, storetest.New(t)), newCustomer(t)
	d.set(gangway.CrewChangesFlow, c.URL)
	c.has(`[{"vessel":"Nordlys","onsigners":[{"last_name":"Reyes","first_name":"Ana"}]},
		{"vessel":"Aurora","change_date":"15.12.2026","onsigners":[{"last_name":"Reyes","first_name":"Bea"}]},
		{"vessel":"Orion","change_date":"","onsigners":[{"last_name":"Reyes","first_name":"Cas"}]}]`)
	d.asks(gangway.CrewChangesFlow, gangway.Ask{Date: "2026-12-05"}, true)
	d.changes(2)
}
