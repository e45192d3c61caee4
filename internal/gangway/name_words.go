package gangway

import (
	"slices"
	"strings"
)

// mostWords bounds the words by which one traveller is found; no real name has as many.
const mostWords = 24

// NameWords returns the words under which t is found by their first letters, all
// folded: the words of the name as it was sent, and those of the name as tickets
// have it. No word starts with another one.
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

// HasWords reports whether every typed word starts a word of name, each a
// different one; false if nothing was typed. Both must be folded.
func HasWords(name, typed string) bool {
	words, of := strings.FieldsFunc(Fold(typed), partsNames), strings.FieldsFunc(Fold(name), partsNames)
	// a word that starts with the longer one also starts with the shorter one
	slices.SortFunc(words, func(a, b string) int { return len(b) - len(a) })
	for _, w := range words {
		i := slices.IndexFunc(of, func(has string) bool { return strings.HasPrefix(has, w) })
		if i < 0 {
			return false
		}
		of = slices.Delete(of, i, i+1)
	}
	return len(words) > 0
}

// TypedName folds a name as people type it, so that it can be compared with
// FoldedName: a comma or a slash may separate surname and given names, as in
// SANTOS/MARIA on a ticket, and the title that tickets add is dropped.
func TypedName(text string) string {
	last, first, slash := strings.Cut(text, "/")
	if !slash {
		return Fold(strings.ReplaceAll(text, ",", " "))
	}
	words := strings.Fields(Fold(first))
	if n := len(words); n > 1 && slices.Contains(ticketTitles, words[n-1]) {
		words = words[:n-1]
	}
	return Fold(last + " " + strings.ReplaceAll(strings.Join(words, " "), "/", " "))
}

// ticketTitles follow the given names on tickets.
var ticketTitles = []string{"mr", "mrs", "ms", "miss", "mstr"}

// plainLetters reports whether a name is written on a ticket unchanged except
// for capitals: it has only letters from A to Z and spaces.
func plainLetters(name string) bool {
	for i := range len(name) {
		if c := name[i] | 0x20; (c < 'a' || c > 'z') && name[i] != ' ' {
			return false
		}
	}
	return true
}
