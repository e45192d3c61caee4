package store

import (
	"context"
	"fmt"
	"strings"

	"gangway/internal/gangway"

	"github.com/go-json-experiment/json"
)

// UpsertTravellers writes travellers that were uploaded, all or none. No two of them may have the same key.
func (s Scoped) UpsertTravellers(ctx context.Context, list []gangway.Traveller) (Counts, error) {
	rows, err := TravellerRows(list)
	if err != nil {
		return Counts{}, err
	}
	return s.UpsertTravellerRows(ctx, rows, gangway.Origin{Source: gangway.Uploaded})
}

// TravellerRows returns travellers as they are stored.
func TravellerRows(list []gangway.Traveller) ([]Row, error) {
	return rowsOf(list, func(t *gangway.Traveller, doc string) Row {
		return Row{t.RecordKey(), gangway.Fold(t.LastName), gangway.Fold(t.FirstName), doc}
	})
}

// UpsertTravellerRows is UpsertTravellers for what TravellerRows returned, from any source. It sorts rows.
func (s Scoped) UpsertTravellerRows(ctx context.Context, rows []Row, from gangway.Origin) (Counts, error) {
	return s.upsert(ctx, bulk{records: travellerRecords, rows: rows, from: from})
}

// maxWords is how many words after the surname narrow a suggestion down; nobody types more.
const maxWords = 5

// SuggestTravellers returns up to limit travellers whose surname starts with
// surname, by surname and given name. Each further word must start a word of
// the given names, or of the surname after its first. All words are folded.
func (s Scoped) SuggestTravellers(ctx context.Context, surname string, further []string,
	limit int) ([]gangway.Traveller, error) {
	query, args := `
		SELECT doc
		FROM traveller
		WHERE account = $1 AND surname >= $2 AND surname < $3`, []any{s.account, surname, surname + "\U0010FFFF", limit}
	for _, word := range further[:min(len(further), maxWords)] {
		args = append(args, "% "+likeLiterally.Replace(word)+"%")
		query += fmt.Sprintf(` AND surname || ' ' || given LIKE $%d ESCAPE '\'`, len(args))
	}
	return s.suggest(ctx, query+`
		ORDER BY surname, given
		LIMIT $4`, args)
}

// suggest returns the travellers that a query finds.
func (s Scoped) suggest(ctx context.Context, query string, args []any) ([]gangway.Traveller, error) {
	list, err := selectAll(ctx, s.db.reader, scanTraveller, query, args...)
	return list, wrapf(err, "suggest travellers")
}

// likeLiterally escapes the characters that LIKE reads as wildcards.
var likeLiterally = strings.NewReplacer(`\`, `\\`, `%`, `\%`, `_`, `\_`)

// Traveller returns the traveller with the given key. NotFound: the account has none.
func (s Scoped) Traveller(ctx context.Context, key string) (gangway.Traveller, error) {
	return scanTraveller(s.db.reader.QueryRowContext(ctx, `
		SELECT doc
		FROM traveller
		WHERE account = $1 AND key = $2`,
		s.account, key))
}

// TravellerOrigin returns where the traveller with the given key comes from. NotFound: the account has none.
func (s Scoped) TravellerOrigin(ctx context.Context, key string) (from gangway.Origin, err error) {
	err = scanOrigin(s.db.reader.QueryRowContext(ctx, `
		SELECT `+originColumns+`
		FROM traveller
		WHERE account = $1 AND key = $2`,
		s.account, key), &from)
	return from, notFoundOr(err, "there is no such traveller")
}

// TravellerSources returns where the travellers with the given keys come from, by key,
// those that the account has.
func (s Scoped) TravellerSources(ctx context.Context, keys []string) (map[string]gangway.Source, error) {
	sources := map[string]gangway.Source{}
	err := s.among(ctx, `key, source FROM traveller`, `key`, keys, func(row scanner) error {
		texts, err := scanTexts(row, 2)
		sources[texts[0]] = gangway.Source(texts[1])
		return err
	})
	return sources, err
}

// DeleteTraveller deletes the traveller with the given key and returns how
// many there were: one or none.
func (s Scoped) DeleteTraveller(ctx context.Context, key string) (int, error) {
	return s.takeBackRecords(ctx, travellerRecords, nil, `key = $2`, key)
}

func scanTraveller(row scanner) (t gangway.Traveller, err error) {
	err = row.Scan(docColumn{&t})
	return t, notFoundOr(err, "there is no such traveller")
}

func readTraveller(doc string) (t gangway.Traveller, err error) {
	err = json.Unmarshal([]byte(doc), &t)
	return t, wrapf(err, "read traveller")
}
