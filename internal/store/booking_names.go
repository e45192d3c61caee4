package store

import (
	"context"
	"slices"
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

// named returns the ranges that follow those found by how a name begins: the
// bookings of passengers with the names of w, for each the latest first.
func (q BookingQuery) named(w queryMeaning) []indexRange {
	find, folded, name := strings.TrimSpace(q.Find), gangway.Fold(q.Find), gangway.TypedName(q.Find)
	if ticketDigits(find) != "" {
		return nil // names have no digits
	}
	q.Find = ""
	rest, reads := q.rest(w), q.reads()
	if !slices.Contains(reads, "b.vessel") {
		reads = append(reads, "b.vessel")
	}
	var list []indexRange
	for _, of := range w.names {
		if strings.HasPrefix(of, name) {
			continue // already found by how it begins
		}
		list = append(list, indexRange{
			from: fromBookings, where: `b.account = $1 AND b.passenger = $2`, args: []any{of}, keys: latestFirst,
			reads: reads,
			fits: func(f listCandidate) bool {
				return !w.exact[f.id] && !strings.HasPrefix(f.vessel, folded) && (rest == nil || rest(f))
			},
		})
	}
	return list
}

// aboard returns the last ranges: the bookings of the vessels of w, for each the
// newest first.
func (q BookingQuery) aboard(w queryMeaning) []indexRange {
	name := gangway.TypedName(q.Find)
	q.Find = ""
	rest, reads := q.rest(w), append(q.reads(), "b.passenger")
	var list []indexRange
	for _, vessel := range w.vessels {
		list = append(list, indexRange{
			from: fromBookings, where: `b.account = $1 AND b.vessel = $2`, args: []any{vessel}, keys: newestFirst,
			reads: reads,
			fits: func(f listCandidate) bool {
				named := name != "" && strings.HasPrefix(f.passenger, name) || slices.Contains(w.names, f.passenger)
				return !w.exact[f.id] && !named && (rest == nil || rest(f))
			},
		})
	}
	return list
}
