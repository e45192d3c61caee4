package gangway

import (
	"strings"
	"unicode"
)

// Misleading reports whether r cannot be seen and has a page show the text
// around it otherwise than it is: what turns the direction of writing
// (Unicode's Bidi_Control), and what ends lines and paragraphs. A name with one
// in it looks like another. Joiners, which Persian and Indic names need, are not.
//
// Source: Unicode Technical Report 36, section 2.5; UAX 9, section 2.
func Misleading(r rune) bool {
	return r > 0x600 && (unicode.Is(unicode.Bidi_Control, r) || r == '\u2028' || r == '\u2029')
}

// Unprintable reports whether s has something in it that no name and no
// identifier has: a control character, or one that is misleading.
func Unprintable(s string) bool {
	for i := range len(s) {
		switch c := s[i]; {
		case c < ' ' || c == 0x7f:
			return true
		case c >= 0x80: // rare enough to look closer
			return strings.ContainsFunc(s[i:], func(r rune) bool { return unicode.IsControl(r) || Misleading(r) })
		}
	}
	return false
}
