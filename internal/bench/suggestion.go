package main

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"strings"

	"gangway/internal/program"
)

// suggestable is how many travellers there are to suggest.
const suggestable = 50_000

// suggestionContest asks for travellers as somebody types, in each round for so many surnames. The floor is one
// indexed query and answers the ten records of the query.
func suggestionContest(ctx context.Context, p *place) (contest, error) {
	s := p.served
	bare := p.bare
	for from := 0; from < suggestable; from += uploaded {
		list := program.Crew(from, uploaded)
		body, err := json.Marshal(list)
		if err != nil {
			return contest{}, err
		}
		if err := s.upload(ctx, body); err != nil {
			return contest{}, err
		}
		if err := bare.insertTravellers(ctx, "suggested", list); err != nil {
			return contest{}, err
		}
	}
	if err := p.vacuum(ctx); err != nil {
		return contest{}, err
	}
	address := p.serveBare(func(w http.ResponseWriter, r *http.Request) error {
		typed := strings.ToLower(r.URL.Query().Get("surname"))
		var list []json.RawMessage
		err := bare.list(r.Context(), func(rows *sql.Rows) error {
			var doc string
			err := rows.Scan(&doc)
			list = append(list, json.RawMessage(doc))
			return err
		}, `
			SELECT doc
			FROM traveller
			WHERE account = $1 AND surname >= $2 AND surname < $3
			ORDER BY surname, given
			LIMIT 10`, "suggested", typed, typed+"\U0010FFFF")
		if err != nil {
			return err
		}
		return json.NewEncoder(w).Encode(list)
	})
	ask := func(client *http.Client, address, found string) side {
		return each(40, func(ctx context.Context, n int) error {
			typed := program.CrewMember(n * 97 % suggestable).LastName[:3]
			answer, err := get(ctx, client, address+"?surname="+url.QueryEscape(typed))
			if err == nil && !bytes.Contains(answer, []byte(found)) {
				err = errors.New("nobody is suggested for " + typed)
			}
			return err
		})
	}
	return contest{31, ask(bareClient, address, `"last_name"`),
		ask(s.Booker, s.URL("/suggest/travellers"), `role="option"`)}, nil
}
