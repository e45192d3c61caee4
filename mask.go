package gangway

import "strings"

// HiddenSign stands for what is not shown of a document's number. No number has it.
const HiddenSign = "••••"

// MaskDocument writes the number of a passport so that who knows it can tell it
// from others, and who does not cannot guess it.
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

// Masked reports whether text has a part that is not shown.
func Masked(text string) bool { return strings.Contains(text, "•") }
