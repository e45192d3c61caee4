package settings

import (
	"fmt"
	"net/http"
	"strings"
	"unicode"
	"unicode/utf8"

	"gangway"
	"gangway/internal/store"
	"gangway/internal/web/app/shell"
)

// outletKind names a kind of transport that bookings leave by.
func outletKind(kind string) string {
	if kind == "mail" {
		return "Mail"
	}
	return kindWords(kind)
}

// getsWords says which actions an outlet gets.
func getsWords(o gangway.Outlet) string {
	if len(o.States) == 0 {
		return "every action"
	}
	words := make([]string, len(o.States))
	for i, s := range o.States {
		words[i] = actionWords(s)
	}
	return strings.Join(words, ", ")
}

// actionWords names an action by the state that it led to.
func actionWords(s gangway.State) string { return strings.ReplaceAll(string(s), "_", " ") }

// togetherWords says for how long an outlet's actions are put together.
func togetherWords(o gangway.Outlet) string {
	if o.Batch == 0 {
		return "at once, each action by itself"
	}
	return "together in one document, " + intervalWords(o.Batch)
}

// reasonShown is how many letters of a reason are shown: a mapping's message may be as long as somebody likes.
const reasonShown = 400

// failureWords says in a sentence why a try failed; a try that did not fail has none.
func failureWords(a store.Attempt, o gangway.Outlet) string {
	switch {
	case a.At.IsZero() || a.Status >= 200 && a.Status <= 299:
		return ""
	case a.Status == 0:
		return capitalised(gangway.Shortened(o.AnswerWords(a.Status, a.Answer), reasonShown))
	case a.Status >= 300 && a.Status <= 399:
		return fmt.Sprintf("It answered %s: redirects are not followed, so the address must be the right one.",
			gangway.HTTPStatusWords(a.Status))
	case a.Status == http.StatusUnauthorized || a.Status == http.StatusForbidden:
		return fmt.Sprintf("It answered %s: it does not accept the outlet's authentication.",
			gangway.HTTPStatusWords(a.Status))
	}
	return fmt.Sprintf("It answered %s.", gangway.HTTPStatusWords(a.Status))
}

// allowWords says how an address can be allowed that was refused.
func allowWords(a store.Attempt) string {
	if a.Status != 0 || !strings.Contains(a.Answer, "--allow-network") {
		return ""
	}
	return "If it is right, whoever runs Gangway allows that network when starting it, as in gangway serve " +
		"--allow-network 10.20.0.0/16. What waits is sent within a minute after that."
}

// countedWords is a count of up to store.CountedDeliveries; empty for none.
func countedWords(n int) string {
	switch {
	case n == 0:
		return ""
	case n > store.CountedDeliveries:
		return "more than " + shell.Number(store.CountedDeliveries)
	}
	return shell.Number(n)
}

// capitalised makes a sentence of an error.
func capitalised(text string) string {
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
