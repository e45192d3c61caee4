package poll_test

import (
	"bytes"
	"encoding/json"
	"log/slog"
	"net/http"
	"testing"
	"time"

	"gangway/internal/accept/poll"
	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/store/storetest"
)

// A saidLine is a line of the log that is about a feed.
type saidLine struct {
	Msg         string
	Customer    string
	Environment string
	Feed        string
	Account     string
	Because     string
}

// logged returns a poller that writes its log to the buffer.
func (d *desk) logged(log *bytes.Buffer) *poll.Poller {
	return d.another(func(c *poll.Config) { c.Log = slog.New(slog.NewJSONHandler(log, nil)) })
}

// said empties the log and returns its lines. Each names the feed as commands do.
func (d *desk) said(log *bytes.Buffer) (what []string) {
	d.t.Helper()
	account, err := d.in.Account(d.t.Context())
	must(d.t, err)
	for lines := json.NewDecoder(log); lines.More(); {
		var l saidLine
		must(d.t, lines.Decode(&l))
		if l.Customer != account.Customer.ID || l.Environment != string(account.Environment) || l.Feed != "crew" ||
			l.Account != "" {
			d.t.Errorf("the log says %+v; want customer, environment and feed, as commands take them", l)
		}
		what = append(what, l.Msg)
	}
	return what
}

// The log says that a feed fails once, then every hour, by one replica of those that know it, and once
// that it works again. Each line names the feed as commands do.
func TestLogSaysOnceThatAFeedFails(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		d, c := newDesk(t, db), newCustomer(t)
		var log bytes.Buffer
		one, other := d.logged(&log), d.logged(&log)
		d.set(gangway.TravellersFlow, c.URL)
		failed := func(p *poll.Poller, want ...string) {
			t.Helper()
			d.later(10 * time.Minute)
			d.poller = p
			d.fails("502")
			if got := d.said(&log); len(got) != len(want) || len(got) == 1 && got[0] != want[0] {
				t.Errorf("the log says %q; want %q", got, want)
			}
		}
		const fails = "a feed could not be fetched"
		c.says(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusBadGateway) })
		failed(one, fails)
		failed(one)
		failed(other, fails) // which has not said it yet: its log is another
		failed(one)
		failed(other)
		failed(one)
		failed(other, fails) // an hour after the beginning
		failed(one)
		c.has(crew("Ana"))
		d.run(1, 1, 0, 0, 0, 0)
		if got := d.said(&log); len(got) != 1 || got[0] != "a feed works again" {
			t.Errorf("the log says %q; want that it works again", got)
		}
		d.run(1, 0, 0, 1, 0, 0)
		if got := d.said(&log); len(got) != 0 {
			t.Errorf("the log says %q; want nothing of what works", got)
		}
	})
}

// So it is of a feed that is asked while somebody waits.
func TestLogSaysOnceThatAFeedDoesNotAnswer(t *testing.T) {
	d, c := newDesk(t, storetest.New(t)), newCustomer(t)
	var log bytes.Buffer
	d.set(gangway.TravellerLookupFlow, c.URL)
	c.says(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusBadGateway) })
	d.poller = d.logged(&log)
	said := 0
	for range 3 { // then its breaker opens
		d.asks(gangway.TravellerLookupFlow, gangway.Ask{Surname: "Re"}, false)
		said += len(d.said(&log))
		d.later(40 * time.Minute)
	}
	c.has("[]")
	d.poller = d.logged(&log) // whose breaker is closed
	d.asks(gangway.TravellerLookupFlow, gangway.Ask{Surname: "Re"}, true)
	if got := d.said(&log); said != 2 || len(got) != 1 || got[0] != "a feed works again" {
		t.Errorf("the log says %d times that it fails, and %q; want twice, and that it works again", said, got)
	}
}
