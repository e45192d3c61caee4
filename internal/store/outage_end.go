package store

import (
	"context"
	"log/slog"
	"time"
)

// settled is how long nobody was refused before an outage is over: who began to
// wait while it lasted is told within that time. One outage is one, though some
// are answered in the midst of it.
const settled = patience

// checkTime is how long finding out may take: as long as /readyz may.
const checkTime = 2 * time.Second

// checkKey marks the context of a check whether the database is there.
type checkKey struct{}

// attend has a server's log told of outages from now on, and of their end, which
// check finds out.
func (o *outage) attend(log *slog.Logger, check func(ctx context.Context) error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.ctx, o.stop = context.WithCancel(context.Background())
	o.log, o.check, o.began, o.answers = log, check, time.Time{}, 0
}

// close has nobody wait for the end of an outage any more.
func (o *outage) close() {
	o.mu.Lock() // nobody begins to wait from here on
	if o.stop != nil {
		o.stop()
	}
	o.mu.Unlock()
	o.waits.Wait()
}

// await asks once a second whether the outage is over, until it is.
func (o *outage) await() {
	tick := time.NewTicker(askAgain)
	defer tick.Stop()
	for back := (time.Time{}); ; {
		select {
		case <-o.ctx.Done():
			return
		case <-tick.C:
		}
		ctx, cancel := context.WithTimeout(o.ctx, checkTime)
		err := o.check(ctx)
		cancel()
		if back = o.backSince(back, err == nil); !back.IsZero() && o.over(back) {
			return
		}
	}
}

// backSince returns since when the database is there, as far as is known.
func (o *outage) backSince(since time.Time, there bool) time.Time {
	o.mu.Lock()
	defer o.mu.Unlock()
	switch {
	case !there:
		return time.Time{}
	case since.IsZero(), since.Before(o.last):
		return time.Now()
	}
	return since
}

// over reports whether the outage is over, and tells the log if it is.
func (o *outage) over(back time.Time) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	if time.Since(o.last) < settled {
		return false
	}
	o.log.Info("the database is back", "away", back.Sub(o.began).Round(time.Millisecond), "answers", o.answers)
	o.began, o.answers, o.untold = time.Time{}, 0, 0
	return true
}
