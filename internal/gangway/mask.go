package gangway

import "strings"

// HiddenSign replaces the hidden characters of a document's number. No number contains it.
const HiddenSign = "••••"

// MaskDocument writes a passport number such that people who know it can tell it
// from others, and people who do not cannot guess it.
func MaskDocument(number string) string {
	letters := []rune(number)
	switch n := len(letters); {
	case n == 0:
		return ""
	case n < 5:
		return HiddenSign
	case n < 8:
		return HiddenSign + string(letters[n-2:])
	default:
		return HiddenSign + string(letters[n-3:])
	}
}

// Masked reports whether part of text is hidden.
func Masked(text string) bool { return strings.Contains(text, "•") }
