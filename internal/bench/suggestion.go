package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"net/url"

	"gangway/internal/program"
)

// suggestable is how many travellers there are to suggest.
const suggestable = 50_000

// suggestionContest asks for travellers as somebody types, in each round for so many surnames.
func suggestionContest(ctx context.Context, p *place) (contest, error) {
	s := p.served
	for from := 0; from < suggestable; from += uploaded {
		body, err := json.Marshal(program.Crew(from, uploaded))
		if err != nil {
			return contest{}, err
		}
		if err := s.upload(ctx, body); err != nil {
			return contest{}, err
		}
	}
	if err := p.vacuum(ctx); err != nil {
		return contest{}, err
	}
	return contest{31, each(40, func(ctx context.Context, n int) error {
		typed := program.CrewMember(n * 97 % suggestable).LastName[:3]
		answer, err := get(ctx, s.Booker, s.URL("/suggest/travellers?surname="+url.QueryEscape(typed)))
		if err == nil && !bytes.Contains(answer, []byte(`role="option"`)) {
			err = errors.New("nobody is suggested for " + typed)
		}
		return err
	})}, nil
}
