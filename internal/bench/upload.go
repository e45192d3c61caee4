package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"

	"gangway/internal/program"
)

// uploaded is how many travellers an upload has.
const uploaded = 10_000

// uploadContest uploads other travellers in each round. The floor decodes them strictly, encodes each and writes them
// in bulk: without HTTP, keys, limits, rules, or a look at the ones that are there.
func uploadContest(ctx context.Context, p *place) (contest, error) {
	s := p.served
	bare := p.bare
	const rounds = 7
	var bodies [rounds + 1][]byte
	for i := range bodies {
		var err error
		if bodies[i], err = json.Marshal(program.Crew((i+1)*1_000_000, uploaded)); err != nil {
			return contest{}, err
		}
	}
	return contest{rounds, each(1, func(ctx context.Context, round int) error {
		var list []program.Traveller
		dec := json.NewDecoder(bytes.NewReader(bodies[round]))
		dec.DisallowUnknownFields()
		if err := dec.Decode(&list); err != nil {
			return err
		}
		return bare.insertTravellers(ctx, fmt.Sprint("uploaded ", round), list)
	}), each(1, func(ctx context.Context, round int) error { return s.upload(ctx, bodies[round]) })}, nil
}

// upload posts travellers to the production account.
func (s *served) upload(ctx context.Context, body []byte) error {
	_, _, err := ask(ctx, s.Booker, http.MethodPost, s.URL("/api/passenger"), body, "Content-Type", "application/json",
		"X-Api-Key", s.Production.APIKey)
	return err
}
