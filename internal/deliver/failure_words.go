package deliver

import (
	"fmt"
	"net/http"
	"strings"
	"unicode"
	"unicode/utf8"

	"gangway"
	"gangway/internal/store"
)

// reasonShown is how many letters of a reason are shown: a mapping's message may be as long as somebody likes.
const reasonShown = 400

// FailureWords says in a sentence why a try at an outlet failed; a try that did not fail has none.
func FailureWords(a store.Attempt, o gangway.Outlet) string {
	switch {
	case a.At.IsZero() || a.Status >= 200 && a.Status <= 299:
		return ""
	case a.Status == 0:
		return Sentence(gangway.Shortened(o.AnswerWords(a.Status, a.Answer), reasonShown))
	case a.Status >= 300 && a.Status <= 399:
		return fmt.Sprintf("It answered %s: redirects are not followed, so the address must be the right one.",
			gangway.HTTPStatusWords(a.Status))
	case a.Status == http.StatusUnauthorized || a.Status == http.StatusForbidden:
		return fmt.Sprintf("It answered %s: it does not accept the outlet's authentication.",
			gangway.HTTPStatusWords(a.Status))
	}
	return fmt.Sprintf("It answered %s.", gangway.HTTPStatusWords(a.Status))
}

// Sentence makes a sentence of an error.
func Sentence(text string) string {
	r, size := utf8.DecodeRuneInString(text)
	if size == 0 {
		return ""
	}
	text = string(unicode.ToUpper(r)) + text[size:]
	if !strings.HasSuffix(text, ".") {
		text += "."
	}
	return text
}
