package store

import (
	"cmp"
	"context"
	"crypto/rand"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"gangway/internal/gangway"
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
		keys := gangway.Each(part, func(row Row) any { return row[0] })
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

// candidates bounds how many travellers are read for one word of a suggestion;
// those who have its other words are looked for among them.
const candidates = 2000

// SuggestByWord returns up to limit travellers in whose name, as sent or as
// printed on tickets, each of words begins some word. The words are folded and in
// any order.
func (s Scoped) SuggestByWord(ctx context.Context, words []string, limit int) ([]gangway.Traveller, error) {
	words, all, err := s.rarestFirst(ctx, words[:min(len(words), maxWords)])
	if err != nil {
		return nil, fmt.Errorf("suggest travellers: %w", err)
	}
	var list []gangway.Traveller
	seen := map[string]bool{}
	for i, first := range words {
		found, err := s.suggestByWord(ctx, first, slices.Delete(slices.Clone(words), i, i+1), limit)
		if err != nil {
			return nil, err
		}
		for _, t := range found {
			if key := t.RecordKey(); !seen[key] && len(list) < limit {
				seen[key], list = true, append(list, t)
			}
		}
		if all || len(list) == limit {
			break
		}
	}
	return list, nil
}

// rarestFirst sorts words by how many travellers have them, the fewest first. all
// says that everybody who has the first word is a candidate; then whoever has all
// words is among them.
func (s Scoped) rarestFirst(ctx context.Context, words []string) (sorted []string, all bool, err error) {
	if len(words) < 2 {
		return words, true, nil
	}
	counts, args, into := make([]string, len(words)), []any{s.account}, make([]any, len(words))
	have := make(map[string]*int, len(words))
	for i, word := range words {
		args = append(args, word, word+"\U0010FFFF")
		counts[i] = fmt.Sprintf(
			`(SELECT count(*) FROM (SELECT 1 FROM traveller_word WHERE account = $1 AND word >= $%d AND word < $%d LIMIT %d) AS counted)`,
			len(args)-1, len(args), candidates)
		have[word] = new(int)
		into[i] = have[word]
	}
	if err := s.db.reader.QueryRowContext(ctx, `SELECT `+strings.Join(counts, ", "), args...).Scan(into...); err !=
		nil {
		return nil, false, err
	}
	sorted = slices.Clone(words)
	slices.SortStableFunc(sorted, func(a, b string) int { return cmp.Compare(*have[a], *have[b]) })
	return sorted, *have[sorted[0]] < candidates, nil
}

// suggestStatement reads the first travellers who have one word and keeps those
// who have the other words, given by their number. Only for these are the records
// read.
func suggestStatement(others int) string {
	var has strings.Builder
	for i := range others {
		fmt.Fprintf(&has, ` AND (SELECT 1 FROM traveller_word o WHERE o.account = $1 AND o.key = c.key AND o.word >= $%d AND o.word < $%d LIMIT 1) IS NOT NULL`, 2*i+5, 2*i+6)
	}
	return fmt.Sprintf(`
		SELECT t.doc
		FROM (
			SELECT c.word, c.key
			FROM (
				SELECT word, key
				FROM traveller_word
				WHERE account = $1 AND word >= $2 AND word < $3
				ORDER BY word, key
				LIMIT %d
			) c
			WHERE true%s
			ORDER BY c.word, c.key
			LIMIT $4
		) w
		JOIN traveller t ON t.account = $1 AND t.key = w.key
		ORDER BY w.word, w.key`, candidates, has.String())
}

// suggestByWord returns travellers who have all words, reading those with first.
func (s Scoped) suggestByWord(ctx context.Context, first string, others []string,
	limit int) ([]gangway.Traveller, error) {
	args := []any{s.account, first, first + "\U0010FFFF", limit + mostAlike}
	for _, word := range others {
		args = append(args, word, word+"\U0010FFFF")
	}
	return s.suggest(ctx, suggestStatement(len(others)), args)
}

// mostAlike is how many more rows are read than shown: a traveller has a row for
// each word that begins with what was typed.
const mostAlike = 10
