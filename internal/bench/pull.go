package main

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"io"
	"net/http"

	"gangway/internal/store"
)

// pulled is how many bookings are pulled in each round.
const pulled = 250

// pullContest pulls bookings, others in each round. The floor has the records in a table: it decodes and encodes
// each. It hands nothing out, and knows neither keys nor limits.
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
	listed, err := get(ctx, s.Booker, s.URL("/api/bookings?days=1"), "X-Api-Key", key)
	if err != nil {
		return contest{}, err
	}
	var records []json.RawMessage
	if err := json.Unmarshal(listed, &records); err != nil {
		return contest{}, err
	}
	if err := p.bare.create(ctx, `pulled (place BIGINT PRIMARY KEY, doc TEXT)`); err != nil {
		return contest{}, err
	}
	var rows [][]any
	for i, r := range records[:pulled] {
		rows = append(rows, []any{i, string(r)})
	}
	if err := p.bare.insert(ctx, "pulled", []string{"place", "doc"}, rows); err != nil {
		return contest{}, err
	}
	address := p.serveBare(func(w http.ResponseWriter, r *http.Request) error {
		enc, before := json.NewEncoder(w), "["
		enc.SetEscapeHTML(false)
		err := p.bare.list(r.Context(), func(rows *sql.Rows) error {
			var doc []byte
			var record map[string]any
			if err := rows.Scan(&doc); err != nil {
				return err
			}
			if err := json.Unmarshal(doc, &record); err != nil {
				return err
			}
			io.WriteString(w, before)
			before = ","
			return enc.Encode(record)
		}, `SELECT doc FROM pulled ORDER BY place`)
		io.WriteString(w, "]")
		return err
	})
	return contest{rounds, each(1, func(ctx context.Context, _ int) error {
		_, err := get(ctx, bareClient, address)
		return err
	}), each(1, func(ctx context.Context, round int) error {
		answer, err := get(ctx, s.Booker, s.URL(fmt.Sprintf("/api/bookings?pull=%d&limit=%d", round, pulled)),
			"X-Api-Key", key)
		if n := bytes.Count(answer, []byte(`"locator":`)); err == nil && n != pulled {
			err = fmt.Errorf("%d bookings were pulled", n)
		}
		return err
	})}, nil
}
