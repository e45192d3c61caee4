package main

import (
	"context"
	"errors"
	"strings"
	"time"

	"gangway/internal/program"
)

// search hands a crew change of n people off, beginning with the number from, and returns the path of its page. The
// travel date is the same in a whole run.
func (s *served) search(ctx context.Context, from, n int) (path string, err error) {
	form := program.Handoff(from, n, "AMS", time.Now().AddDate(0, 2, 0), "")
	form.Set("environment", "production")
	path, err = s.post(ctx, program.HandoffPath, form)
	if err == nil && !strings.HasPrefix(path, "/searches/") {
		err = errors.New("the hand-off has led to " + path)
	}
	return path, err
}

// searchContest searches flights for crews of eight from other homes in each round, from the hand-off until the page
// shows all.
func searchContest(_ context.Context, p *place) (contest, error) {
	const crew = 8
	return contest{21, each(1, func(ctx context.Context, round int) error {
		_, err := p.served.found(ctx, round*crew, crew)
		return err
	})}, nil
}

// pageContest reads the page of a search for so many people, when their flights are found.
func pageContest(people int) func(context.Context, *place) (contest, error) {
	return func(ctx context.Context, p *place) (contest, error) {
		s := p.served
		path, err := s.found(ctx, 0, people)
		return contest{21, each(8, func(ctx context.Context, _ int) error {
			_, err := get(ctx, s.Booker, s.URL(path))
			return err
		})}, err
	}
}

// found is search, and waits until the page shows all.
func (s *served) found(ctx context.Context, from, n int) (path string, err error) {
	path, err = s.search(ctx, from, n)
	if err == nil {
		_, err = get(ctx, s.Booker, s.URL(path)+"?wait=all")
	}
	return path, err
}
