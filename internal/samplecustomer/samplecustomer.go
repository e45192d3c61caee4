// Package samplecustomer is an invented shipping company with a crewing system
// of its own, to try Gangway with: it uploads its crew and its plans, hands
// crew changes over to the web application, answers when it is asked, receives pushes and
// shows them on a page.
//
// It plays the customer, so it knows only what a customer knows: of this module it imports
// the receiver that integrators have as an example, and people who do not exist. It speaks only HTTP.
// Integrators may read it as an example.
package samplecustomer

import (
	"cmp"
	"context"
	"log/slog"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"gangway/examples/receivers/go/receiver"
)

// Config is what the company received when it became a customer.
type Config struct {
	BaseURL string // for uploads and pulls
	AppURL  string // where people book
	APIKey  string
	Secret  string           // for the signatures of pushes, which are not checked if it is empty
	Inbox   *receiver.Inbox  // where pushes are stored; in memory unless set
	Now     func() time.Time // time.Now unless set
	Log     *slog.Logger     // slog.Default unless set
}

// A System is the company's crewing system. It is an http.Handler: its page
// is at /, it is asked at the interface's paths, and it receives pushes at /api/sync_flights.
type System struct {
	gangway *client
	appURL  string
	secret  string
	now     func() time.Time
	log     *slog.Logger
	mux     *http.ServeMux
	ended   chan struct{} // closed when Run ends, so that open pages are released

	mu       sync.Mutex
	crew     []person
	changes  []crewChange
	requests []travelRequest
	uploads  []upload
	notes    map[string]string // outcome of the last button, by section of the page
	repeats  int
	feed     []happening // newest first
	pull     *pulled     // the last one
	pulling  string      // the name of the pull whose answer is missing
	watchers map[chan struct{}]bool
}

// New returns the system. Its people and plans are invented anew, the same ones every
// time, with dates relative to today.
func New(c Config) *System {
	if c.Now == nil {
		c.Now = time.Now
	}
	c.Inbox = cmp.Or(c.Inbox, &receiver.Inbox{})
	c.Log = cmp.Or(c.Log, slog.Default())
	today := c.Now()
	crew := invent(today)
	s := &System{
		gangway: newClient(c.BaseURL, c.APIKey),
		appURL:  strings.TrimRight(c.AppURL, "/"),
		secret:  c.Secret, now: c.Now, log: c.Log, ended: make(chan struct{}),
		crew: crew, changes: planChanges(crew, today), requests: planRequests(crew, today),
		notes: map[string]string{}, watchers: map[chan struct{}]bool{},
	}
	s.uploads = []upload{
		{What: "travellers", path: "/passenger", Records: len(s.crew), body: s.crew},
		{What: "travel requests", path: "/travelers-requests", Records: len(s.requests),
			body: slices.Clone(s.requests)},
		{What: "crew changes", path: "/travel-requests", Records: len(s.changes), body: s.changes},
	}
	s.mux = s.routes(c.Inbox)
	return s
}

// ServeHTTP answers the company's own pages and Gangway's pushes.
func (s *System) ServeHTTP(w http.ResponseWriter, r *http.Request) { s.mux.ServeHTTP(w, r) }

// Run uploads crew and plans as soon as Gangway answers, and then keeps the page live
// until ctx ends.
func (s *System) Run(ctx context.Context) error {
	defer close(s.ended)
	for i := range s.uploads {
		if err := s.send(ctx, i); err != nil {
			if ctx.Err() != nil {
				return nil
			}
			s.log.Error("an upload was refused", "what", s.uploads[i].What, "error", err)
		}
	}
	<-ctx.Done()
	return nil
}

// change changes what the page shows, and notifies open pages.
func (s *System) change(do func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	do()
	for w := range s.watchers {
		select {
		case w <- struct{}{}:
		default:
		}
	}
}

// watch returns a channel that holds a value when the page has changed.
func (s *System) watch() (changed chan struct{}, end func()) {
	changed = make(chan struct{}, 1)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.watchers[changed] = true
	return changed, func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		delete(s.watchers, changed)
	}
}

// origin returns the scheme and host of an address.
func origin(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	return u.Scheme + "://" + u.Host
}
