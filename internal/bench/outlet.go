package main

import (
	"bytes"
	"context"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"sync"
	"time"

	"gangway/internal/deliver"
	"gangway/internal/gangway"
	"gangway/internal/program"
	"gangway/internal/seal"
	"gangway/internal/store"
	"gangway/internal/transport"
	"gangway/internal/transport/kinds"
)

// An outlet is an account whose actions are delivered by this process to one customer's system, so that the moments of
// a commit and of its receipt are known.
type outlet struct {
	program.Program
	*maker
	id     string
	system *system
}

func newOutlet(ctx context.Context, p *place) (*outlet, error) {
	g, err := p.program(ctx)
	if err != nil {
		return nil, err
	}
	o := &outlet{Program: g, system: newSystem()}
	p.later(func() error { o.system.Close(); return nil })
	c, err := o.NewCustomer(ctx)
	if err != nil {
		return nil, err
	}
	db, err := o.open(ctx, p)
	if err != nil {
		return nil, err
	}
	if o.maker, err = newMaker(ctx, db, g, c); err != nil {
		return nil, err
	}
	var set any
	if err := o.Command(ctx, &set, "", "outlet", "set", "--customer", c.ID, "--environment", "development", "--url",
		o.system.URL, "--allow-network", loopback); err != nil {
		return nil, err
	}
	list, err := o.in.Outlets(ctx)
	if err != nil {
		return nil, err
	}
	o.id = list[0].ID
	b, err := o.begin(ctx) // one action is delivered first, which makes the connections
	if err != nil {
		return nil, err
	}
	came := o.system.expect(b.ID)
	if err := o.commit(ctx, b); err != nil {
		return nil, err
	}
	_, err = came(ctx)
	return o, err
}

// open opens the database and delivers for it until the place is closed.
func (o *outlet) open(ctx context.Context, p *place) (*store.DB, error) {
	db, err := store.Open(ctx, o.Database)
	if err != nil {
		return nil, err
	}
	p.later(db.Close)
	sealer, err := seal.New([]byte(program.SecretKey))
	if err != nil {
		return nil, err
	}
	db.SealWith(sealer)
	delivering, stop := context.WithCancel(ctx)
	var running sync.WaitGroup
	running.Go(func() {
		deliver.New(deliver.Config{DB: db, Kinds: kinds.Outlets, Now: time.Now, Log: slog.New(slog.DiscardHandler),
			Options: transport.Options{Allow: []netip.Prefix{netip.MustParsePrefix(loopback)}}}).Run(delivering)
	})
	p.later(func() error { stop(); running.Wait(); return nil })
	return db, nil
}

// A system is a customer's: it takes every document and notes when each booking's comes.
type system struct {
	*httptest.Server
	mu      sync.Mutex
	waiting map[string]chan time.Time // by the identifier of the booking
}

func newSystem() *system {
	s := &system{waiting: map[string]chan time.Time{}}
	s.Server = httptest.NewServer(s)
	return s
}

// ServeHTTP takes a document.
func (s *system) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	at := time.Now()
	_, rest, _ := bytes.Cut(body, []byte(`"id":"bkg_`))
	number, _, _ := bytes.Cut(rest, []byte(`"`))
	id := "bkg_" + string(number)
	w.WriteHeader(http.StatusNoContent)
	s.mu.Lock()
	defer s.mu.Unlock()
	if came := s.waiting[id]; came != nil {
		delete(s.waiting, id)
		came <- at
	}
}

// expect returns a function that waits for the document of a booking and returns when it came.
func (s *system) expect(id string) func(context.Context) (time.Time, error) {
	came := make(chan time.Time, 1)
	s.mu.Lock()
	s.waiting[id] = came
	s.mu.Unlock()
	return func(ctx context.Context) (at time.Time, err error) {
		select {
		case at = <-came:
			return at, nil
		case <-ctx.Done():
			return at, ctx.Err()
		case <-time.After(5 * time.Minute):
			return at, errors.New(id + " never came")
		}
	}
}

// loopback is the network of the customers' systems here.
const loopback = "127.0.0.0/8"

// operator is the author of what is set here, in the audit log.
var operator = gangway.ByCommand("bench", "bench")
