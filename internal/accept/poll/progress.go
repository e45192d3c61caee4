package poll

import (
	"context"
	"io"
	"sync/atomic"
	"time"

	"gangway/internal/accept"
	"gangway/internal/store"
)

// A progress is how far a run has come. It is stored from time to time, so that every replica can
// tell whoever waits for it or looks after it.
type progress struct {
	read    atomic.Int64 // bytes of the document
	size    atomic.Int64
	storing atomic.Bool
	counts  atomic.Pointer[accept.Progress]

	stop func()
}

// progressNoted is how often progress is stored.
const progressNoted = time.Second

// newProgress stores the progress of a run until it is stopped.
func (p *Poller) newProgress(ctx context.Context, in store.Scoped, l store.FeedLease) *progress {
	r, noted := &progress{}, store.FeedProgress{}
	r.stop = every(ctx, progressNoted, nil, func() bool {
		if now := r.now(); now != noted && in.NoteFeedProgress(ctx, l, now) == nil { // else the next one does
			noted = now
		}
		return true
	})
	return r
}

func (r *progress) now() store.FeedProgress {
	now := store.FeedProgress{Size: r.size.Load(), Storing: r.storing.Load()}
	// Parts of a document may be read more than once, as the beginning is to recognise the format.
	now.Read = min(r.read.Load(), now.Size)
	if c := r.counts.Load(); c != nil {
		now.Records, now.Stored = int(c.Taken.Load()), int(c.Stored.Load())
	}
	return now
}

// reads has the progress count what is read of a document.
func (r *progress) reads(s *spooled) {
	r.size.Add(s.size)
	s.file = &countedFile{s.file, &r.read}
}

// begins has the progress count what a run takes in, from the beginning of its documents.
func (r *progress) begins(taken accept.Run) {
	c := &accept.Progress{}
	taken.Count(c)
	r.counts.Store(c)
	r.read.Store(0)
}

// stores says that all of the document was read.
func (r *progress) stores() { r.storing.Store(true) }

// A countedFile counts the bytes that are read of it.
type countedFile struct {
	io.ReaderAt
	read *atomic.Int64
}

// ReadAt is part of io.ReaderAt.
func (c *countedFile) ReadAt(p []byte, at int64) (int, error) {
	n, err := c.ReaderAt.ReadAt(p, at)
	c.read.Add(int64(n))
	return n, err
}
