package poll

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"time"

	"gangway/internal/accept"
	"gangway/internal/accept/mapping"
	"gangway/internal/background"
	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/transport"

	"github.com/sony/gobreaker/v2"
	"golang.org/x/sync/singleflight"
)

// LivePatience is how long anybody waits for a customer's system, whatever it does.
//
// Spec: Limits, Customer endpoint response time.
const LivePatience = 3 * time.Second

// fresh is for how long an answer is not asked for again.
const fresh = 30 * time.Second

// liveBytes is how long an answer may be that somebody waits for, and liveWhole how much memory one may take.
const (
	liveBytes = 32 << 20
	liveWhole = 16 << 20
)

// An Answer is what came of asking one feed.
type Answer = gangway.FeedAnswer

// live is what is known of the feeds that are asked while somebody waits.
type live struct {
	mu       sync.Mutex
	breakers map[string]*gobreaker.CircuitBreaker[any] // by feed and its version
	answered map[string]time.Time                      // by these and question: the last good answer
	good     map[string]time.Time                      // by feed: the last good answer that was noted
	silent   map[string]time.Time                      // by feed: when it was noted last that it failed
	kinds    map[string]bool                           // by feed: the kinds of remarks that were noted
	failing  map[string]int64                          // by feed that this process has seen fail: since when
	silences map[string]gangway.Silence                // by feed: what keeps its answer, or kept the last one
	asking   *singleflight.Group
	under    sync.WaitGroup // questions under way, also those that nobody waits for any more
	room     liveRoom
}

func newLive() live {
	return live{breakers: map[string]*gobreaker.CircuitBreaker[any]{}, answered: map[string]time.Time{},
		good: map[string]time.Time{}, silent: map[string]time.Time{},
		kinds: map[string]bool{}, failing: map[string]int64{}, silences: map[string]gangway.Silence{},
		asking: new(singleflight.Group), room: newLiveRoom()}
}

// A customer's system that failed so often in a row is left alone for a while:
// nobody waits for it meanwhile.
const (
	failuresToOpen = 3
	openFor        = 30 * time.Second
)

// Rest waits until every question has been answered or given up, and what is noted of that is stored,
// for a process that is about to end.
func (p *Poller) Rest() { p.live.under.Wait() }

// known returns what is known of a feed's answer to a question before it is asked, and the keys of the feed and the
// question.
func (p *Poller) known(in store.Scoped, f askable, of gangway.Ask) (feed, key string, a Answer) {
	feed = fmt.Sprintf("%s\x00%s\x00%d", in.Scope().Account, f.name, f.version) // one that was set anew is asked anew
	question, _ := json.Marshal(of)
	key = feed + "\x00" + string(question)
	p.live.mu.Lock()
	defer p.live.mu.Unlock()
	at := p.live.answered[key]
	return feed, key, Answer{Feed: f.name, Of: of, At: at, Last: latest(f.good, p.live.good[noted(in, f.name)], at)}
}

// askOne asks one feed, to the end whoever waits, unless it was asked the same just now, or by somebody
// else at this moment.
func (p *Poller) askOne(ctx context.Context, in store.Scoped, f askable, of gangway.Ask) Answer {
	feed, key, answer := p.known(in, f, of)
	if !answer.At.IsZero() && p.now().Sub(answer.At) < fresh {
		return answer
	}
	p.live.mu.Lock()
	breaker := p.live.breakers[feed]
	if breaker == nil {
		breaker = gobreaker.NewCircuitBreaker[any](gobreaker.Settings{
			Timeout:     openFor,
			IsExcluded:  func(err error) bool { return errors.Is(err, errNoRoom) || isOurs(err) },
			ReadyToTrip: func(c gobreaker.Counts) bool { return c.ConsecutiveFailures >= failuresToOpen },
		})
		note(p.live.breakers, feed, breaker)
	}
	p.live.mu.Unlock()
	_, err, _ := p.live.asking.Do(key, func() (any, error) {
		return breaker.Execute(func() (any, error) {
			return nil, background.Guard(p.log, "ask a feed", func() error {
				return p.askAndStore(context.WithoutCancel(ctx), in, f.name, f.kind, of)
			})
		})
	})
	switch {
	case errors.Is(err, gobreaker.ErrOpenState), errors.Is(err, gobreaker.ErrTooManyRequests):
		answer.Error = "it does not answer; it is asked again in half a minute"
	case err != nil:
		answer.Error = sentence(err)
	default:
		p.live.mu.Lock()
		note(p.live.answered, key, p.now())
		p.live.mu.Unlock()
		_, _, answer = p.known(in, f, of)
		return answer
	}
	answer.Silence = p.live.silenceOf(in, f.name)
	return answer
}

// silenceOf returns what keeps the answer of a feed, or kept the last one; empty: its silence.
func (l *live) silenceOf(in store.Scoped, feed string) gangway.Silence {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.silences[noted(in, feed)]
}

// notedAtMost is how many feeds, and how many questions, are remembered; more are forgotten at once, which costs an
// answer or a line of the log more.
const notedAtMost = 10_000

func note[V any](list map[string]V, key string, value V) {
	if len(list) >= notedAtMost {
		clear(list)
	}
	list[key] = value
}

// storePatience is how long it may take to store what a system has answered: whoever
// waits is told before, and an answer that came in time is not lost.
const storePatience = 30 * time.Second

// askAndStore asks a feed and stores its answer: what was told before about the
// same days and is not told any more is dropped.
func (p *Poller) askAndStore(ctx context.Context, in store.Scoped, name string, kind transport.Kind,
	ask gangway.Ask) error {
	began := p.now()
	ours, stop := context.WithTimeout(ctx, p.patience()+storePatience)
	defer stop()
	f, err := in.Feed(ours, name)
	if err != nil {
		return p.own(ours, in, name, err)
	}
	theirs, cancel := context.WithTimeout(ours, p.patience())
	defer cancel()
	room := p.answer(theirs, in.Scope().Account)
	room.note = func(s gangway.Silence) {
		p.live.mu.Lock()
		defer p.live.mu.Unlock()
		note(p.live.silences, noted(in, name), s)
	}
	defer room.end()
	taken, err := p.askLive(theirs, in, f.Feed, kind, ask, room)
	report := accept.Report{}
	if err == nil {
		defer taken.Close()
		report = taken.Report()
		err = allRefused(report)
	}
	if errors.Is(err, errImproper) {
		room.keeps(gangway.Improper)
	}
	run := runOf(report)
	run.Feed, run.At, run.Took = name, began, p.now().Sub(began)
	switch {
	case isOurs(err):
		return p.own(ours, in, name, err)
	case errors.Is(err, errNoRoom): // which is our own matter, too
		return err
	case err != nil:
		run.Error = sentence(err)
		p.noteSilence(ours, in, f, run)
		return err
	}
	if err := taken.Apply(ours); err != nil {
		return p.own(ours, in, name, err)
	}
	more := noteMore(f.Feed, room.says, &run)
	if of, bounded := daysOf(ask); bounded && f.Flow != gangway.TravellerLookupFlow && more == "" {
		if _, err := taken.DropRest(ours, of); err != nil {
			return p.own(ours, in, name, err)
		}
	}
	p.noteGood(ours, in, f)
	told := p.live.told(in, run, false)
	if more != "" && told {
		run.Warnings, run.Refusals = run.Warnings[:1], nil
	}
	if more != "" || !told {
		p.noteSilence(ours, in, f, run)
	}
	return nil
}

// own returns a fault of ours as one, and logs it.
func (p *Poller) own(ctx context.Context, in store.Scoped, feed string, err error) error {
	err = &ownError{err}
	p.told(ctx, in, feed, err)
	return err
}

// told is sentence, and logs what nobody but the operator is told.
func (p *Poller) told(ctx context.Context, in store.Scoped, feed string, err error) string {
	text := sentence(err)
	if text == wentWrong {
		p.log.Error("what a feed has answered was given up", p.db.Whose(ctx, in.Scope()), "feed", feed,
			"error", err)
	}
	return text
}

// latest returns the last of some instants.
func latest(list ...time.Time) (last time.Time) {
	for _, at := range list {
		if at.After(last) {
			last = at
		}
	}
	return last
}

// askOnly asks a feed and stores nothing.
func (p *Poller) askOnly(ctx context.Context, in store.Scoped, f gangway.Feed, kind transport.Kind,
	ask gangway.Ask) (gangway.FeedRun, error) {
	began := p.now()
	ctx, cancel := context.WithTimeout(ctx, p.patience())
	defer cancel()
	room := p.answer(ctx, in.Scope().Account)
	defer room.end()
	taken, err := p.askLive(ctx, in, f, kind, ask, room)
	run := gangway.FeedRun{}
	if err != nil {
		run.Error = p.told(ctx, in, f.Name, err)
	} else {
		defer taken.Close()
		run = runOf(taken.Report())
		run.At = began
		noteMore(f, room.says, &run)
		if err := allRefused(taken.Report()); err != nil {
			run.Error = err.Error()
		}
	}
	run.Feed, run.At, run.Took, run.Ask = f.Name, began, p.now().Sub(began), ask
	return run, nil
}

// askLive asks a feed and takes in what it answers, as far as that was asked
// for, of which the caller stores what it wants. What it takes in memory is the caller's room until then.
func (p *Poller) askLive(ctx context.Context, in store.Scoped, f gangway.Feed, kind transport.Kind, ask gangway.Ask,
	room *answer) (accept.Run, error) {
	m, err := mapping.Compile(f.Mapping, f.Flow)
	if err != nil {
		return nil, err
	}
	puller, err := p.open(f, kind)
	if err != nil {
		return nil, err
	}
	room.keeps(gangway.Unasked)
	over, err := room.begins(ctx)
	if err != nil {
		return nil, err
	}
	defer over()
	room.keeps(gangway.Silent)
	runner := p.workers.Waiting(in.Scope().Account).Until(room.until)
	from := gangway.Origin{Source: gangway.FeedSource(f.Name), Generation: p.db.Generation(), SeenAt: p.now()}
	taken := accept.NewRun(f.Flow, in, from, ask, limits)
	for a, err := range puller.Pull(ctx, transport.Query{Ask: ask, Most: liveBytes}) {
		if err == nil {
			err = a.Wrong
		}
		if err == nil && !a.Unchanged {
			err = takeArrival(ctx, taken, a, m, runner, f.Format, ask, room)
		}
		if err != nil {
			taken.Close()
			switch {
			case errors.Is(err, errNoRoom):
				room.keeps(gangway.Unasked)
			case mapping.Spent(err):
			case ctx.Err() != nil && room.silence == gangway.Unmapped:
				err = fmt.Errorf("the mapping takes too long: the answer was not read within %s", p.patience())
			case ctx.Err() != nil:
				err = fmt.Errorf("it has not answered within %s", p.patience())
			default:
				room.keeps(gangway.Silent)
			}
			return nil, err
		}
	}
	return taken, nil
}

func takeArrival(ctx context.Context, into accept.Run, a *transport.Arrival, m *mapping.Mapping,
	runner mapping.Runner, as gangway.DocumentFormat, ask gangway.Ask, room *answer) error {
	s, err := spool(a.Body)
	if err != nil {
		return err
	}
	defer s.close()
	d := document{runner: runner, spooled: s, name: a.Name, contentType: a.ContentType, whole: liveWhole,
		answer: true, endless: a.Endless}
	if err := room.holds(ctx, &d); err != nil {
		return err
	}
	room.keeps(gangway.Unmapped)
	err = d.takeIn(ctx, into, m, as, ask, nil)
	room.says.Add(d.says)
	switch {
	case err == nil:
		room.keeps(gangway.Silent)
	case errors.Is(err, mapping.ErrBusy):
		return errNoRoom
	}
	return err
}

// daysOf returns the days that were asked for; not bounded: all were.
func daysOf(ask gangway.Ask) (of store.Days, bounded bool) {
	switch {
	case ask.Date != "":
		return store.Days{From: ask.Date, To: ask.Date}, true
	case ask.From != "" && ask.To != "":
		return store.Days{From: ask.From, To: ask.To}, true
	}
	return store.Days{}, false
}

// runOf returns what a report says of a run.
func runOf(report accept.Report) gangway.FeedRun {
	return gangway.FeedRun{Received: report.Received, Created: report.Created, Updated: report.Updated,
		Unchanged: report.Unchanged, Refused: report.Refused, Warned: report.Warned, RefusedMembers: report.Members,
		Passed: report.Passed, Refusals: report.Problems.List, Warnings: report.Warnings.List}
}
