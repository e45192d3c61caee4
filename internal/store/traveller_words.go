package store

import (
	"context"
	"database/sql"
	"fmt"

	"gangway"
)

// wordColumns hold the words by which a traveller is found besides surname and
// given names. Four are enough for three words in another script than the
// ticket's and one more; who has still more is found by the first of them.
var wordColumns = []string{"word1", "word2", "word3", "word4"}

// words returns what the columns of words have for a traveller.
func words(t gangway.Traveller) []any {
	list := make([]any, len(wordColumns))
	found := t.NameWords()
	for i := range list {
		list[i] = ""
		if i < len(found) {
			list[i] = found[i]
		}
	}
	return list
}

// WordTravellers gives up to n travellers that were there before words were
// kept the words by which they are found, and returns how many it has looked
// at. Nobody waits for it long: it holds few rows, and one that is sent anew
// meanwhile has its words already.
func (db *DB) WordTravellers(ctx context.Context, n int) (int, error) {
	rows, err := db.reader.QueryContext(ctx, `
		SELECT account, key, version, doc
		FROM traveller
		WHERE worded = ''
		ORDER BY account, key
		LIMIT $1`, n)
	if err != nil {
		return 0, fmt.Errorf("look for travellers without words: %w", err)
	}
	defer rows.Close()
	var found [][]any // account, key, version, words
	for rows.Next() {
		var account, key, doc string
		var version int
		if err := rows.Scan(&account, &key, &version, &doc); err != nil {
			return 0, fmt.Errorf("look for travellers without words: %w", err)
		}
		t, err := readTraveller(doc)
		if err != nil {
			return 0, err
		}
		found = append(found, append([]any{account, key, version}, words(t)...))
	}
	if err := rows.Err(); err != nil || len(found) == 0 {
		return 0, err
	}
	return len(found), db.write(ctx, func(tx *sql.Tx) error {
		for _, row := range found {
			_, err := tx.ExecContext(ctx, `
				UPDATE traveller
				SET word1 = $4, word2 = $5, word3 = $6, word4 = $7, worded = '1'
				WHERE account = $1 AND key = $2 AND version = $3 AND worded = ''`, row...)
			if err != nil {
				return fmt.Errorf("keep a traveller's words: %w", err)
			}
		}
		return nil
	})
}
