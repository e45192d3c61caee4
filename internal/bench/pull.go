package main

import (
	"bytes"
	"context"
	"fmt"

	"gangway/internal/store"
)

// pulled is how many bookings are pulled in each round.
const pulled = 250

// pullContest pulls bookings, others in each round.
func pullContest(ctx context.Context, p *place) (contest, error) {
	const rounds = 7
	s := p.served
	db, err := store.Open(ctx, s.Database)
	if err != nil {
		return contest{}, err
	}
	defer db.Close()
	m, err := newMaker(ctx, db, s.Program, s.Customer)
	if err != nil {
		return contest{}, err
	}
	if err := m.make(ctx, pulled*(rounds+1)); err != nil {
		return contest{}, err
	}
	if err := p.vacuum(ctx); err != nil {
		return contest{}, err
	}
	key := s.Development.APIKey
	return contest{rounds, each(1, func(ctx context.Context, round int) error {
		answer, err := get(ctx, s.Booker, s.URL(fmt.Sprintf("/api/bookings?pull=%d&limit=%d", round, pulled)),
			"X-Api-Key", key)
		if n := bytes.Count(answer, []byte(`"locator":`)); err == nil && n != pulled {
			err = fmt.Errorf("%d bookings were pulled", n)
		}
		return err
	})}, nil
}
