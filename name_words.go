package gangway

import (
	"slices"
	"strings"
)

// mostWords bounds the words by which one traveller is found; nobody has as many.
const mostWords = 24

// NameWords returns the words by whose start t is found, all folded: those of
// the name as it was sent, and those of the name as tickets have it. None is
// the start of another.
//
// Decided: docs/choices.md, "Suggestion".
func (t Traveller) NameWords() []string {
	names := []string{Fold(t.LastName), Fold(t.FirstName)}
	if !plainLetters(t.LastName) || !plainLetters(t.FirstName) || t.OnTicket != (TicketName{}) {
		n := t.TicketName()
		names = append(names, strings.ToLower(n.Last), strings.ToLower(n.First))
	}
	var words []string
	for _, name := range names {
		for _, w := range append(strings.Fields(name), strings.FieldsFunc(name, partsNames)...) {
			startsKept := slices.ContainsFunc(words, func(kept string) bool { return strings.HasPrefix(kept, w) })
			if startsKept || len(words) == mostWords {
				continue
			}
			words = append(slices.DeleteFunc(words, func(kept string) bool { return strings.HasPrefix(w, kept) }), w)
		}
	}
	return words
}

// plainLetters reports whether a name is written on a ticket as it is, but for
// capitals: it has letters from A to Z and spaces only.
func plainLetters(name string) bool {
	for i := range len(name) {
		if c := name[i] | 0x20; (c < 'a' || c > 'z') && name[i] != ' ' {
			return false
		}
	}
	return true
}
