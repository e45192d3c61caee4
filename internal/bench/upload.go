package main

import (
	"context"
	"encoding/json"
	"net/http"

	"gangway/internal/program"
)

// uploaded is how many travellers an upload has.
const uploaded = 10_000

// uploadContest uploads other travellers in each round.
func uploadContest(_ context.Context, p *place) (contest, error) {
	s := p.served
	const rounds = 7
	var bodies [rounds + 1][]byte
	for i := range bodies {
		var err error
		if bodies[i], err = json.Marshal(program.Crew((i+1)*1_000_000, uploaded)); err != nil {
			return contest{}, err
		}
	}
	return contest{rounds, each(1, func(ctx context.Context, round int) error {
		return s.upload(ctx, bodies[round])
	})}, nil
}

// upload posts travellers to the production account.
func (s *served) upload(ctx context.Context, body []byte) error {
	_, _, err := ask(ctx, s.Booker, http.MethodPost, s.URL("/api/passenger"), body, "Content-Type", "application/json",
		"X-Api-Key", s.Production.APIKey)
	return err
}
