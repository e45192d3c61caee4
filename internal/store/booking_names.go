package store

import (
	"context"
	"strings"

	"gangway/internal/gangway"
)

// mostNames is for how many travellers found by a word the bookings are looked at.
const mostNames = 100

// namesByWord returns the folded names of the account's travellers in whose name,
// as sent or as printed on tickets, each word of find begins some word. more says
// that there are more than were read.
//
// Decided: docs/choices.md, "Made while building".
func (s Scoped) namesByWord(ctx context.Context, find string) (names []string, more bool, err error) {
	words := strings.Fields(gangway.TypedName(find))
	if len(words) == 0 {
		return nil, false, nil
	}
	list, err := s.SuggestByWord(ctx, words, mostNames+1)
	if err != nil {
		return nil, false, err
	}
	if more = len(list) > mostNames; more {
		list = list[:mostNames]
	}
	seen := map[string]bool{}
	for _, t := range list {
		if name := t.FoldedName(); !seen[name] {
			seen[name], names = true, append(names, name)
		}
	}
	return names, more, nil
}
