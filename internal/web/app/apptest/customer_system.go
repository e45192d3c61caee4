package apptest

import (
	"context"
	"encoding/json"
	"log/slog"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"slices"
	"sync"
	"testing"
	"time"

	"gangway/internal/accept/poll"
	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/store/storetest"
	"gangway/internal/transport"
	"gangway/internal/transport/kinds"
)

// A CustomerSystem plays the crew system of the site's customer, which is asked
// while somebody waits: for travellers (B1), travel requests (B3) and crew changes
// (B4). It does not pick out what it is asked for.
type CustomerSystem struct {
	Asks chan string // holds each question that came in: path and query

	mu    sync.Mutex
	has   map[string]any // by path
	hangs chan struct{}  // questions wait for it to be closed; nil: they do not
}

// poller asks the customer's systems; those on the test's own machine too.
func (s *Site) poller() *poll.Poller {
	return poll.New(poll.Config{DB: s.DB, Kinds: kinds.All, Now: s.Now,
		Options:      transport.Options{Allow: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}},
		Log:          slog.New(slog.DiscardHandler),
		LivePatience: func() time.Duration { return time.Duration(s.Patience.Load()) }})
}

// FetchFeeds fetches the site's feeds as they fall due, as a running server does, until the test ends.
func (s *Site) FetchFeeds(t *testing.T) {
	t.Helper()
	ctx, stop := context.WithCancel(context.Background())
	var done sync.WaitGroup
	done.Go(func() { s.poller().Run(ctx) })
	t.Cleanup(func() {
		stop()
		done.Wait()
	})
}

// The feeds of a customer's system, by the paths of the interface.
var askedPaths = map[string]gangway.Feed{
	"/api/suggest_traveller": {Name: "people", Flow: gangway.TravellerLookupFlow},
	"/api/travel_request":    {Name: "requests", Flow: gangway.TravelRequestsFlow},
	"/api/crew_change":       {Name: "changes", Flow: gangway.CrewChangesFlow},
}

// AskCustomer starts a system with the records given for its paths, and sets up feeds
// for them in the production account.
func AskCustomer(t *testing.T, s *Site, has map[string]any) *CustomerSystem {
	t.Helper()
	c := &CustomerSystem{Asks: make(chan string, 1000), has: has}
	server := httptest.NewServer(c)
	t.Cleanup(server.Close)
	t.Cleanup(c.Wake)
	AskAt(t, s, server.URL, slices.Collect(maps.Keys(has))...)
	return c
}

// AskAt sets up feeds in the production account for the paths of the interface at a system.
func AskAt(t *testing.T, s *Site, system string, paths ...string) {
	t.Helper()
	for _, path := range paths {
		f := askedPaths[path]
		settings := Must(json.Marshal(map[string]string{"url": system + path}))(t)
		f.Transport = gangway.Transport{Kind: "endpoint", Settings: settings}
		Done(t, f.Check(true))
		f.Format.Kind = "auto"
		_, err := Production(s).SetFeed(t.Context(), storetest.Operator, f.Name,
			func(store.StoredFeed) (gangway.Feed, error) { return f, nil }, s.Now(), s.Now())
		Done(t, err)
	}
}

// ServeHTTP answers a question.
func (c *CustomerSystem) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	c.Asks <- r.URL.RequestURI()
	c.mu.Lock()
	has, hangs := c.has[r.URL.Path], c.hangs
	c.mu.Unlock()
	if hangs != nil {
		select {
		case <-hangs:
		case <-r.Context().Done():
		}
	}
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(has)
}

// Has sets what the system has at a path from now on.
func (c *CustomerSystem) Has(path string, records any) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.has[path] = records
}

// Hang has the system answer nothing until Wake.
func (c *CustomerSystem) Hang() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.hangs = make(chan struct{})
}

// Wake has the system answer again, also what it was asked meanwhile.
func (c *CustomerSystem) Wake() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.hangs != nil {
		close(c.hangs)
		c.hangs = nil
	}
}

// Asked returns the queries with which a path was asked since the last call, sorted.
func (c *CustomerSystem) Asked(t *testing.T, path string) (queries []string) {
	t.Helper()
	for {
		select {
		case uri := <-c.Asks:
			at := Must(url.ParseRequestURI(uri))(t)
			if at.Path == path {
				queries = append(queries, at.RawQuery)
			}
		default:
			slices.Sort(queries)
			return queries
		}
	}
}
