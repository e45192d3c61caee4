package wire

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// name reads a person's name, reduced to letters and spaces. Apostrophes, dots
// and commas are dropped silently, as the interface says; a hyphen becomes a space,
// with a warning, and anything else that is dropped is pointed out too. Characters
// that could not be decoded are kept, for a person to correct.
//
// Spec: Limits, traveller names. Decided: docs/choices.md, "Hand-off".
func (f *fields) name(name, what string) string {
	sent := f.values[name]
	kept, changes := lettersOnly(sent)
	switch {
	case sent == "":
		f.warn("the %s is missing", what)
	case kept == "":
		f.warn("the %s %q has no letters", what, sent)
	case strings.ContainsRune(kept, utf8.RuneError):
		f.warn("the %s %q could not be read: correct what is shown as %c", what, kept, utf8.RuneError)
	case changes != "":
		f.warn("the %s %q became %q: %s", what, sent, kept, changes)
	}
	return kept
}

// lettersOnly reduces a name to letters and spaces. changes says what happened to
// the rest, where that has to be pointed out.
func lettersOnly(name string) (kept, changes string) {
	var b strings.Builder
	var mark, dot, hyphen, other bool
	for _, r := range name {
		switch {
		case unicode.IsLetter(r), unicode.IsMark(r), r == utf8.RuneError: // a mark belongs to the letter before it
			b.WriteRune(r)
		case unicode.IsSpace(r), r == ',':
			b.WriteByte(' ')
		case unicode.Is(unicode.Pd, r), r == '−':
			b.WriteByte(' ')
			hyphen = true
		case strings.ContainsRune("'’‘`´ʼ", r):
			mark = true
		case r == '.':
			dot = true
		case unicode.Is(unicode.Cf, r):
		default:
			other = true
		}
	}
	return strings.Join(strings.Fields(b.String()), " "), nameChanges(mark, dot, hyphen, other)
}

// nameChanges says how a name was changed. A dropped apostrophe or dot is mentioned
// only beside another change, so that nobody mistakes it for that change.
func nameChanges(apostrophe, dot, hyphen, other bool) string {
	var list []string
	if apostrophe && (hyphen || other) {
		list = append(list, "an apostrophe was dropped")
	}
	if dot && (hyphen || other) {
		list = append(list, "a dot was dropped")
	}
	if hyphen {
		list = append(list, "a hyphen became a space")
	}
	if other {
		list = append(list, "characters other than letters were dropped")
	}
	return strings.Join(list, ", ")
}
