package poll

import (
	"context"
	"sync"

	"gangway/internal/gangway"
	"gangway/internal/store"
)

// askedBeside is how many questions are asked side by side of those that one page has.
//
// Decided: docs/choices.md, "Travel requests and crew changes by call (B3, B4)".
const askedBeside = 4

// Ask asks all feeds of a flow, side by side, and stores what they answer. It
// takes LivePatience at most for all questions together, whatever they do; what they
// have told before is there all the same. Only what we read ourselves is an error:
// that is bounded by ctx and not by the patience, which may be spent on others.
func (p *Poller) Ask(ctx context.Context, in store.Scoped, flow gangway.Flow,
	asks ...gangway.Ask) ([]Answer, error) {
	feeds, err := p.askable(ctx, in, flow)
	if err != nil {
		return nil, err
	}
	waits, cancel := context.WithTimeout(ctx, p.patience())
	defer cancel()
	answers := make([][]Answer, len(asks))
	places := make(chan struct{}, askedBeside)
	var all sync.WaitGroup
	for i, ask := range asks {
		places <- struct{}{}
		all.Go(func() {
			defer func() { <-places }()
			answers[i] = p.askEach(waits, in, feeds, ask)
		})
	}
	all.Wait()
	return together(answers), nil
}

// askEach asks each of some feeds the same.
func (p *Poller) askEach(ctx context.Context, in store.Scoped, feeds []askable, ask gangway.Ask) []Answer {
	answers := make([]Answer, len(feeds))
	var all sync.WaitGroup
	for i, f := range feeds {
		all.Go(func() { answers[i] = p.askOne(ctx, in, f, ask) })
	}
	all.Wait()
	return answers
}

// together sums up the answers of the same feeds to several questions: the oldest
// answer counts, and one that has not come.
func together(questions [][]Answer) (sum []Answer) {
	places := map[string]int{}
	for _, answers := range questions {
		for _, a := range answers {
			i, there := places[a.Feed]
			if !there {
				places[a.Feed] = len(sum)
				sum = append(sum, a)
				continue
			}
			s := &sum[i]
			s.Records += a.Records
			if a.At.Before(s.At) {
				s.At = a.At
			}
			if a.Last.After(s.Last) {
				s.Last = a.Last
			}
			if s.Error == "" {
				s.Error = a.Error
			}
		}
	}
	return sum
}
