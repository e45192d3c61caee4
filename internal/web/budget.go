package web

import (
	"context"
	"io"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"gangway/internal/background"

	"golang.org/x/sync/semaphore"
)

// A Budget bounds the memory that the bodies of all requests under way, and what is made of them,
// may take together. A Content-Length reserves nothing: a body takes its part as it arrives.
//
// Small bodies, and the beginning of every body, have a part of their own, so that a sign-in or a
// single record gets through while large uploads wait. Beyond that, bodies share the open part, of
// which one client may have half. When it is full they wait, keeping what has arrived, and one at a
// time continues in the reserve, which is as large as the largest body: so one can always finish.
// It moves into the reserve with all it has; the latest arrival goes first.
//
// A body that stops arriving holds up nobody: see Share.Reading.
//
// Decided: docs/choices.md, "What anybody may fill".
type Budget struct {
	mu       sync.Mutex
	small    part
	open     part
	pages    part             // beside the others: pages on their way to readers
	reports  part             // beside the others: answers of the report on theirs
	reserve  int64            // besides open, for one body at a time
	first    *Share           // which one that is
	waiting  map[*Share]int64 // how much each wants to grow by
	reading  map[*Share]bool  // whose bodies are arriving
	cut      *Share           // the one that was cut and has not released its memory yet
	freed    chan struct{}    // closed, and made anew, whenever something comes free
	patience time.Duration    // how long a body waits for room
	window   time.Duration    // how long a body may bring next to nothing while others wait

	shares atomic.Int64 // how many there were

	light, heavy work
	tidier       background.Tidier
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

// fits reports whether client may have more bytes.
func (p *part) fits(client string, more int64) bool {
	return more <= p.left && p.clients[client]+more <= p.each
}

func (p *part) take(client string, bytes int64) {
	p.left -= bytes
	if p.clients[client] += bytes; p.clients[client] == 0 {
		delete(p.clients, client)
	}
}

// work is the part for what is made from bodies.
type work struct {
	room *semaphore.Weighted
	all  int64
}

func newWork(bytes int64) work { return work{semaphore.NewWeighted(bytes), bytes} }

const (
	beginning = 16 << 10 // of each body

	// heavyFrom is the size from which work on a body is not small.
	heavyFrom = 1 << 20

	// Patience is how long a body waits for room before it is turned away.
	Patience = time.Minute
)

// NewBudget returns a budget of so many bytes, for bodies of at most largest bytes: an
// eighth for beginnings, an eighth for what is made from small bodies, and the rest, in
// halves, for large bodies and for what is made from them. Pages have a quarter as much
// in addition, and so has the report: neither waits for bodies, nor for the other.
func NewBudget(bytes, largest int64, patience time.Duration) *Budget {
	large := 3 * bytes / 8
	reserve := min(largest+beginning, large)
	return &Budget{
		small: newPart(bytes / 8), open: newPart(large - reserve), reserve: reserve,
		pages: newPart(bytes / 4), reports: newPart(bytes / 4),
		waiting: map[*Share]int64{}, reading: map[*Share]bool{}, freed: make(chan struct{}),
		patience: patience, window: patience / 6,
		light: newWork(bytes / 8), heavy: newWork(large),
	}
}

// Full says that the memory for requests is in use, and when to try again.
func Full() error {
	return Overloaded(5*time.Second, "as much is being received as fits into memory; nothing was read or stored, so "+
		"send it again in a moment")
}

// Work waits until that many bytes are free for what is made of a body, and returns the function
// that gives them back. Work that needs more than the whole part runs alone.
func (b *Budget) Work(ctx context.Context, bytes int64) (done func(), err error) {
	w := &b.light
	if bytes >= heavyFrom {
		w = &b.heavy
	}
	bytes = min(bytes, w.all)
	if err := w.room.Acquire(ctx, bytes); err != nil {
		return nil, err
	}
	return func() {
		w.room.Release(bytes)
		b.tidier.Leave(bytes)
	}, nil
}

// Count makes the share of r's client grow as r's body is read: by times the bytes read, to cover
// what is made of them. The reader gets a refusal as its error. The function returned releases the
// share.
func (b *Budget) Count(w http.ResponseWriter, r *http.Request, times int64) (release func()) {
	if r.Body == nil || r.Body == http.NoBody {
		return func() {}
	}
	s := b.Share(Network(Client(r)))
	r.Body = &countedBody{ReadCloser: r.Body, ctx: r.Context(), share: s, times: times}
	s.Reading(w)
	return s.Release
}

// A countedBody takes its share for what it has read before it passes it on.
type countedBody struct {
	io.ReadCloser
	ctx   context.Context
	share *Share
	times int64
	read  int64
}

// Read is part of io.Reader.
func (c *countedBody) Read(p []byte) (int, error) {
	n, err := c.share.Read(c.ReadCloser, p)
	c.read += int64(n)
	if full := c.share.Grow(c.ctx, c.read*c.times); full != nil {
		return 0, full
	}
	return n, err
}
