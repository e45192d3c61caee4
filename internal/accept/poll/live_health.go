package poll

import (
	"context"
	"errors"
	"slices"
	"time"

	"gangway/internal/gangway"
	"gangway/internal/store"
)

// notedEvery is how often it is written down at most that a feed has answered, and that
// it has not.
const notedEvery = time.Minute

// noteGood notes that a feed has answered: at once where it is said to be failing. Where that
// cannot be written down, another process does not know it, which is no reason to give the
// answer up.
func (p *Poller) noteGood(ctx context.Context, in store.Scoped, f store.StoredFeed) {
	now := p.now()
	if due := p.live.noteDue(p.live.good, in, f.Name, now); !due && f.Failing.IsZero() {
		return
	}
	switch failing, err := in.NoteFeedAnswer(ctx, f.Name, now); {
	case err == nil:
		p.sayWorks(ctx, in, f.Name, failing)
	case !errors.Is(err, store.ErrAway):
		p.log.Warn("when a feed answered could not be noted", p.db.Whose(ctx, in.Scope()), "feed", f.Name, "error", err)
	}
}

// noteSilence notes that a feed has failed while somebody waited, or what there is to say of its answer, as a run
// of its history: its admins see since when, and why. The question is not kept, for it may name a person.
func (p *Poller) noteSilence(ctx context.Context, in store.Scoped, f store.StoredFeed, run gangway.FeedRun) {
	now := p.now()
	if !p.live.noteDue(p.live.silent, in, f.Name, now) {
		return
	}
	p.live.told(in, run, true)
	switch before, err := in.NoteFeedSilence(ctx, run, now); {
	case err == nil && run.Failed():
		p.sayFails(ctx, in, "a feed has not answered", run, before, now)
	case err != nil && !errors.Is(err, store.ErrAway) && !isOver(err):
		p.log.Warn("that a feed does not answer could not be noted", p.db.Whose(ctx, in.Scope()), "feed", f.Name,
			"because", run.Error, "error", err)
	}
}

// told reports whether a remark of each kind that a run has was noted of its feed before; now: it is noted.
func (l *live) told(in store.Scoped, run gangway.FeedRun, now bool) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	all := true
	for _, remark := range slices.Concat(run.Warnings, run.Refusals) {
		kind := noted(in, run.Feed) + "\x00" + remark.Kind()
		if all = all && l.kinds[kind]; now {
			note(l.kinds, kind, true)
		}
	}
	return all
}

// noteDue reports whether something is to be noted of a feed that was not lately, and
// counts it as noted. list has when it was, by feed.
func (l *live) noteDue(list map[string]time.Time, in store.Scoped, name string, now time.Time) bool {
	feed := noted(in, name)
	l.mu.Lock()
	defer l.mu.Unlock()
	if now.Sub(list[feed]) < notedEvery {
		return false
	}
	note(list, feed, now)
	return true
}

// noted is by what a feed is found among those of which something was noted.
func noted(in store.Scoped, name string) string { return in.Scope().Account + "\x00" + name }
