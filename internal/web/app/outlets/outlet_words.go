package outlets

import (
	"strings"

	"gangway/internal/deliver"
	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/transport"
	"gangway/internal/web/app/feeds"
	"gangway/internal/web/app/shell"
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

// allowWords says how an address can be allowed that was refused.
func allowWords(a store.Attempt) string {
	how := transport.HowToAllow(a.Answer)
	if a.Status != 0 || how == "" {
		return ""
	}
	return how + " What waits is sent within a minute after that."
}

// mendWords says how can be mended what a try failed on, where no page can: an address that is not allowed, or the
// outlet's mapping.
func mendWords(a store.Attempt, o gangway.Outlet) string {
	if !deliver.OfMapping(a, o) {
		return allowWords(a)
	}
	how := "--file outlet.json, which has the mapping"
	if o.Pushes() {
		how = "--name " + o.Name + " --url … --mapping-file mapping.jq"
	}
	return "Whoever runs Gangway mends the mapping, as in gangway outlet set --customer … --environment … " + how + "."
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
