package store

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"gangway/internal/gangway"
)

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
