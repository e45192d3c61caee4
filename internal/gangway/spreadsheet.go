package gangway

import (
	"strings"
	"unicode"
)

// Harmless keeps spreadsheets from running a text from outside as a formula when they open a file of
// comma-separated values: an apostrophe stands before each sign with which a formula may begin where a
// cell may begin. That is at the beginning of the text, and behind a semicolon, a tab or a line break,
// as spreadsheets of some countries divide cells there, whatever is in quotes. Blanks and what is not seen do not
// count, as many programs leave them out when they read a cell.
func Harmless(text string) string {
	if text == "" || !strings.ContainsAny(text, "=+-@\t\r\n＝＋－＠") {
		return text
	}
	var safe strings.Builder
	begins := true // a cell, where the next sign stands
	for i, r := range text {
		if begins && strings.ContainsRune("=+-@＝＋－＠", r) || i == 0 && strings.ContainsRune("\t\r\n", r) {
			safe.WriteByte('\'')
		}
		safe.WriteRune(r)
		begins = strings.ContainsRune(";\t\r\n", r) ||
			begins && (unicode.IsSpace(r) || unicode.IsControl(r) || unicode.Is(unicode.Cf, r))
	}
	return safe.String()
}
