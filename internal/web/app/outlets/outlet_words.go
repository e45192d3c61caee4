package outlets

import (
	"strings"

	"gangway/internal/gangway"
	"gangway/internal/web/app/feeds"
)

// outletKind names a kind of transport that bookings leave by.
func outletKind(kind string) string {
	if kind == "mail" {
		return "Mail"
	}
	return feeds.KindWords(kind)
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
	return "together in one document, " + feeds.IntervalWords(o.Batch)
}
