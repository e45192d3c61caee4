package store

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"gangway"

	"github.com/go-json-experiment/json"
)

// UpsertTravellers writes travellers, all or none. No two of them may have the same key.
func (s Scoped) UpsertTravellers(ctx context.Context, list []gangway.Traveller) (Counts, error) {
	docs, err := docs(list)
	if err != nil {
		return Counts{}, err
	}
	rows := make([][]any, len(list))
	for i := range list {
		t := &list[i]
		rows[i] = []any{t.Key(), gangway.Fold(t.LastName), gangway.Fold(t.FirstName), docs[i]}
	}
	return s.upsert(ctx, bulk{table: "traveller", key: []string{"key"}, columns: []string{"key", "surname", "given", "doc"}, rows: rows})
}

// narrowed is how many travellers are looked at when further words narrow a
// surname down: more than share any start of a name that somebody goes on typing.
const narrowed = 5000

// SuggestTravellers returns up to limit travellers whose surname starts with
// surname, by surname and given name. Each further word must start a word of
// the given names, or of the surname after its first. All words are folded.
func (s Scoped) SuggestTravellers(ctx context.Context, surname string, further []string, limit int) ([]gangway.Traveller, error) {
	look := limit
	if len(further) > 0 {
		look = narrowed
	}
	rows, err := s.db.reader.QueryContext(ctx, `
		SELECT surname, given, doc
		FROM traveller
		WHERE account = $1 AND surname >= $2 AND surname < $3
		ORDER BY surname, given
		LIMIT $4`,
		s.account, surname, surname+"\U0010FFFF", look)
	if err != nil {
		return nil, fmt.Errorf("suggest travellers: %w", err)
	}
	defer rows.Close()
	list := make([]gangway.Traveller, 0, limit)
	for len(list) < limit && rows.Next() {
		var last, first, doc string
		if err := rows.Scan(&last, &first, &doc); err != nil {
			return nil, fmt.Errorf("suggest travellers: %w", err)
		}
		if !startWords(last+" "+first, further) {
			continue
		}
		t, err := readTraveller(doc)
		if err != nil {
			return nil, err
		}
		list = append(list, t)
	}
	return list, rows.Err()
}

// startWords reports whether each of starts is the start of a word of name after its first.
func startWords(name string, starts []string) bool {
	if len(starts) == 0 {
		return true
	}
	words := strings.Fields(name)[1:]
	for _, start := range starts {
		if !slices.ContainsFunc(words, func(w string) bool { return strings.HasPrefix(w, start) }) {
			return false
		}
	}
	return true
}

// Traveller returns the traveller with the given key. NotFound: the account has none.
func (s Scoped) Traveller(ctx context.Context, key string) (gangway.Traveller, error) {
	var doc string
	err := s.db.reader.QueryRowContext(ctx, `
		SELECT doc
		FROM traveller
		WHERE account = $1 AND key = $2`,
		s.account, key).Scan(&doc)
	if err != nil {
		return gangway.Traveller{}, one(err, "there is no such traveller")
	}
	return readTraveller(doc)
}

func readTraveller(doc string) (t gangway.Traveller, err error) {
	if err = json.Unmarshal([]byte(doc), &t); err != nil {
		err = fmt.Errorf("read traveller: %w", err)
	}
	return t, err
}
