package gangway

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A TicketName is a traveller's name in the letters of a ticket: A to Z and
// single spaces.
type TicketName struct {
	Last  string `json:"last,omitempty"`
	First string `json:"first,omitempty"`
}

// TicketName returns t's name as the airline prints it. What a person has typed
// for the ticket comes first; otherwise the name is transliterated as ICAO Doc
// 9303 recommends for passports. A name that cannot be transliterated is empty.
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

// TicketDiffers reports whether the ticket spells t's name differently, apart
// from capital letters.
func (t Traveller) TicketDiffers() bool {
	n := t.TicketName()
	return n.Last != strings.ToUpper(t.LastName) || n.First != strings.ToUpper(t.FirstName)
}

// String returns n as tickets print it.
func (n TicketName) String() string { return n.Last + "/" + n.First }

// A NameProblem is why one of a traveller's names cannot be printed on a ticket
// as it is; a person has to type how it is to be printed.
type NameProblem struct {
	Field   string // "last_name" or "first_name"
	Letters int    // how many the name has on a ticket; 0: it cannot be transliterated
	Longest int    // how many the airline takes, if fewer
	Cut     string // the words of the name that fit
}

// TicketProblems returns the problems of t's name on a ticket whose names have
// at most longest letters each; 0 means no limit. A name that is missing
// altogether is not among them.
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

// Words describes p and what to do about it, to be put after the traveller's name.
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

// cutName returns the words of a name that fit into so many letters, or the
// beginning of a single long word.
func cutName(name string, longest int) string {
	if len(name) <= longest {
		return name
	}
	if i := strings.LastIndexByte(name[:longest+1], ' '); i > 0 {
		return name[:i]
	}
	return name[:longest]
}

// WriteName transliterates name as TicketName does if nobody has typed it. ok is
// false when that is impossible: name has a letter that is in no table, a digit
// or another sign, or no letter at all.
func WriteName(name string, nationality Country) (written string, ok bool) {
	return alphabetOf(strings.ToUpper(name), nationality).write(name)
}

// write transliterates name with the letters of a.
//
// Signs between letters are treated as in Doc 9303 part 3, section 4.6: a hyphen
// or comma separates two names; an apostrophe or another punctuation mark is
// dropped.
func (a *alphabet) write(name string) (written string, ok bool) {
	var b strings.Builder
	gap := false // a space comes before the next letter
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
	// A soft sign alone leaves nothing.
	written = strings.Join(strings.Fields(b.String()), " ")
	return written, written != ""
}

const capitals = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"

// marksOn returns the marks at the start of text, which belong to the letter before it.
func marksOn(text []rune) []rune {
	n := 0
	for n < len(text) && unicode.Is(unicode.M, text[n]) {
		n++
	}
	return text[:n]
}

// fallsAway lists what is dropped from a name: apostrophes in all their forms,
// dots, quotation marks, brackets, and the stroke that lengthens Arabic words.
const fallsAway = "'’‘‛ʼʻʹʽʾʿ`´′.·\"“”„«»():;!¡¿ـ"

// partsNames reports whether r separates two names.
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

// letter transliterates one letter with its marks.
func (a *alphabet) letter(r rune, marks []rune, first, last bool) (written string, known bool) {
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
