package wire

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// name reads a person's name, reduced to letters and spaces. Apostrophes, dots
// and commas fall away in silence, as the interface says; a hyphen becomes a
// space, and that is pointed out, as is everything else that does not stay.
// What could not be read stays, for a person to mend.
//
// Spec: Limits, traveller names. Decided: docs/choices.md, "Hand-off".
func (f *fields) name(name, what string) string {
	sent := f.values[name]
	kept, dropped := lettersOnly(sent)
	switch {
	case sent == "":
		f.warn("the %s is missing", what)
	case kept == "":
		f.warn("the %s %q has no letters", what, sent)
	case strings.ContainsRune(kept, utf8.RuneError):
		f.warn("the %s %q could not be read: mend what stands as %c", what, kept, utf8.RuneError)
	case dropped != "":
		f.warn("the %s %q stands here as %q: %s was dropped", what, sent, kept, dropped)
	}
	return kept
}

// lettersOnly reduces a name to letters and spaces, and says what of it is to
// be pointed out, in words.
func lettersOnly(name string) (kept, dropped string) {
	var b strings.Builder
	for _, r := range name {
		switch {
		case unicode.IsLetter(r), unicode.IsMark(r), r == utf8.RuneError: // a mark belongs to the letter before it
			b.WriteRune(r)
		case unicode.IsSpace(r), r == ',':
			b.WriteByte(' ')
		case unicode.Is(unicode.Pd, r), r == '−':
			b.WriteByte(' ')
			if dropped == "" {
				dropped = "a hyphen"
			}
		case strings.ContainsRune(".'’‘`´ʼ", r), unicode.Is(unicode.Cf, r):
		default:
			dropped = "what is no letter"
		}
	}
	return strings.Join(strings.Fields(b.String()), " "), dropped
}
