package gangway

import (
	"cmp"
	"strings"
	"unicode"
)

// FoldDocument returns a document's number in the form in which numbers are
// compared: its letters and digits only, because blanks, hyphens and fillers
// depend on how it is printed or typed. A number with neither is compared as it is.
//
// Source: ICAO Doc 9303, part 4: in the machine-readable lines, special
// characters and blanks in a number are fillers.
//
// Decided: docs/choices.md, "Erasure".
func FoldDocument(number string) string {
	folded := Fold(number)
	bare := strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsNumber(r) {
			return r
		}
		return -1
	}, folded)
	return cmp.Or(bare, folded)
}
