package flights

import "strings"

// hiddenSign replaces the hidden characters of a document's number. No number contains it.
const hiddenSign = "••••"

// MaskDocument writes a passport number such that people who know it can tell it
// from others, and people who do not cannot guess it.
func MaskDocument(number string) string {
	letters := []rune(number)
	switch n := len(letters); {
	case n == 0:
		return ""
	case n < 5:
		return hiddenSign
	case n < 8:
		return hiddenSign + string(letters[n-2:])
	default:
		return hiddenSign + string(letters[n-3:])
	}
}

// masked reports whether part of text is hidden.
func masked(text string) bool { return strings.Contains(text, "•") }
