package gangway

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A TicketName is a traveller's name in the letters that a ticket has: A to Z
// and single spaces.
type TicketName struct {
	Last  string `json:"last,omitempty"`
	First string `json:"first,omitempty"`
}

// TicketName returns t's name as the airline prints it. What a person has typed
// for the ticket stands before everything else; the rest is written as ICAO
// Doc 9303 recommends it for passports. A name that cannot be written so is empty.
//
// Decided: docs/choices.md, "Names on tickets".
func (t Traveller) TicketName() TicketName {
	a := alphabetOf(strings.ToUpper(t.LastName+" "+t.FirstName), t.Nationality)
	var n TicketName
	if n.Last, _ = a.write(t.LastName); t.OnTicket.Last != "" {
		n.Last, _ = anyCyrillic.write(t.OnTicket.Last)
	}
	if n.First, _ = a.write(t.FirstName); t.OnTicket.First != "" {
		n.First, _ = anyCyrillic.write(t.OnTicket.First)
	}
	return n
}

// TicketDiffers reports whether a ticket has other letters than t's name: more
// than capitals in place of small ones.
func (t Traveller) TicketDiffers() bool {
	n := t.TicketName()
	return n.Last != strings.ToUpper(t.LastName) || n.First != strings.ToUpper(t.FirstName)
}

// String returns n as tickets have it.
func (n TicketName) String() string { return n.Last + "/" + n.First }

// A NameProblem is why one of a traveller's names cannot stand on a ticket as
// it is, until a person has typed how it is to stand there.
type NameProblem struct {
	Field   string // "last_name" or "first_name"
	Letters int    // how many the name has on a ticket; 0: it cannot be written at all
	Longest int    // how many the airline takes, where that are fewer
	Cut     string // the words of it that fit
}

// TicketProblems returns what of t's name cannot stand on a ticket whose names
// have at most longest letters each; 0 is without such a limit. A name that is
// missing altogether is not among them.
func (t Traveller) TicketProblems(longest int) []NameProblem {
	n := t.TicketName()
	var list []NameProblem
	for _, name := range []struct{ field, sent, printed string }{
		{"last_name", t.LastName, n.Last}, {"first_name", t.FirstName, n.First},
	} {
		switch letters := len(name.printed); {
		case letters == 0 && strings.TrimSpace(name.sent) != "":
			list = append(list, NameProblem{Field: name.field})
		case longest > 0 && letters > longest:
			list = append(list, NameProblem{name.field, letters, longest, cutName(name.printed, longest)})
		}
	}
	return list
}

// Words says what p is and what to do, to be put after the traveller's name.
func (p NameProblem) Words() string {
	what, verb, it := "last name", "has", "it"
	if p.Field == "first_name" {
		what, verb, it = "first names", "have", "them"
	}
	if p.Letters == 0 {
		return fmt.Sprintf("the %s cannot be written in the letters of a ticket, A to Z; type %s as in the "+
			"passport's machine-readable lines", what, it)
	}
	return fmt.Sprintf("the %s %s %d letters on a ticket and the airline takes %d; say how to shorten %s", what, verb,
		p.Letters, p.Longest, it)
}

// cutName returns the words of a name that fit into so many letters; of one
// long word, what fits of it.
func cutName(name string, longest int) string {
	if len(name) <= longest {
		return name
	}
	if i := strings.LastIndexByte(name[:longest+1], ' '); i > 0 {
		return name[:i]
	}
	return name[:longest]
}

// WriteName writes name in the letters of a ticket, as TicketName does where
// nobody has typed it. ok is false when it cannot be written: it has a letter
// that no table has, a figure or another sign, or no letter at all.
func WriteName(name string, nationality Country) (written string, ok bool) {
	return alphabetOf(strings.ToUpper(name), nationality).write(name)
}

// write writes name with the letters of a.
//
// What stands between letters is treated as Doc 9303 part 3, section 4.6 has it:
// a hyphen or comma parts two names, an apostrophe or another mark of
// punctuation falls away.
func (a *alphabet) write(name string) (written string, ok bool) {
	var b strings.Builder
	gap := false // a space is due before the next letter
	text := []rune(strings.ToUpper(name))
	for i := 0; i < len(text); {
		r := text[i]
		marks := marksOn(text[i+1:])
		i += 1 + len(marks)
		letters := ""
		switch {
		case r >= 'A' && r <= 'Z' && len(marks) == 0: // nearly all letters need no table
			letters = capitals[r-'A':][:1]
		case partsNames(r):
			gap = true
			continue
		case strings.ContainsRune(fallsAway, r), unicode.Is(unicode.M, r), unicode.Is(unicode.Cf, r):
			continue
		default:
			var ok bool
			if letters, ok = a.letter(r, marks, b.Len() == 0 || gap, endsWord(text[i:])); !ok {
				return "", false
			}
		}
		if gap && b.Len() > 0 {
			b.WriteByte(' ')
		}
		gap = false
		b.WriteString(letters)
	}
	// Of a soft sign alone nothing is left.
	written = strings.Join(strings.Fields(b.String()), " ")
	return written, written != ""
}

const capitals = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"

// marksOn returns the marks that text begins with: those upon the letter before it.
func marksOn(text []rune) []rune {
	n := 0
	for n < len(text) && unicode.Is(unicode.M, text[n]) {
		n++
	}
	return text[:n]
}

// fallsAway is what leaves nothing in a name: apostrophes in all their forms,
// dots, quotation marks, brackets, and the stroke that lengthens Arabic words.
const fallsAway = "'’‘‛ʼʻʹʽʾʿ`´′.·\"“”„«»():;!¡¿ـ"

// partsNames reports whether r stands between two names.
func partsNames(r rune) bool {
	return unicode.IsSpace(r) || unicode.Is(unicode.Pd, r) || strings.ContainsRune("−/_,،<\u200b", r)
}

// endsWord reports whether no letter follows before the next gap.
func endsWord(rest []rune) bool {
	for _, r := range rest {
		if unicode.IsLetter(r) && !strings.ContainsRune(fallsAway, r) {
			return false
		}
		if partsNames(r) {
			return true
		}
	}
	return true
}

// letter writes one letter with the marks upon it.
func (a *alphabet) letter(r rune, marks []rune, first, last bool) (string, bool) {
	switch {
	case r < utf8.RuneSelf || unicode.Is(unicode.Latin, r):
		return latinLetter(r, marks)
	case unicode.Is(unicode.Cyrillic, r):
		return a.cyrillicLetter(r, marks, first)
	case unicode.Is(unicode.Arabic, r):
		return arabicLetter(r, marks, last)
	}
	return "", false
}
