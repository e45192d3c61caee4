package book

import (
	"context"
	"slices"
	"strings"
	"unicode"

	"gangway/internal/gangway"
	"gangway/internal/store"
)

// longestUnspaced is the most letters of a surname that is written without a space
// before the given name: 남궁 and 諸葛 have two, 勅使河原 has four.
const longestUnspaced = 4

// Suggest returns the travellers whose surname starts with the first word typed
// and whose given names start with the words after it. If these are fewer than
// limit, travellers follow who have such words anywhere in the name, as it was
// sent or as tickets have it. A comma may separate surname and given names, or a
// slash as on tickets. If names are written without a space, one word is also
// read as a surname and the start of the given name. A traveller whose identifier
// at the customer was typed comes first.
//
// Decided: docs/choices.md, "Suggestion".
func Suggest(ctx context.Context, in store.Scoped, typed string, limit int) ([]gangway.Traveller, error) {
	list, err := suggestByName(ctx, in, typed, limit)
	// names have no digits, identifiers mostly do
	if err != nil || len(list) > 0 && !strings.ContainsAny(typed, "0123456789") {
		return list, err
	}
	first, err := byIdentifier(ctx, in, strings.TrimSpace(typed))
	return merge(first, list, limit), err
}

func suggestByName(ctx context.Context, in store.Scoped, typed string, limit int) ([]gangway.Traveller, error) {
	words := strings.Fields(gangway.TypedName(typed))
	if len(words) == 0 {
		return nil, nil
	}
	list, err := in.SuggestTravellers(ctx, words[0], words[1:], limit)
	if err != nil || len(list) >= limit {
		return list, err
	}
	more, err := in.SuggestByWord(ctx, words, limit)
	if err != nil {
		return nil, err
	}
	list = merge(list, more, limit)
	if len(words) > 1 || !isSyllabic(words[0]) {
		return list, nil
	}
	letters := []rune(words[0])
	for n := min(len(letters)-1, longestUnspaced); n > 0; n-- {
		surname := string(letters[:n])
		more, err := in.SuggestTravellers(ctx, surname, []string{string(letters[n:])}, limit)
		if err != nil {
			return nil, err
		}
		more = slices.DeleteFunc(more, func(t gangway.Traveller) bool { return gangway.Fold(t.LastName) != surname })
		list = merge(list, more, limit)
	}
	return list, nil
}

// byIdentifier returns the traveller with the customer's identifier id.
func byIdentifier(ctx context.Context, in store.Scoped, id string) ([]gangway.Traveller, error) {
	if id == "" {
		return nil, nil
	}
	t, err := in.Traveller(ctx, gangway.Traveller{ID: id}.Key())
	switch {
	case gangway.KindOf(err) == gangway.NotFound:
		return nil, nil
	case err != nil:
		return nil, err
	}
	return []gangway.Traveller{t}, nil
}

// merge returns list followed by those of more that are not in it, at most limit.
func merge(list, more []gangway.Traveller, limit int) []gangway.Traveller {
	for _, t := range more {
		if len(list) < limit && !slices.ContainsFunc(list, func(u gangway.Traveller) bool {
			return u.RecordKey() == t.RecordKey()
		}) {
			list = append(list, t)
		}
	}
	return list
}

// isSyllabic reports whether a word is written in letters that are syllables:
// names in such scripts are written without a space.
func isSyllabic(word string) bool {
	return !strings.ContainsFunc(word, func(r rune) bool {
		return !unicode.In(r, unicode.Han, unicode.Hangul, unicode.Hiragana, unicode.Katakana) && r != 'ー'
	})
}
