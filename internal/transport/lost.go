package transport

import (
	"encoding/json"
	"maps"
	"strings"

	"gangway/internal/gangway"
)

// ChangeLost is Change where of the settings kept only what may be shown is known: nobody has the key
// any more that their secrets were sealed with. Invalid: a secret is left out that would have been kept.
// Of an address whose query is left out it is assumed that it had none, if there were other secrets.
func (k Kind) ChangeLost(shown, given json.RawMessage) (json.RawMessage, error) {
	if err := k.CheckChange(given); err != nil {
		return nil, err
	}
	before, err := readObject(shown)
	if err != nil {
		return nil, err
	}
	after, err := readObject(given)
	if err != nil {
		return nil, err
	}
	marked, any := markLost(before)
	if !any {
		marked = k.markQueries(before)
	}
	result, lost, err := keep("", k.Settings, marked, after)
	if err != nil {
		return nil, err
	}
	if len(lost) > 0 {
		return nil, gangway.Errorf(gangway.Invalid, "%s: the key that it was sealed with is not among those given: "+
			"give that key, or the setting again, with its secrets", strings.Join(lost, ", "))
	}
	return k.Change(json.RawMessage("{}"), mustMarshal(result))
}

// mark stands in the place of a lost secret, to see whether it would be kept.
const mark = "lost"

// markLost puts a mark in the place of each secret, and reports whether there was one.
func markLost(shown members) (marked members, any bool) {
	marked = maps.Clone(shown)
	for name, value := range shown {
		if isNull(value) {
			marked[name], any = mustMarshal(mark), true
			continue
		}
		if inner, err := readObject(value); err == nil {
			below, found := markLost(inner)
			marked[name], any = mustMarshal(below), any || found
		}
	}
	return marked, any
}

// markQueries puts a mark in the place of the query of each address.
func (k Kind) markQueries(shown members) members {
	marked := maps.Clone(shown)
	for _, s := range k.Settings {
		if value := shown[s.Name]; s.Secret == InURL && !isNull(value) {
			marked[s.Name] = mustMarshal(textOf(value) + "?" + mark)
		}
	}
	return marked
}
