package poll

import (
	"context"

	"gangway"
	"gangway/internal/background"
	"gangway/internal/store"
)

// keptBytes is how long a document is at most that is kept as it came.
const keptBytes = 32 << 20

// keepMeanwhile keeps the documents while the caller does something else, and returns what waits for
// that: to compress them takes up to a tenth of the time of a long feed.
func (r *feedRun) keepMeanwhile(ctx context.Context, run *gangway.FeedRun) (wait func() error) {
	done := make(chan error, 1)
	go func() {
		done <- background.Guard(r.p.log, "store the documents of a feed", func() error { return r.keep(ctx, run) })
	}()
	return func() error { return <-done }
}

// keep stores the documents as they came, for whoever looks into a run later.
func (r *feedRun) keep(ctx context.Context, run *gangway.FeedRun) error {
	if r.lease.Given != nil {
		return nil // it is stored since it was given
	}
	for place, d := range r.documents {
		if d.spooled == nil || d.size > keptBytes {
			continue
		}
		about := store.FeedDocument{Place: place, Name: d.name, ContentType: d.contentType}
		if err := r.in.KeepFeedDocument(ctx, r.lease, about, d.reader()); err != nil {
			return err
		}
		run.Documents++
	}
	return nil
}
