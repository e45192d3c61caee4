package book

import (
	"context"
	"strings"
	"unicode"

	"gangway"
	"gangway/internal/store"
)

// longestUnspaced is how many letters a surname has at most that is written
// without a space before the given name: 남궁 and 諸葛 have two, 勅使河原 has four.
const longestUnspaced = 4

// Suggest returns the travellers whose surname starts with the first word
// typed and whose given names start with the words after it. A comma may stand
// between them. Where names are written without a space between, one word is
// read as a surname and the start of the given name too.
//
// Decided: docs/choices.md, "Suggestion".
func Suggest(ctx context.Context, in store.Scoped, typed string, limit int) ([]gangway.Traveller, error) {
	words := strings.Fields(gangway.Fold(strings.ReplaceAll(typed, ",", " ")))
	if len(words) == 0 {
		return nil, nil
	}
	list, err := in.SuggestTravellers(ctx, words[0], words[1:], limit)
	if err != nil || len(words) > 1 || !unspaced(words[0]) {
		return list, err
	}
	letters := []rune(words[0])
	for n := min(len(letters)-1, longestUnspaced); n > 0; n-- {
		surname := string(letters[:n])
		more, err := in.SuggestTravellers(ctx, surname, []string{string(letters[n:])}, limit)
		if err != nil {
			return nil, err
		}
		for _, t := range more {
			if gangway.Fold(t.LastName) == surname && len(list) < limit {
				list = append(list, t)
			}
		}
	}
	return list, nil
}

// unspaced reports whether a word is of letters that are syllables, in which
// names are written without a space.
func unspaced(word string) bool {
	for _, r := range word {
		if !unicode.In(r, unicode.Han, unicode.Hangul, unicode.Hiragana, unicode.Katakana) && r != 'ー' {
			return false
		}
	}
	return true
}
