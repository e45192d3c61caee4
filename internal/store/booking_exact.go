package store

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"gangway/internal/erasure"
)

// The ways to name a booking in full.
const (
	hasLocator   = `b.account = $1 AND b.locator = $2`
	hasID        = `b.account = $1 AND b.id = $2`
	hasRequest   = `b.account = $1 AND b.request = $2`
	hasTraveller = `m.account = $1 AND m.mark = $2`
	hasReference = `r.account = $1 AND r.reference = $2`
)

// spellings are the ways in which a customer's identifier is looked for: as it
// was typed, in upper case and in lower case.
func spellings(find string) [3]string {
	return [3]string{find, strings.ToUpper(find), strings.ToLower(find)}
}

// travellerMark is the mark of a customer's identifier of a traveller in the
// traces, which are written within seconds after a booking.
func travellerMark(id string) int64 { return traceMark(erasure.Identity{ID: id}.MatchKeys()[0]) }

// mostNamed bounds how many bookings one text may name in full: a travel request
// has a few sub-requests, a crew change some dozens of people.
const mostNamed = 500

var findExactly = func() string {
	up := func(where string, n int) string { return strings.Replace(where, "$2", fmt.Sprintf("$%d", n), 1) }
	parts := []string{
		`SELECT b.id FROM booking b WHERE ` + up(hasLocator, 2),
		`SELECT b.id FROM booking b WHERE ` + up(hasID, 3),
		fmt.Sprintf(`SELECT id FROM (SELECT r.booking AS id FROM booking_reference r WHERE %s ORDER BY r.booking LIMIT %d) AS listed`, up(hasReference, 4), mostNamed),
	}
	for i := range spellings("") {
		parts = append(parts,
			fmt.Sprintf(`SELECT id FROM (SELECT b.id FROM booking b WHERE %s ORDER BY b.sub_request, b.id LIMIT %d) AS listed`, up(hasRequest, 5+2*i), mostNamed),
			fmt.Sprintf(`SELECT id FROM (SELECT m.id FROM booking_trace m WHERE %s ORDER BY m.id LIMIT %d) AS listed`,
				up(hasTraveller, 6+2*i), mostNamed))
	}
	return strings.Join(parts, "\nUNION ALL\n")
}()

// exactlyArgs are the arguments of findExactly, except the account.
func exactlyArgs(find string) []any {
	args := []any{strings.ToUpper(find), find, capitals(find)}
	for _, spelt := range spellings(find) {
		args = append(args, spelt, travellerMark(spelt))
	}
	return args
}

// exactly returns the bookings that find names in full. They come first, wherever
// they would be otherwise; most texts name none.
func (s Scoped) exactly(ctx context.Context, find string) (map[string]bool, error) {
	if find = strings.TrimSpace(find); find == "" {
		return nil, nil
	}
	ids, err := selectAll(ctx, s.db.reader, column[string], findExactly,
		append([]any{s.account}, exactlyArgs(find)...)...)
	if err != nil {
		return nil, fmt.Errorf("find bookings: %w", err)
	}
	named := make(map[string]bool, len(ids))
	for _, id := range ids {
		named[id] = true
	}
	return named, nil
}

// inFull returns the ranges of the bookings that find names in full.
func (q BookingQuery) inFull(find string, w queryMeaning) []indexRange {
	q.Find = ""
	rest, reads := q.rest(w), q.reads()
	spelt := spellings(find)
	// A customer may use the same numbers for travellers, journeys and crew changes.
	other := func(f listCandidate) bool { return !slices.Contains(spelt[:], f.request) && (rest == nil || rest(f)) }
	withRequest := append(slices.Clone(reads), "b.request")
	byID := []key{{"b.id", false}}
	list := []indexRange{
		{from: fromBookings, where: hasLocator, args: []any{strings.ToUpper(find)}, keys: byID, fits: rest,
			reads: reads},
		{from: fromBookings, where: hasID, args: []any{find}, keys: byID, fits: rest, reads: reads},
	}
	seen := map[string]bool{}
	for _, id := range spelt {
		if seen[id] {
			continue
		}
		seen[id] = true
		list = append(list,
			indexRange{from: fromBookings, where: hasRequest, args: []any{id}, keys: []key{{"b.sub_request", false},
				{"b.id", false}}, fits: rest, reads: reads},
			indexRange{from: fromTraces, where: hasTraveller, args: []any{travellerMark(id)},
				keys: []key{{"m.id", false}}, fits: other, reads: withRequest})
	}
	list = append(list, indexRange{
		from: fromReferences, where: hasReference, args: []any{capitals(find)}, keys: []key{{"r.booking", false}},
		fits: other, reads: withRequest,
	})
	for i := range list {
		list[i].none = len(w.exact) == 0
	}
	return list
}
