package mapping

import (
	"strings"
	"unicode"

	"gangway/internal/gangway"
)

// nameOf reduces a name to letters and spaces: apostrophes go, a hyphen and
// whatever else there is becomes a space.
func nameOf(text string) string {
	var b strings.Builder
	space := false
	for _, r := range text {
		switch {
		case r == '\'' || r == '’' || r == '`' || r == '´' || r == '.' && !space:
			continue
		case !unicode.IsLetter(r) && !unicode.Is(unicode.Mn, r):
			space = true
			continue
		}
		if space && b.Len() > 0 {
			b.WriteByte(' ')
		}
		space = false
		b.WriteRune(r)
	}
	if b.Len() == 0 {
		return strings.TrimSpace(text)
	}
	return b.String()
}

// titles stand before or behind names.
var titles = set("mr mrs ms miss mstr dr capt captain sir madam herr frau")

// splitName parts a whole name: at a comma or a ticket's slash, else words in
// capitals are the family name, else the last word is.
func splitName(text string) (family, given string) {
	text = strings.TrimSpace(text)
	for _, between := range ",/" {
		if before, after, ok := strings.Cut(text, string(between)); ok {
			return joined(strings.Fields(before)), joined(untitled(strings.Fields(after)))
		}
	}
	words := untitled(strings.Fields(text))
	if len(words) < 2 {
		return joined(words), ""
	}
	from, to := -1, -1
	for i, w := range words {
		if isCapitals(w) {
			if from < 0 {
				from = i
			}
			to = i + 1
		}
	}
	switch {
	case from < 0, from == 0 && to == len(words):
		from, to = len(words)-1, len(words)
	}
	rest := append(append([]string(nil), words[:from]...), words[to:]...)
	return joined(words[from:to]), joined(rest)
}

func joined(words []string) string { return strings.Join(words, " ") }

func untitled(words []string) []string {
	for len(words) > 1 && titles[strings.Trim(gangway.Fold(words[0]), ".")] {
		words = words[1:]
	}
	for len(words) > 1 && titles[strings.Trim(gangway.Fold(words[len(words)-1]), ".")] {
		words = words[:len(words)-1]
	}
	return words
}

// isCapitals reports whether a word is written in capitals, and is no initial.
func isCapitals(word string) bool {
	letters := 0
	for _, r := range word {
		switch {
		case r == '.', unicode.IsLower(r):
			return false
		case unicode.IsUpper(r):
			letters++
		}
	}
	return letters > 1
}
