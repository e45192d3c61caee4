package poll

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/transport"
)

// A Document is one that somebody gives to a feed by hand.
type Document struct {
	Name        string // of the file; it only helps to recognise the format
	ContentType string
	Body        io.Reader
	Size        int64 // of Body where it is known before it is read; else 0
	By          gangway.Actor
	Shrunk      bool // a list that is much shorter than the last one is believed
}

// MostGiven is how long a document may be that is given by hand: as long as one that is fetched.
func (p *Poller) MostGiven() int64 { return p.most }

// MayGive returns Invalid for a feed that takes no documents by hand, and Conflict for one that is
// switched off.
func (p *Poller) MayGive(f gangway.Feed) error {
	kind, err := p.Kind(f.Transport.Kind)
	switch {
	case err != nil:
		return err
	case f.Asked(kind.Live):
		return gangway.Errorf(gangway.Invalid, "feed %s is asked when somebody needs it and takes no documents: use "+
			"a feed of kind %s", f.Name, gangway.UploadTransport)
	case f.ByHand() && f.Off:
		return gangway.Errorf(gangway.Conflict, "feed %s is switched off", f.Name)
	}
	return nil
}

// Give stores a document for a feed and has the feed run with it, as with one that was fetched:
// at once, or after what it is doing now. The run is the identifier in the feed's history. Once
// Give returns, neither a crash nor a restart loses the document. Conflict: the feed still has
// another one to read, or is switched off. Invalid: it takes none, or this one is too long.
func (p *Poller) Give(ctx context.Context, in store.Scoped, name string, d Document) (run int64, err error) {
	f, err := in.Feed(ctx, name)
	if err == nil {
		err = p.MayGive(f.Feed)
	}
	if err == nil && d.Size > p.most { // which would be found out only once so much of it was stored
		err = transport.TooLong(p.most)
	}
	if err != nil {
		return 0, err
	}
	given := store.GivenDocument{By: d.By, Name: d.Name, ContentType: d.ContentType, Shrunk: d.Shrunk}
	return in.GiveFeedDocument(ctx, name, given, transport.AtMost(d.Body, p.most), p.now)
}

// GiveAgain gives a feed once more the document of a run that somebody gave, and believes the list in it though it is
// much shorter than the last one. NotFound: the document is no longer stored. Otherwise it is as Give.
func (p *Poller) GiveAgain(ctx context.Context, in store.Scoped, by gangway.Actor, name string,
	run int64) (again int64, err error) {
	about, err := in.FeedDocument(ctx, name, run, 0)
	if err != nil {
		return 0, err
	}
	from, to := io.Pipe()
	defer from.Close()
	go func() { to.CloseWithError(in.WriteFeedDocument(ctx, name, about, to)) }()
	return p.Give(ctx, in, name, Document{Name: about.Name, ContentType: about.ContentType, Body: from, By: by,
		Shrunk: true})
}

// givenLook is how often somebody who waits for a run looks again, beyond being woken.
const givenLook = 200 * time.Millisecond

// Finish returns the run of a document that was given once it has ended. It makes the run itself
// unless another process does.
func (p *Poller) Finish(ctx context.Context, in store.Scoped, name string, id int64) (gangway.FeedRun, error) {
	wake, stop := p.db.Await(store.FeedTopic(name))
	defer stop()
	for {
		run, err := in.FeedRun(ctx, name, id)
		if gangway.KindOf(err) != gangway.NotFound {
			return run, err
		}
		now := p.now()
		switch l, err := in.TakeFeed(ctx, name, now, now.Add(lease)); {
		case err == nil:
			if _, err := p.work(ctx, l, Ask{}); err != nil && !errors.Is(err, store.ErrFeedLost) {
				return gangway.FeedRun{}, err
			}
			continue
		case gangway.KindOf(err) != gangway.Conflict:
			return gangway.FeedRun{}, err
		}
		select {
		case <-ctx.Done():
			return gangway.FeedRun{}, ctx.Err()
		case <-wake:
		case <-time.After(givenLook):
		}
	}
}

// givenTries is how often a run of a document that was given is begun: one that ends the program
// each time must not do so for ever.
const givenTries = 5

// workGiven makes the run of a document that somebody gave.
func (p *Poller) workGiven(ctx context.Context, in store.Scoped, l store.FeedLease, f store.StoredFeed,
	kind transport.Kind, began time.Time) (gangway.FeedRun, error) {
	next, err := p.nextAfterGiven(ctx, in, f, kind, began)
	if err != nil {
		return gangway.FeedRun{}, err
	}
	if l.Given.Tries >= givenTries {
		return p.end(ctx, in, l, f, gangway.FeedRun{Error: fmt.Sprintf("it was begun %d times and interrupted each "+
			"time, so it is not tried again", givenTries)}, store.FeedRunEnd{Next: next}, began)
	}
	l.Given.Tries++
	r := &feedRun{p: p, in: in, lease: l, feed: f, kind: kind, ask: Ask{Shrunk: l.Given.Shrunk}, began: began}
	defer r.close()
	if err := in.NoteFeedProgress(ctx, l, store.FeedProgress{}); err != nil { // so that the tries are counted
		return gangway.FeedRun{}, err
	}
	run, end, err := r.runOrFail(ctx)
	if err != nil {
		return run, err
	}
	run.Documents = r.documentsKept()
	end.Next, end.DropDocuments = next, run.Documents == 0
	return p.end(ctx, in, l, f, run, end, began)
}

// nextAfterGiven returns when a feed is fetched after a document that was given: when it would
// have been without.
func (p *Poller) nextAfterGiven(ctx context.Context, in store.Scoped, f store.StoredFeed, kind transport.Kind,
	now time.Time) (time.Time, error) {
	if f.Off || !f.Scheduled(kind.Live) {
		return time.Time{}, nil
	}
	const among = 20 // of them surely one was fetched, or it is due
	runs, err := in.FeedRuns(ctx, f.Name, 0, among)
	if err != nil {
		return time.Time{}, err
	}
	for _, run := range runs {
		wait := f.Interval(kind.Live)
		if run.Failed() {
			wait = min(wait, again)
		}
		if next := run.At.Add(wait); !run.ByHand() && next.After(now) {
			return next, nil
		}
	}
	return now, nil
}

// fetchGiven puts aside the document that was given.
func (r *feedRun) fetchGiven(ctx context.Context) error {
	list, err := r.in.FeedDocuments(ctx, r.lease.Feed, r.lease.Run)
	if err != nil {
		return err
	}
	if len(list) == 0 { // as all documents are when somebody is erased
		return gangway.Errorf(gangway.Invalid, "the document was deleted before it was read: give it again")
	}
	about := list[0]
	from, to := io.Pipe()
	defer from.Close()
	go func() { to.CloseWithError(r.in.WriteFeedDocument(ctx, r.lease.Feed, about, to)) }()
	s, err := spool(from)
	if gangway.KindOf(err) == gangway.NotFound {
		return gangway.Errorf(gangway.Invalid, "the document was deleted before it was read: give it again")
	}
	if err != nil {
		return err
	}
	r.progress.reads(s)
	r.documents = []*document{{runner: r.p.workers.Patient(r.in.Scope().Account), name: about.Name,
		contentType: about.ContentType, spooled: s}}
	return nil
}

// documentsKept is how many of the run's documents stay for those who look into it later.
func (r *feedRun) documentsKept() (n int) {
	for _, d := range r.documents {
		if d.spooled != nil && d.size <= keptBytes {
			n++
		}
	}
	return n
}
