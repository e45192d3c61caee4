package poll

import (
	"context"
	"slices"
	"sync"

	"gangway/internal/gangway"
	"gangway/internal/store"
)

// askedBeside is how many questions are asked side by side of those that one page has for one system.
//
// Decided: docs/choices.md, "Travel requests and crew changes by call (B3, B4)".
const askedBeside = 4

// Ask asks all feeds of a flow, side by side, and stores what they answer. It
// takes LivePatience at most for all questions together, whatever they do; what they
// have told before is there all the same. What was not asked by then is asked all the same. Only what we read ourselves
// is an error: that is bounded by ctx and not by the patience, which may be spent on others.
func (p *Poller) Ask(ctx context.Context, in store.Scoped, flow gangway.Flow,
	asks ...gangway.Ask) ([]Answer, error) {
	feeds, err := p.askable(ctx, in, flow)
	if err != nil || len(asks) == 0 {
		return nil, err
	}
	waits, cancel := context.WithTimeout(ctx, p.patience())
	defer cancel()
	answers := make([]Answer, len(feeds))
	var all sync.WaitGroup
	for i, f := range feeds {
		all.Go(func() { answers[i] = p.askInTurn(waits, in, f, asks) })
	}
	all.Wait()
	return answers, nil
}

// notInTime is said of a question for whose answer nobody waits any more.
const notInTime = "it has not answered in time"

// askInTurn asks a feed some questions, first those that were never answered, or longest ago. Each has the patience for
// itself: it is asked also when whoever waits has gone, so that the next one finds its answer. Of all answers the
// oldest counts, and one that has not come.
func (p *Poller) askInTurn(ctx context.Context, in store.Scoped, f askable, asks []gangway.Ask) Answer {
	known := map[gangway.Ask]Answer{}
	for _, ask := range asks {
		_, _, a := p.known(in, f, ask)
		a.Error = notInTime // until it has
		known[ask] = a
	}
	queue, come := make(chan gangway.Ask, len(asks)), make(chan Answer, len(asks)+1)
	for _, ask := range slices.SortedStableFunc(slices.Values(asks), func(a, b gangway.Ask) int {
		return known[a].At.Compare(known[b].At)
	}) {
		queue <- ask
	}
	close(queue)
	for range min(askedBeside, len(asks)) {
		p.live.under.Go(func() {
			for ask := range queue {
				come <- p.askOne(ctx, in, f, ask)
			}
		})
	}
	defer context.AfterFunc(ctx, func() { come <- Answer{} })() // behind what has come in time
	for range asks {
		a := <-come
		if a.Feed == "" {
			break
		}
		known[a.Of] = a
	}
	sum, missing := known[asks[0]], []gangway.Date(nil)
	for _, ask := range asks {
		a := known[ask]
		if a.Error == notInTime {
			a.Silence = p.live.silenceOf(in, f.name)
		}
		if a.Error != "" && ask.Date != "" {
			missing = append(missing, ask.Date)
		}
		if a.At.Before(sum.At) {
			sum.At = a.At
		}
		sum.Last = latest(sum.Last, a.Last)
		if sum.Error == "" {
			sum.Error, sum.Silence = a.Error, a.Silence
		}
	}
	sum.Missing = missing[:len(missing)%len(asks)] // none if all are missing: then Error tells of all
	return sum
}
