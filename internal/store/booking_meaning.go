package store

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"gangway/internal/erasure"
	"gangway/internal/gangway"
)

// A queryMeaning is what the words of a query refer to in an account.
type queryMeaning struct {
	exact   map[string]bool // bookings that are named in full
	names   []string        // folded names of travellers on record
	vessels []string        // folded names of vessels that the words fit, but not from the start of the name
	by      []string        // how bookings name who booked

	moreNames, moreVessels, moreBookers bool // more fit than were looked at
}

// mostValues bounds how many vessels and people are searched for words; mostFit
// bounds for how many of those that fit the bookings are looked at.
const (
	mostValues = 2000
	mostFit    = 100
)

// meaning looks up what the words of q refer to.
func (s Scoped) meaning(ctx context.Context, q BookingQuery) (w queryMeaning, err error) {
	if w.exact, err = s.exactly(ctx, q.Find); err != nil {
		return w, err
	}
	if w.names, w.moreNames, err = s.namesByWord(ctx, q.Find); err != nil {
		return w, err
	}
	vessel := cmp.Or(strings.TrimSpace(q.Find), q.Vessel)
	if ticketDigits(vessel) == "" || q.Find == "" {
		if w.vessels, w.moreVessels, err = s.vesselsByWord(ctx, vessel); err != nil {
			return w, err
		}
	}
	w.by, w.moreBookers, err = s.bookersCalled(ctx, q.By)
	return w, err
}

// eachBooker is a statement for everybody who made bookings in an account, each
// with their latest booking, which has their name.
var eachBooker = latestOfEach("booking", "account", "created_by", "doc", "created_at", mostValues+1)

// vesselsByWord returns the account's vessels in whose name each word that was
// typed begins some word, except those whose whole name begins with the text.
func (s Scoped) vesselsByWord(ctx context.Context, typed string) (list []string, more bool, err error) {
	folded := gangway.Fold(typed)
	if folded == "" {
		return nil, false, nil
	}
	vessels, err := selectAll(ctx, s.db.reader, column[string], `
		SELECT vessel
		FROM booking_vessel
		WHERE account = $1
		ORDER BY vessel
		LIMIT $2`,
		s.account, mostValues+1)
	if err != nil {
		return nil, false, fmt.Errorf("look for vessels: %w", err)
	}
	more = len(vessels) > mostValues
	for _, v := range vessels {
		if strings.HasPrefix(v, folded) || !gangway.HasWords(v, folded) {
			continue
		}
		if len(list) == mostFit {
			return list, true, nil
		}
		list = append(list, v)
	}
	return list, more, nil
}

// bookersCalled returns how bookings name the person whom somebody typed: by an
// e-mail address, or by words of the name, as the person has it now or had it at
// the last booking.
func (s Scoped) bookersCalled(ctx context.Context, typed string) (list []string, more bool, err error) {
	if typed = strings.TrimSpace(typed); typed == "" {
		return nil, false, nil
	}
	if strings.Contains(typed, "@") {
		return slices.Compact([]string{typed, foldEmail(typed)}), false, nil
	}
	names := map[string]string{}
	err = eachRow(ctx, s.db.reader, `
		SELECT email, name
		FROM person
		WHERE customer = (SELECT customer FROM account WHERE id = $1)`, []any{s.account}, func(row scanner) error {
		texts, err := scanTexts(row, 2)
		if err == nil {
			names[texts[0]] = texts[1]
		}
		return err
	})
	if err != nil {
		return nil, false, fmt.Errorf("look for people: %w", err)
	}
	n := 0
	err = eachRow(ctx, s.db.reader, eachBooker, []any{s.account}, func(row scanner) error {
		n++
		var who string
		var last struct {
			Name string `json:"created_by_name"`
		}
		if err := row.Scan(&who, docColumn{&last}); err != nil {
			return err
		}
		if who == typed || gangway.HasWords(names[who], typed) || gangway.HasWords(last.Name, typed) {
			list = append(list, who)
		}
		return nil
	})
	if err != nil {
		return nil, false, fmt.Errorf("look for who booked: %w", err)
	}
	if len(list) > mostFit {
		return list[:mostFit], true, nil
	}
	return list, n > mostValues, nil
}

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
func spellings(find string) []string {
	return []string{find, strings.ToUpper(find), strings.ToLower(find)}
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
