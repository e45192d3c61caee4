// Package poll keeps customers' feeds: it fetches those that are due, asks those
// that can be asked while somebody waits, and tries out those that are being set up.
//
// A feed is a transport, a format, a mapping and a flow. What a transport brings
// is put aside (spool), decoded, mapped and taken in; then it is stored, and only
// then is a file or a mail put away. This package knows the order of these steps
// and what becomes of a run that is interrupted; each step is another package's.
package poll

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"gangway/internal/accept"
	"gangway/internal/accept/mapping"
	"gangway/internal/background"
	"gangway/internal/gangway"
	"gangway/internal/scratch"
	"gangway/internal/store"
	"gangway/internal/transport"
)

// Config is what a Poller needs.
type Config struct {
	DB      *store.DB
	Kinds   []transport.Kind
	Options transport.Options
	Now     func() time.Time
	Log     *slog.Logger

	Workers *mapping.Workers // run what maps documents; nil: workers of the poller's own

	LivePatience func() time.Duration // how long anybody waits for a customer's system; nil: LivePatience
	MostBytes    int64                // how long one document that is fetched may be; 0: 1 GiB

	MostDocuments int // how many one run takes; 0: 1,000
}

// A Poller fetches and asks the feeds of all accounts.
type Poller struct {
	db       *store.DB
	kinds    []transport.Kind
	options  transport.Options
	now      func() time.Time
	log      *slog.Logger
	patience func() time.Duration // of whoever waits
	most     int64                // bytes of a document that is fetched

	mostDocuments int // of one run

	working atomic.Int32 // how many feeds it fetches
	done    sync.WaitGroup
	live    live
	workers *mapping.Workers
	places  *background.Slots
	tidier  background.Tidier // of what documents leave behind
}

// New returns a poller. Run fetches what is due.
func New(c Config) *Poller {
	if c.LivePatience == nil {
		c.LivePatience = func() time.Duration { return LivePatience }
	}
	if c.Workers == nil {
		c.Workers = mapping.NewWorkers()
	}
	return &Poller{db: c.DB, workers: c.Workers, kinds: c.Kinds, options: c.Options, now: c.Now, log: c.Log,
		patience: c.LivePatience, most: cmp.Or(c.MostBytes, mostBytes),
		mostDocuments: cmp.Or(c.MostDocuments, mostDocuments),
		live:          newLive(), places: background.NewSlots(wholeAtOnce, 1)}
}

// Workers returns what runs the mappings of the poller, for others of the same process.
func (p *Poller) Workers() *mapping.Workers { return p.workers }

// Options are the operator's settings for all that is fetched.
func (p *Poller) Options() transport.Options { return p.options }

const (
	// lookInterval is how often a process looks for feeds that are due. A feed that was just set is
	// noticed at once.
	lookInterval = 5 * time.Second

	// lease is for how long a feed is taken; whoever works on it longer holds it again and again.
	// It is as short as that of other work: a feed whose process was killed goes on with another soon, and
	// one that was only paused finds out before it writes (During).
	lease = 15 * time.Second

	// atOnce is how many feeds one process fetches side by side: a system that hangs holds one of these
	// places until its deadline, and no customer has more than perAccount of them.
	atOnce     = 8
	perAccount = 2

	// patience is how long one run may take in all, and fetchPatience one that somebody waits for.
	patience      = time.Hour
	fetchPatience = 5 * time.Minute

	// again is how soon a feed is fetched again whose run has failed, unless it is due sooner.
	again = 5 * time.Minute
)

// limits bound one document.
//
// Decided: docs/choices.md, "Feeds".
var limits = accept.Limits{Records: 2_000_000, Depth: 64}

// mostBytes is how long one document that is fetched may be; mostDocuments is how many one run takes, and
// runDocuments for how many of the longest there is room.
const (
	mostBytes     = 1 << 30
	mostDocuments = 1000
	runDocuments  = 2
)

// Run fetches feeds as they fall due, until ctx ends. A run in progress is then
// interrupted: whoever takes the feed next goes on with it.
//
// Spec: B2 Traveller cache feed.
func (p *Poller) Run(ctx context.Context) {
	if err := p.sayLacks(ctx); err != nil && !errors.Is(err, store.ErrAway) {
		p.log.Error("feeds could not be listed", "error", err)
	}
	wake, stop := p.db.Await(store.Feeds)
	defer stop()
	tick := time.NewTicker(lookInterval)
	defer tick.Stop()
	for {
		err := background.Guard(p.log, "look for feeds", func() error { return p.takeDue(ctx) })
		if err != nil && ctx.Err() == nil && !errors.Is(err, store.ErrAway) { // which the store logs itself
			p.log.Error("due feeds could not be taken", "error", err)
		}
		select {
		case <-ctx.Done():
			p.done.Wait()
			return
		case <-wake:
		case <-tick.C:
		}
	}
}

// takeDue begins to fetch what is due, as far as there is room.
func (p *Poller) takeDue(ctx context.Context) error {
	room := atOnce - int(p.working.Load())
	if room <= 0 {
		return nil
	}
	now := p.now()
	leases, err := p.db.TakeFeeds(ctx, now, now.Add(lease), room, perAccount)
	for _, l := range leases {
		p.working.Add(1)
		p.done.Go(func() {
			defer p.working.Add(-1)
			err := background.Guard(p.log, "fetch a feed", func() error {
				_, err := p.work(ctx, l, Ask{due: true})
				return err
			})
			if err != nil && ctx.Err() == nil && !errors.Is(err, store.ErrAway) && !isOver(err) {
				p.log.Error("a feed's run was interrupted; it goes on later", p.db.Whose(ctx, l.Scope), "feed", l.Feed,
					"error", err)
			}
		})
	}
	return err
}

// isOver reports whether a feed no longer belongs to this process: another has
// taken it, or it was deleted, or its customer was.
func isOver(err error) bool {
	return errors.Is(err, store.ErrFeedLost) || errors.Is(err, store.ErrNoAccount) ||
		gangway.KindOf(err) == gangway.NotFound
}

// An Ask says what a feed is asked for by hand.
type Ask struct {
	gangway.Ask
	Shrunk bool // a list that is much shorter than the last one is believed
	due    bool // nobody asked: the feed was due
}

// Fetch runs a feed now and returns how that went. A run that failed is no
// error: it says why in Error. A feed that is asked while somebody waits stores
// nothing. Conflict: the feed is being fetched. NotFound: there is none.
func (p *Poller) Fetch(ctx context.Context, in store.Scoped, name string, ask Ask) (gangway.FeedRun, error) {
	f, kind, err := p.feed(ctx, in, name)
	if err != nil {
		return gangway.FeedRun{}, err
	}
	if f.Asked(kind.Live) {
		return p.askOnly(ctx, in, f.Feed, kind, ask.Ask)
	}
	if f.ByHand() {
		return gangway.FeedRun{}, gangway.Errorf(gangway.Invalid,
			"nothing is fetched for feed %s: give it a document (--document)", name)
	}
	for {
		now := p.now()
		l, err := in.TakeFeed(ctx, name, now, now.Add(lease))
		if err != nil {
			return gangway.FeedRun{}, err
		}
		run, err := p.work(ctx, l, ask)
		if err != nil || l.Given == nil { // what somebody gave it comes first
			return run, err
		}
	}
}

// feed returns a feed with its secrets, and its kind of transport.
func (p *Poller) feed(ctx context.Context, in store.Scoped, name string) (store.StoredFeed, transport.Kind, error) {
	f, err := in.Feed(ctx, name)
	if err != nil {
		return f, transport.Kind{}, err
	}
	kind, err := p.Kind(f.Transport.Kind)
	return f, kind, err
}

// Kinds are the kinds of transport that feeds may use.
func (p *Poller) Kinds() []transport.Kind { return p.kinds }

// Kind returns a kind of transport. Invalid: the program has none of this name.
func (p *Poller) Kind(name string) (transport.Kind, error) {
	i := slices.IndexFunc(p.kinds, func(k transport.Kind) bool { return k.Name == name })
	if i < 0 {
		names := gangway.Each(p.kinds, func(k transport.Kind) string { return k.Name })
		return transport.Kind{}, gangway.Errorf(gangway.Invalid, "transport.kind: there is no %.40q: there are %s",
			name, strings.Join(names, ", "))
	}
	return p.kinds[i], nil
}

// open returns a puller for a feed.
func (p *Poller) open(f gangway.Feed, kind transport.Kind) (transport.Puller, error) {
	settings, err := transport.Merge(f.Transport.Settings, json.RawMessage(f.Transport.Secrets))
	if err != nil {
		return nil, err
	}
	return kind.Open(settings, p.options)
}

// work runs a feed that was taken, and lets go of it.
func (p *Poller) work(ctx context.Context, l store.FeedLease, ask Ask) (gangway.FeedRun, error) {
	in := p.db.In(l.Scope)
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	ctx, lose := context.WithCancelCause(ctx)
	defer lose(nil)
	stop := p.hold(ctx, in, l, lose)
	defer stop()

	began := p.now()
	f, kind, err := p.feed(ctx, in, l.Feed)
	if err != nil {
		return gangway.FeedRun{}, err
	}
	if l.Given != nil {
		return p.workGiven(ctx, in, l, f, kind, began)
	}
	next := time.Time{}
	if !f.Off && f.Scheduled(kind.Live) {
		next = began.Add(f.Interval(kind.Live))
	}
	if ask.due && f.Off && l.Interrupted {
		return p.end(ctx, in, l, f, gangway.FeedRun{Error: store.ErrFeedOff.Error()}, store.FeedRunEnd{}, began)
	}
	if ask.due && next.IsZero() {
		return gangway.FeedRun{}, in.RestFeed(ctx, l, p.now())
	}
	ask.Shrunk = ask.Shrunk || l.Shrunk
	puller, err := p.open(f.Feed, kind)
	if err != nil {
		return p.end(ctx, in, l, f, gangway.FeedRun{Error: sentence(err)}, store.FeedRunEnd{Next: next}, began)
	}
	r := &feedRun{p: p, in: in, lease: l, feed: f, kind: kind, puller: puller, ask: ask, began: began}
	defer r.close()
	if err := r.putAway(ctx); err != nil { // what the last run has read
		return gangway.FeedRun{}, err
	}
	run, end, err := r.runOrFail(ctx)
	if err != nil {
		return run, err
	}
	end.Next = next
	if run.Failed() && !next.IsZero() {
		end.Next = began.Add(max(r.later, min(f.Interval(kind.Live), again)))
	}
	if r.foundNothing() && !run.Failed() && !run.NotModified {
		err := in.DropFeedRun(ctx, l, end.Next, p.now())
		if err == nil {
			p.sayWorks(ctx, in, f.Name, f.Failing)
		}
		return run, err
	}
	run, err = p.end(ctx, in, l, f, run, end, began)
	if err != nil {
		return run, err
	}
	return run, r.putAway(ctx)
}

// runOrFail makes the run. Its error says that the run was interrupted: it goes on later.
func (r *feedRun) runOrFail(ctx context.Context) (gangway.FeedRun, store.FeedRunEnd, error) {
	r.progress = r.p.newProgress(ctx, r.in, r.lease)
	defer r.progress.stop()
	run, end, err := r.run(ctx)
	switch {
	case errors.Is(context.Cause(ctx), store.ErrFeedOff):
		run = gangway.FeedRun{Error: store.ErrFeedOff.Error()}
	case err != nil && ctx.Err() != nil, errors.Is(err, store.ErrAway), errors.Is(err, store.ErrFeedLost):
		return gangway.FeedRun{}, end, fmt.Errorf("run feed %s: %w", r.lease.Feed, err)
	case err != nil:
		r.p.log.Error("a feed's run failed", r.p.db.Whose(ctx, r.lease.Scope), "feed", r.lease.Feed, "error", err)
		run = gangway.FeedRun{Error: wentWrong}
	}
	return run, end, nil
}

// end ends the run of a lease of a feed.
func (p *Poller) end(ctx context.Context, in store.Scoped, l store.FeedLease, f store.StoredFeed, run gangway.FeedRun,
	end store.FeedRunEnd, began time.Time) (gangway.FeedRun, error) {
	ctx, now := context.WithoutCancel(ctx), p.now() // also of a run that was stopped
	run.Took, run.Error = now.Sub(began), storable(run.Error)
	if l.Given != nil {
		run.GivenBy = gangway.Actor{ID: l.Given.By, Name: l.Given.Name}
	}
	before, err := in.FeedTrouble(ctx, f)
	if err != nil {
		return run, err
	}
	latest, err := in.LatestFeedRuns(ctx)
	if err != nil {
		return run, err
	}
	if last := latest[f.Name].Good.Notice; run.Notice.Text == "" && last.Recent(began) ||
		run.Notice.Text == moreNotice && last.Text == moreNotice {
		run.Notice = last // which is told once, and for a day
	}
	run, err = in.EndFeedRun(ctx, l, run, end, now)
	switch {
	case err != nil || run.ByHand():
	case run.Failed():
		p.sayFails(ctx, in, "a feed could not be fetched", run, before, now)
	default:
		p.sayWorks(ctx, in, f.Name, f.Failing)
	}
	return run, err
}

// hold holds a feed until stop is called, and calls lost when another process has it, or it was switched
// off.
func (p *Poller) hold(ctx context.Context, in store.Scoped, l store.FeedLease, lost func(error)) (stop func()) {
	held := false
	wake, forget := p.db.Await(store.Feeds) // some feed was changed
	over := every(ctx, lease/3, wake, func() (more bool) {
		err := in.HoldFeed(ctx, l, p.now().Add(lease))
		if errors.Is(err, store.ErrFeedLost) || errors.Is(err, store.ErrFeedOff) {
			lost(err)
			return false
		}
		held = held || err == nil
		return true
	})
	return func() {
		over()
		forget()
		if held { // perhaps after its run had ended, while files were put away
			_ = in.HoldFeed(context.WithoutCancel(ctx), l, time.Time{}) // else the lease ends by itself
		}
	}
}

// every calls do at each interval, and when it is woken, until do returns false, ctx ends or stop is called.
func every(ctx context.Context, interval time.Duration, wake <-chan struct{}, do func() (more bool)) (stop func()) {
	over := make(chan struct{})
	var done sync.WaitGroup
	done.Go(func() {
		tick := time.NewTicker(interval)
		defer tick.Stop()
		for more := true; more; more = do() {
			select {
			case <-over:
				return
			case <-ctx.Done():
				return
			case <-wake:
			case <-tick.C:
			}
		}
	})
	return sync.OnceFunc(func() {
		close(over)
		done.Wait()
	})
}

// storable returns what a customer's system calls something, or says, without what no database takes.
func storable(text string) string {
	return strings.ReplaceAll(strings.ToValidUTF8(text, "\uFFFD"), "\x00", "")
}

func settles(p transport.Puller) bool {
	_, is := p.(transport.Settler)
	return is
}

// wentWrong is what a customer is told of a fault of ours.
const wentWrong = "something went wrong on our side; the operator's log says what"

// An ownError is a fault of ours in the middle of a customer's matters.
type ownError struct{ error }

// Unwrap returns the fault.
func (e *ownError) Unwrap() error { return e.error }

// isOurs reports whether an error is a fault of ours, also where it has none of our kinds: a
// transport's words and a document's faults have none either.
func isOurs(err error) bool {
	return errors.As(err, new(*ownError)) || errors.As(err, new(*scratch.Error))
}

// sentence is an error for the customer's people: a kind's own says what is wrong, and a fault
// of ours stays between us and the log.
func sentence(err error) string {
	if isOurs(err) && gangway.KindOf(err) == gangway.Internal {
		return wentWrong
	}
	return err.Error()
}
