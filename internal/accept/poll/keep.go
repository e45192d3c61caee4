package poll

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"time"

	"gangway/internal/gangway"
	"gangway/internal/store"
)

// keptBytes is how long a document is at most that is kept as it came.
const keptBytes = 32 << 20

// sameFor is for how long a document that stays the same is kept only once.
const sameFor = 24 * time.Hour

// keep stores the documents as they came, for whoever looks into a run later.
func (r *feedRun) keep(ctx context.Context, run *gangway.FeedRun) error {
	if r.lease.Given != nil {
		return nil // it is stored since it was given
	}
	sum, err := r.sum()
	if err != nil || sum == "" {
		return err
	}
	same, err := r.in.SameFeedDocuments(ctx, r.feed.Name, sum, r.began.Add(-sameFor))
	if err != nil {
		return err
	}
	run.Sum, run.DocumentsOf = sum, same
	for place, d := range r.documents {
		if d.spooled == nil || d.size > keptBytes {
			continue
		}
		if same != 0 {
			run.Documents++
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

// sum identifies the documents that are kept: their names, types and contents. Empty: there are none.
func (r *feedRun) sum() (string, error) {
	all, any := sha256.New(), false
	for place, d := range r.documents {
		if d.spooled == nil || d.size > keptBytes {
			continue
		}
		any = true
		fmt.Fprintf(all, "%d %q %q %d\n", place, d.name, d.contentType, d.size)
		if _, err := io.Copy(all, d.reader()); err != nil {
			return "", err
		}
	}
	if !any {
		return "", nil
	}
	return hex.EncodeToString(all.Sum(nil)), nil
}
