package store

import (
	"context"
	"crypto/rand"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// wordedAtOnce is how many travellers get their words in one transaction: few
// enough that no upload has to wait.
const wordedAtOnce = 500

// queueWords has the words of the travellers of b written soon, if any of them was
// written. The rows of b are sorted.
func (s Scoped) queueWords(b bulk, counts Counts, exec func(query string, args ...any) error) error {
	if !b.hasWords || counts.Created+counts.Updated == 0 {
		return nil
	}
	n := 0
	for part := range slices.Chunk(b.rows, wordedAtOnce) {
		keys := make([]any, len(part))
		for i, row := range part {
			keys[i] = row[0]
		}
		doc, err := json.Marshal(keys)
		if err != nil {
			return fmt.Errorf("write keys: %w", err)
		}
		err = exec(`INSERT INTO unworded (account, id, keys, after_key) VALUES ($1, $2, $3, '')`, s.account,
			fmt.Sprintf("%04d %s", n, rand.Text()), string(doc))
		if err != nil {
			return err
		}
		n++
	}
	return nil
}

// WriteTravellerWords writes the words by which a few hundred travellers are found:
// travellers who were just sent, or who were stored before there were words. It
// reports whether there were any. Two replicas may do so at once.
func (db *DB) WriteTravellerWords(ctx context.Context) (bool, error) {
	ctx = withLongWork(ctx) // an upload may have locked the rows
	var s Scoped
	var id, listed, after string
	err := db.reader.QueryRowContext(ctx, `
		SELECT account, id, keys, after_key
		FROM unworded
		ORDER BY keys = '', account, id
		LIMIT 1`).Scan(&s.account, &id, &listed, &after)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return false, nil
	case err != nil:
		return false, fmt.Errorf("look for travellers without words: %w", err)
	}
	s.db = db
	return true, db.write(ctx, func(tx *sql.Tx) error {
		if listed != "" {
			var keys []string
			if err := json.Unmarshal([]byte(listed), &keys); err != nil {
				return fmt.Errorf("read keys: %w", err)
			}
			if err := s.writeWords(ctx, tx, keys); err != nil {
				return err
			}
			return s.dequeueWords(ctx, tx, id)
		}
		keys, err := s.keysAfter(ctx, tx, after)
		if err != nil {
			return err
		}
		if len(keys) == 0 {
			return s.dequeueWords(ctx, tx, id)
		}
		if err := s.writeWords(ctx, tx, keys); err != nil {
			return err
		}
		_, err = tx.ExecContext(ctx, `UPDATE unworded SET after_key = $3 WHERE account = $1 AND id = $2`, s.account, id,
			keys[len(keys)-1])
		return err
	})
}

func (s Scoped) dequeueWords(ctx context.Context, tx *sql.Tx, id string) error {
	_, err := tx.ExecContext(ctx, `DELETE FROM unworded WHERE account = $1 AND id = $2`, s.account, id)
	return err
}

func (s Scoped) keysAfter(ctx context.Context, tx *sql.Tx, after string) ([]string, error) {
	return selectAll(ctx, tx, column[string], `
		SELECT key
		FROM traveller
		WHERE account = $1 AND key > $2
		ORDER BY key
		LIMIT $3`, s.account, after, wordedAtOnce)
}

// wordsStatement reads n travellers by their keys, with the words that they have,
// and locks their rows. It is written so that each is looked up by itself, whatever
// a planner believes of the tables: just after the first upload it knows nothing.
func (d dialect) wordsStatement(n int) string {
	keys := make([]string, n)
	for i := range keys {
		keys[i] = fmt.Sprintf("($%d)", i+2)
	}
	return `
		SELECT t.key, t.doc, coalesce((SELECT string_agg(w.word, ' ') FROM traveller_word w WHERE w.account = t.account AND w.key = t.key), '')
		FROM (VALUES ` + strings.Join(keys, ", ") + `) AS v
		CROSS JOIN traveller t
		WHERE t.account = $1 AND t.key = v.column1
		ORDER BY t.key` + d.forChange("t")
}

// writeWords brings the words of travellers up to date while their rows are locked,
// so that none of them is sent again or deleted meanwhile.
func (s Scoped) writeWords(ctx context.Context, tx *sql.Tx, keys []string) error {
	args := append([]any{s.account}, anys(keys)...)
	var gone, fresh [][]any
	err := eachRow(ctx, tx, s.db.dialect.wordsStatement(len(keys)), args, func(row scanner) error {
		texts, err := scanTexts(row, 3)
		if err != nil {
			return err
		}
		t, err := readTraveller(texts[1])
		if err != nil {
			return err
		}
		words, had := t.NameWords(), strings.Fields(texts[2])
		for _, w := range had {
			if !slices.Contains(words, w) {
				gone = append(gone, []any{s.account, w, texts[0]})
			}
		}
		for _, w := range words {
			if !slices.Contains(had, w) {
				fresh = append(fresh, []any{s.account, w, texts[0]})
			}
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("read travellers without words: %w", err)
	}
	columns := []string{"account", "word", "key"}
	err = errors.Join(deleteMany(ctx, tx, "traveller_word", columns, gone), insertMany(ctx, tx, "traveller_word",
		columns, fresh))
	return wrapf(err, "write words of travellers")
}
