package store

import (
	"cmp"
	"context"
	"database/sql"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"gangway/internal/gangway"
)

// learn notes what a traveller's record says, so that it can be found in sentences.
func (e *erasing) learn(t gangway.Traveller) {
	e.known.Learn(t)
	ticket := t.TicketName()
	words := []string{t.LastName, t.FirstName, gangway.Fold(t.LastName), gangway.Fold(t.FirstName), ticket.Last,
		ticket.First, t.OnTicket.Last, t.OnTicket.First, string(t.DOB), gangway.FoldDocument(t.DocNumber),
		t.FrequentFlyer.Number}
	for i := range gangway.UploadedTraveller.Members {
		if m := &gangway.UploadedTraveller.Members[i]; m.Own {
			words = append(words, m.Text(&t))
		}
	}
	for _, word := range words {
		if len(word) > 1 {
			e.words[word] = true
		}
	}
}

// sentences matches the traveller's words in JSON text that contains sentences:
// in any case, as whole words, the longest first, and not in a member's name. It
// is nil if there are no words.
func (e *erasing) sentences() *regexp.Regexp {
	if len(e.words) == 0 {
		return nil
	}
	words := slices.SortedFunc(maps.Keys(e.words), func(a, b string) int {
		return cmp.Or(cmp.Compare(len(b), len(a)), cmp.Compare(a, b))
	})
	for i, w := range words {
		words[i] = regexp.QuoteMeta(w)
	}
	return regexp.MustCompile(`(?i)(^|[^\pL\pN])(?:` + strings.Join(words, "|") + `)($|"(?:[^:]|$)|[^\pL\pN"])`)
}

// eraseWords removes the traveller from texts that do not record who they are
// about: the answers to uploads, which are kept for a day and whose warnings may
// name somebody, and the messages that wait in people's sessions.
func (s Scoped) eraseWords(ctx context.Context, tx *sql.Tx, e *erasing) error {
	words := e.sentences()
	if words == nil {
		return nil
	}
	if err := eraseIn(ctx, tx, words, `SELECT route, key, answer FROM idempotency WHERE account = $1 AND answer <> ''`,
		`UPDATE idempotency SET answer = $4 WHERE account = $1 AND route = $2 AND key = $3`, 2, s.account); err != nil {
		return fmt.Errorf("erase from answers to uploads: %w", err)
	}
	err := eraseIn(ctx, tx, words, `SELECT token, data FROM session`,
		`UPDATE session SET data = $2 WHERE token = $1`, 1)
	return wrapf(err, "erase from sessions")
}

// eraseIn replaces words with "erased" in the last column of what query finds.
// The keys columns before it identify the row for update.
func eraseIn(ctx context.Context, tx *sql.Tx, words *regexp.Regexp, query, update string, keys int, args ...any) error {
	var changed [][]any
	err := eachRow(ctx, tx, query, args, func(row scanner) error {
		values, err := scanTexts(row, keys+1)
		if err != nil {
			return err
		}
		// Twice, because two adjacent words share the character between them.
		text := words.ReplaceAllString(words.ReplaceAllString(values[keys], "${1}erased${2}"), "${1}erased${2}")
		if text == values[keys] {
			return nil
		}
		changed = append(changed, slices.Concat(args, anys(values[:keys]), []any{text}))
		return nil
	})
	if err != nil {
		return err
	}
	for _, set := range changed {
		if _, err := tx.ExecContext(ctx, update, set...); err != nil {
			return err
		}
	}
	return nil
}
