package web

import (
	"context"
	"io"
	"net/http"
	"sync"
	"time"

	"golang.org/x/sync/semaphore"
)

// A Budget is the memory that the bodies of all requests under way may take
// together, and what is made of them. Nothing of it is set aside for what is
// only claimed: a body takes its part as it arrives.
//
// Small bodies, and the beginnings of all, have a part of their own, so that a
// sign-in or one record is taken in while large uploads wait. Those share the
// rest, of which one client may have half. Where it is full they wait with what
// has arrived, and one of them at a time goes on into a reserve that is as large
// as the largest body: so there is always one that comes to its end.
//
// Decided: docs/choices.md, "What anybody may fill".
type Budget struct {
	mu       sync.Mutex
	small    part
	shared   part
	reserve  int64         // of shared: for one body at a time
	first    *Share        // which one that is
	freed    chan struct{} // closed, and made anew, whenever something comes free
	patience time.Duration // how long a body waits for room

	light, heavy work
}

// A part of the budget.
type part struct {
	left    int64
	each    int64            // for one client
	clients map[string]int64 // what each of them has
}

func newPart(bytes int64) part {
	return part{left: bytes, each: bytes / 2, clients: map[string]int64{}}
}

// fits reports whether client may have more bytes, so that keep are left.
func (p *part) fits(client string, more, keep int64) bool {
	return p.left-more >= keep && p.clients[client]+more <= p.each
}

func (p *part) take(client string, bytes int64) {
	p.left -= bytes
	if p.clients[client] += bytes; p.clients[client] == 0 {
		delete(p.clients, client)
	}
}

// work is the part for what is made of bodies.
type work struct {
	room *semaphore.Weighted
	all  int64
}

func newWork(bytes int64) work { return work{semaphore.NewWeighted(bytes), bytes} }

const (
	beginning = 16 << 10 // of each body

	// heavyFrom is what is made of a body that is no small one.
	heavyFrom = 1 << 20

	// Patience is how long a body waits for room before it is turned away.
	Patience = time.Minute
)

// NewBudget returns a budget of so many bytes, for bodies of largest bytes at
// most: an eighth for beginnings, an eighth for what is made of small bodies,
// and the rest, by halves, for large bodies and for what is made of them.
func NewBudget(bytes, largest int64, patience time.Duration) *Budget {
	large := 3 * bytes / 8
	return &Budget{
		small: newPart(bytes / 8), shared: newPart(large), reserve: min(largest+beginning, large), freed: make(chan struct{}), patience: patience,
		light: newWork(bytes / 8), heavy: newWork(large),
	}
}

// Full says that the memory for requests is taken, and when to come again.
func Full() error {
	return retryLater(http.StatusServiceUnavailable, 5*time.Second, "as much is being taken in as fits into memory; nothing was read or stored, so send it again in a moment")
}

// A Share is what one request has of the budget.
type Share struct {
	b      *Budget
	client string
	small  int64
	shared int64
}

// Share returns the share of a request of client, of nothing yet. Whoever has
// it releases it in the end.
func (b *Budget) Share(client string) *Share { return &Share{b: b, client: client} }

// Grow makes the share as large as to, at least. It waits for room; when there
// is none in time, or the caller leaves, the share stays as it is.
func (s *Share) Grow(ctx context.Context, to int64) (waited bool, err error) {
	var patience <-chan time.Time
	for {
		freed, err := s.take(to)
		if freed == nil {
			return patience != nil, err
		}
		if patience == nil {
			timer := time.NewTimer(s.b.patience)
			defer timer.Stop()
			patience = timer.C
		}
		select {
		case <-freed:
		case <-patience:
			return true, Full()
		case <-ctx.Done():
			return true, ctx.Err()
		}
	}
}

// take takes what is missing to to, or returns what tells when to try again.
func (s *Share) take(to int64) (freed <-chan struct{}, err error) {
	b := s.b
	b.mu.Lock()
	defer b.mu.Unlock()
	if small := min(to, beginning) - s.small; small > 0 {
		if !b.small.fits(s.client, small, 0) {
			return nil, Full() // so many small ones at once are nobody's work
		}
		b.small.take(s.client, small)
		s.small += small
	}
	more := to - beginning - s.shared
	switch {
	case more <= 0:
		return nil, nil
	case b.shared.fits(s.client, more, b.reserve):
	case (b.first == nil || b.first == s) && b.shared.left >= more:
		b.first = s
	default:
		return b.freed, nil
	}
	b.shared.take(s.client, more)
	s.shared += more
	return nil, nil
}

// Release gives the share back.
func (s *Share) Release() {
	b := s.b
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.first == s {
		b.first = nil
	}
	b.small.take(s.client, -s.small)
	b.shared.take(s.client, -s.shared)
	if s.shared > 0 {
		close(b.freed)
		b.freed = make(chan struct{})
	}
	s.small, s.shared = 0, 0
}

// Work waits until so many bytes may be taken by what is made of a body, and
// returns how to give them back. What needs more than there is runs alone.
func (b *Budget) Work(ctx context.Context, bytes int64) (done func(), err error) {
	w := b.light
	if bytes >= heavyFrom {
		w = b.heavy
	}
	bytes = min(bytes, w.all)
	if err := w.room.Acquire(ctx, bytes); err != nil {
		return nil, err
	}
	return func() { w.room.Release(bytes) }, nil
}

// Count has the share of r's client in the budget grow as r's body is read: by
// times as many bytes as are read, for what is made of them. The reader gets
// the refusal as its error. What is returned releases the share.
func (b *Budget) Count(r *http.Request, times int64) (release func()) {
	if r.Body == nil || r.Body == http.NoBody {
		return func() {}
	}
	s := b.Share(Network(Client(r)))
	r.Body = &countedBody{ReadCloser: r.Body, ctx: r.Context(), share: s, times: times}
	return s.Release
}

// A countedBody takes its share of what it has read before it hands it on.
type countedBody struct {
	io.ReadCloser
	ctx   context.Context
	share *Share
	times int64
	read  int64
}

// Read is part of io.Reader.
func (c *countedBody) Read(p []byte) (int, error) {
	n, err := c.ReadCloser.Read(p)
	c.read += int64(n)
	if _, full := c.share.Grow(c.ctx, c.read*c.times); full != nil {
		return 0, full
	}
	return n, err
}
