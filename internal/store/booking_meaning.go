package store

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"gangway/internal/gangway"

	"github.com/go-json-experiment/json"
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
	vessel := q.Vessel
	if find := strings.TrimSpace(q.Find); find != "" {
		vessel = find
	}
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
		texts, err := scanTexts(row, 2)
		if err != nil {
			return err
		}
		var last struct {
			Name string `json:"created_by_name"`
		}
		if err := json.Unmarshal([]byte(texts[1]), &last); err != nil {
			return err
		}
		who := texts[0]
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
