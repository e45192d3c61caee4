package gangway

import "strings"

// People write passport numbers and telephone numbers in many ways; the rules
// here refuse only what cannot be either.

// PassportNumber reports whether s can be a passport number: at least four
// letters and digits, with a digit among them, and any spacing.
func PassportNumber(s string) bool {
	count, digits := 0, 0
	for i := range len(s) {
		switch c := s[i]; {
		case c >= '0' && c <= '9':
			count, digits = count+1, digits+1
		case c|0x20 >= 'a' && c|0x20 <= 'z':
			count++
		case !strings.ContainsRune(" -/.", rune(c)):
			return false
		}
	}
	return count >= 4 && digits > 0
}

// PhoneNumber reports whether s can be a telephone number with its area code:
// six to fifteen digits with any spacing, perhaps with an extension.
func PhoneNumber(s string) bool {
	number, extension, _ := strings.Cut(strings.ToLower(s), "x")
	digits := 0
	for i, c := range strings.TrimSuffix(strings.TrimSpace(number), "e") {
		switch {
		case c >= '0' && c <= '9':
			digits++
		case c == '+' && i == 0, strings.ContainsRune(" -()./", c):
		default:
			return false
		}
	}
	return digits >= 6 && digits <= 15 && strings.Trim(extension, "t. 0123456789") == ""
}
