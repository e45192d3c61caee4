package web

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"gangway/internal/background"
	"gangway/internal/gangway"
	"gangway/internal/store"

	"golang.org/x/sync/semaphore"
)

// A RequestLog writes down what customers' programs asked and how it was answered, beside answering: a request never
// waits for it. Requests wait in memory for a moment, until they are written together. If they come faster than they
// are written, or the database is away, those for which there is no room are counted instead, and the account's log
// says how many they were.
//
// Decided: docs/choices.md, "The request log".
type RequestLog struct {
	db      *store.DB
	log     *slog.Logger
	now     func() time.Time
	writing *semaphore.Weighted // who takes what waits, writes it before anybody takes more
	some    chan struct{}       // something waits

	mu      sync.Mutex
	waiting map[string]*store.RequestBatch // by account
	bytes   int                            // about as many are taken by what waits
}

const (
	// requestPause is how long requests are collected before they are written: the pages of this replica wait for
	// less, see Settle.
	requestPause = 250 * time.Millisecond

	// requestBytes is how much memory requests may take until they are written.
	requestBytes = 8 << 20

	// requestRest is how long a database is left alone that did not take them.
	requestRest = time.Second

	// requestTidy is how often what was kept for long enough is deleted.
	requestTidy = 10 * time.Minute

	// requestFarewell is how long a server that stops waits for the last of them to be written.
	requestFarewell = 5 * time.Second
)

// NewRequestLog returns a log. Until Run runs, only Settle writes it.
func NewRequestLog(db *store.DB, log *slog.Logger, now func() time.Time) *RequestLog {
	return &RequestLog{db: db, log: log, now: now, writing: semaphore.NewWeighted(1), some: make(chan struct{}, 1),
		waiting: map[string]*store.RequestBatch{}}
}

// Note has a request of an account written down soon. It waits for nothing.
func (l *RequestLog) Note(account string, r gangway.LoggedRequest) {
	r.Details = r.Details.Bounded()
	l.mu.Lock()
	defer l.mu.Unlock()
	b := l.batch(account)
	if size := loggedSize(r); l.bytes+size > requestBytes {
		b.Missing++
	} else {
		b.Requests = append(b.Requests, r)
		l.bytes += size
	}
	select {
	case l.some <- struct{}{}:
	default:
	}
}

func (l *RequestLog) batch(account string) *store.RequestBatch {
	b := l.waiting[account]
	if b == nil {
		b = &store.RequestBatch{Account: account}
		l.waiting[account] = b
	}
	return b
}

// loggedSize is about how many bytes a request takes.
func loggedSize(r gangway.LoggedRequest) int {
	size := 400 + len(r.Details.Address) + len(r.Details.Detail) + len(r.Body) + len(r.Answer)
	for _, of := range []map[string][]string{r.Details.Errors, r.Details.Warnings} {
		for path, said := range of {
			size += 100 + len(path)
			for _, sentence := range said {
				size += 50 + len(sentence)
			}
		}
	}
	return size
}

// Settle writes what waits in this replica, so that whoever reads a log finds what was answered until now.
func (l *RequestLog) Settle(ctx context.Context) error {
	if err := l.writing.Acquire(ctx, 1); err != nil {
		return err
	}
	defer l.writing.Release(1)
	batches, bytes := l.take()
	if len(batches) == 0 {
		return nil
	}
	err := l.db.LogRequests(ctx, batches)
	if err != nil && (errors.Is(err, store.ErrAway) || ctx.Err() != nil) {
		l.giveBack(batches, bytes)
	}
	return err
}

// take returns what waits, and about how many bytes it takes.
func (l *RequestLog) take() (batches []store.RequestBatch, bytes int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	now := l.now()
	for _, b := range l.waiting {
		b.At = now
		batches = append(batches, *b)
	}
	bytes = l.bytes
	clear(l.waiting)
	l.bytes = 0
	return batches, bytes
}

// giveBack has what could not be written wait again; what there is no room for any more is counted.
func (l *RequestLog) giveBack(batches []store.RequestBatch, bytes int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	room := l.bytes+bytes <= requestBytes
	for _, earlier := range batches {
		b := l.batch(earlier.Account)
		b.Missing += earlier.Missing
		if room {
			b.Requests = append(earlier.Requests, b.Requests...)
		} else {
			b.Missing += len(earlier.Requests)
		}
	}
	if room {
		l.bytes += bytes
	}
}

// Run writes requests as they come, and deletes what was kept for long enough, until ctx ends. Then it writes the
// last of them.
func (l *RequestLog) Run(ctx context.Context) {
	tidy := time.NewTicker(requestTidy)
	defer tidy.Stop()
	for {
		select {
		case <-ctx.Done():
			parting, cancel := context.WithTimeout(context.WithoutCancel(ctx), requestFarewell)
			defer cancel()
			l.guard(parting, "write the request log", l.Settle)
			return
		case <-tidy.C:
			l.guard(ctx, "delete old requests", func(ctx context.Context) error {
				return l.db.ExpireRequests(ctx, l.now())
			})
			continue
		case <-l.some:
		}
		select {
		case <-ctx.Done():
			continue
		case <-time.After(requestPause):
		}
		if err := l.guard(ctx, "write the request log", l.Settle); err != nil {
			l.again(ctx)
		}
	}
}

// again has what could not be written tried again in a while.
func (l *RequestLog) again(ctx context.Context) {
	select {
	case <-ctx.Done():
	case <-time.After(requestRest):
	}
	select {
	case l.some <- struct{}{}:
	default:
	}
}

// guard does what a server has nobody to tell of but its log. That the database is away, the store logs.
func (l *RequestLog) guard(ctx context.Context, what string, do func(context.Context) error) error {
	err := background.Guard(l.log, what, func() error { return do(ctx) })
	if err != nil && !errors.Is(err, store.ErrAway) && ctx.Err() == nil {
		l.log.ErrorContext(ctx, "could not "+what, "error", err)
	}
	return err
}
