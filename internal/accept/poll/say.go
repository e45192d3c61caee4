package poll

import (
	"context"
	"time"

	"gangway/internal/gangway"
	"gangway/internal/store"
)

// sayFails says in the log that a feed fails: once when that begins, once when this process first meets it (another
// one may have been a command, or has a log of its own), and then every hour, not with each run.
func (p *Poller) sayFails(ctx context.Context, in store.Scoped, what string, run gangway.FeedRun,
	before store.FeedTrouble, now time.Time) {
	since := before.Since
	if since.IsZero() {
		since = now
	}
	if known := p.live.noteFailing(in, run.Feed, since); known && !before.ToSay(now) {
		return
	}
	p.log.Warn(what, p.db.Whose(ctx, in.Scope()), "feed", run.Feed, "because", run.Error, "failing_since",
		since.UTC().Format(time.RFC3339))
}

// sayWorks says in the log that a feed works which was failing since then; zero: it was not.
func (p *Poller) sayWorks(ctx context.Context, in store.Scoped, feed string, failing time.Time) {
	if !failing.IsZero() {
		p.log.Info("a feed works again", p.db.Whose(ctx, in.Scope()), "feed", feed, "failed_since",
			failing.UTC().Format(time.RFC3339))
	}
}

// noteFailing notes that a feed has been failing since then, and reports whether that was known.
func (l *live) noteFailing(in store.Scoped, name string, since time.Time) (known bool) {
	feed := noted(in, name)
	l.mu.Lock()
	defer l.mu.Unlock()
	known = l.failing[feed] == since.UnixMilli()
	note(l.failing, feed, since.UnixMilli())
	return known
}
