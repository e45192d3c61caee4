package gangway

import (
	"slices"
	"strings"
)

// NameWords returns the words by whose start t is found besides the start of
// the folded surname and of the folded given names: first those of the ticket's
// spelling, then the further words of the name. All are folded; none is there
// twice, nor the start of another.
//
// Decided: docs/choices.md, "Suggestion".
func (t Traveller) NameWords() []string {
	if t.OnTicket == (TicketName{}) && onlyWord(t.LastName) && onlyWord(t.FirstName) {
		return nil // nothing but what the two begin with
	}
	last, first := Fold(t.LastName), Fold(t.FirstName)
	var words []string
	add := func(name string) {
		for _, w := range strings.FieldsFunc(name, func(r rune) bool { return r == ' ' || partsNames(r) }) {
			found := strings.HasPrefix(last, w) || strings.HasPrefix(first, w) || slices.ContainsFunc(words, func(kept string) bool { return strings.HasPrefix(kept, w) })
			if !found {
				words = append(words, w)
			}
		}
	}
	if !plainLetters(t.LastName) || !plainLetters(t.FirstName) || t.OnTicket != (TicketName{}) {
		n := t.TicketName()
		add(strings.ToLower(n.Last))
		add(strings.ToLower(n.First))
	}
	add(last)
	add(first)
	return words
}

// onlyWord reports whether a name is one word of the letters of tickets.
func onlyWord(name string) bool { return plainLetters(name) && !strings.Contains(name, " ") }

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
