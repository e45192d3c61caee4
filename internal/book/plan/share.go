package plan

import (
	"context"
	stdjson "encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"gangway/internal/book"
	"gangway/internal/book/flight"
	"gangway/internal/gangway"
	"gangway/internal/store"

	"github.com/go-json-experiment/json"
)

// A sessionUpdate is what one replica tells the others about a session: a fact about the search, or
// flights for a member.
type sessionUpdate struct {
	Longest *int           `json:"longest,omitempty"`
	Reach   []book.Reach   `json:"reach,omitempty"`
	Days    []Day          `json:"days,omitempty"`
	Flights *memberFlights `json:"flights,omitempty"`
}

// memberFlights is a book.FoundOffers that can be written down.
type memberFlights struct {
	Member int            `json:"member"`
	Offers []flight.Offer `json:"offers,omitempty"`
	Done   bool           `json:"done,omitempty"`
	Failed bool           `json:"failed,omitempty"` // there may be more that could not be found
	Kind   gangway.Kind   `json:"kind,omitempty"`
	Why    string         `json:"why,omitempty"` // what people may read about the error
}

func flightsFound(f book.FoundOffers) sessionUpdate {
	m := &memberFlights{Member: f.Member, Offers: f.Offers, Done: f.Done, Failed: f.Err != nil}
	if m.Failed {
		m.Kind = gangway.KindOf(f.Err)
	}
	if m.Kind != gangway.Internal {
		m.Why = f.Err.Error()
	}
	return sessionUpdate{Flights: m}
}

// found is the inverse of flightsFound.
func (m memberFlights) found() book.FoundOffers {
	f := book.FoundOffers{Member: m.Member, Offers: m.Offers, Done: m.Done}
	switch {
	case m.Failed && m.Kind != gangway.Internal:
		f.Err = gangway.Errorf(m.Kind, "%s", m.Why)
	case m.Failed:
		f.Err = errors.New("the search failed at the replica that ran it")
	}
	return f
}

// take adds what was found, here or at another replica.
func (s *Session) take(f sessionUpdate) {
	switch {
	case f.Flights != nil:
		s.add(f.Flights.found())
	case f.Reach != nil:
		s.tell(func() { s.reach = f.Reach })
	case f.Days != nil:
		s.tell(func() { s.days = f.Days })
	case f.Longest != nil:
		s.tell(func() { s.longest = *f.Longest })
	}
}

// A publisher writes what a session finds to the database, for readers at other replicas. The
// search itself never waits for it.
type publisher struct {
	in      store.Scoped
	lease   store.SearchLease
	session *Session
	now     func() time.Time
	log     *slog.Logger

	mu      sync.Mutex
	waiting []sessionUpdate
	wake    chan struct{} // holds a value when there is something to write
	ending  chan struct{} // closed when nothing more comes
	written chan struct{} // closed when all of it is written
}

// sharedAtOnce bounds how many findings are written in one transaction.
const sharedAtOnce = 32

func newPublisher(in store.Scoped, l store.SearchLease, session *Session, now func() time.Time,
	log *slog.Logger) *publisher {
	return &publisher{
		in: in, lease: l, session: session, now: now, log: log,
		wake: make(chan struct{}, 1), ending: make(chan struct{}), written: make(chan struct{}),
	}
}

// tell queues an update to be written soon.
func (p *publisher) tell(f sessionUpdate) {
	p.mu.Lock()
	p.waiting = append(p.waiting, f)
	p.mu.Unlock()
	select {
	case p.wake <- struct{}{}:
	default:
	}
}

// end records that nothing more comes, and waits until that is written.
func (p *publisher) end() {
	close(p.ending)
	<-p.written
}

// write writes the updates and renews the lease until the end. If another process has started the
// search again, or the database refuses an update, the results stay with this process alone.
func (p *publisher) write(ctx context.Context) error {
	defer close(p.written)
	tick := time.NewTicker(lease / 3)
	defer tick.Stop()
	for {
		ended := false
		select {
		case <-p.wake:
		case <-tick.C:
		case <-p.ending:
			ended = true
		case <-ctx.Done():
			return nil
		}
		if err := p.flush(ctx, ended); err != nil {
			if errors.Is(err, store.ErrSearchLost) || errors.Is(err, store.ErrAway) ||
				errors.Is(err, store.ErrNoAccount) || ctx.Err() != nil {
				return nil
			}
			return fmt.Errorf("share what a search has found: %w", err)
		}
		if ended {
			return nil
		}
	}
}

// flush writes the waiting updates.
func (p *publisher) flush(ctx context.Context, ended bool) error {
	for {
		p.mu.Lock()
		n := min(len(p.waiting), sharedAtOnce)
		some := p.waiting[:n]
		p.waiting = p.waiting[n:]
		last := len(p.waiting) == 0
		p.mu.Unlock()
		docs := make([][]byte, n)
		for i, f := range some {
			doc, err := stdjson.Marshal(f) // for writing, the faster of the two
			if err != nil {
				return err
			}
			docs[i] = doc
		}
		err := p.in.AddFindings(ctx, p.lease, docs, p.now().Add(lease), p.session.ends(), ended && last)
		if err != nil || last {
			return err
		}
	}
}

// follow takes in what another process finds, until that search ends (true), or until that process
// has been silent for too long or has given the search up (false). An error says why its updates
// cannot be read.
func (ss *Sessions) follow(ctx context.Context, session *Session, in store.Scoped, key string,
	l store.SearchLease) (ended bool, err error) {
	wake, stop := in.AwaitSearch(key)
	defer stop()
	tick := time.NewTicker(pollInterval)
	defer tick.Stop()
	for read := 0; ; {
		st, err := in.Findings(ctx, l, read)
		away := errors.Is(err, store.ErrAway)
		switch {
		case errors.Is(err, store.ErrSearchLost):
			return false, nil
		case err != nil && !away:
			return false, err
		}
		for _, doc := range st.Findings {
			var f sessionUpdate
			if err := json.Unmarshal(doc, &f); err != nil {
				return false, fmt.Errorf("read a finding: %w", err)
			}
			session.take(f)
		}
		read += len(st.Findings)
		switch {
		case away:
		case st.Ended:
			session.endsBy(st.Expires)
			return true, nil
		case len(st.Findings) > 0:
			continue // there may be more
		case ss.now().After(st.Lease):
			return false, nil
		}
		select {
		case <-wake:
		case <-tick.C:
		case <-ctx.Done():
			return false, ctx.Err()
		}
	}
}
