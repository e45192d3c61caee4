package gate

import (
	"context"
	"log/slog"
	"time"
)

// settled is for how long nobody may have been refused before an outage is over.
// Whoever began to wait during the outage has an answer within that time. An
// outage in which some requests succeed stays one outage.
const settled = Patience

// checkTime is how long a check may take: as long as /readyz may.
const checkTime = 2 * time.Second

// checkKey marks the context of a check whether the database is available.
type checkKey struct{}

// Checking returns the context of such a check, which refuses nobody.
func Checking(ctx context.Context) context.Context { return context.WithValue(ctx, checkKey{}, true) }

// Attend makes a server log outages from now on, and their end, which check
// detects.
func (o *Outage) Attend(log *slog.Logger, check func(ctx context.Context) error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.ctx, o.stop = context.WithCancel(context.Background())
	o.log, o.check, o.began, o.answers = log, check, time.Time{}, 0
}

// Close stops waiting for the end of an outage.
func (o *Outage) Close() {
	o.mu.Lock() // from here on nobody starts to wait
	if o.stop != nil {
		o.stop()
	}
	o.mu.Unlock()
	o.waits.Wait()
}

// await checks once a second whether the outage is over, until it is.
func (o *Outage) await() {
	tick := time.NewTicker(AskAgain)
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

// backSince returns since when the database has been available, as far as is known.
func (o *Outage) backSince(since time.Time, there bool) time.Time {
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

// over reports whether the outage is over, and logs it if it is.
func (o *Outage) over(back time.Time) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	if time.Since(o.last) < settled {
		return false
	}
	o.log.Info("the database is back", "away", back.Sub(o.began).Round(time.Millisecond), "answers", o.answers)
	o.began, o.answers, o.unlogged = time.Time{}, 0, 0
	return true
}
