package store

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"slices"
	"strings"

	"gangway"
)

// traceMark is a mark (gangway.Identity.MatchKeys) as traces have it: a number, which
// tells nothing to who reads it. Two marks may have one number: what is found
// by it is looked at.
func traceMark(of string) int64 {
	sum := sha256.Sum256([]byte(of))
	return int64(binary.BigEndian.Uint64(sum[:]) >> 1)
}

// An eachTravellerRow is handed each row that is found, with who is in it.
type eachTravellerRow func(travellerRow, []gangway.Traveller)

// find returns the rows of the account that have the data subject, in the order in
// which they are erased, and what is known of whom. It reads what has a mark in
// common with the traveller, and what was written so lately that it has no traces yet.
func (s Scoped) find(ctx context.Context, who gangway.DataSubject, e *erasing) ([]travellerRow, error) {
	e.all = map[gangway.Identity]bool{}
	learn := func(_ travellerRow, list []gangway.Traveller) {
		for _, t := range list {
			e.all[t.Identity()] = true
		}
	}
	// First what has no traces: what gets them meanwhile is found by them.
	if err := s.eachUntraced(ctx, learn); err != nil {
		return nil, err
	}
	asked := map[string]bool{}
	for marks, more := who.MatchKeys(), true; more; marks = e.marks() {
		var err error
		if more, err = s.eachMarked(ctx, marks, asked, learn); err != nil {
			return nil, err
		}
		if e.mine, e.alike, err = who.Find(e.all); err != nil {
			return nil, err
		}
	}
	return s.withTraveller(ctx, who, e)
}

// withTraveller returns the rows that have the traveller, and learns the words
// in them. Those that say what the traveller was asked for by come last: what
// was interrupted still finds the rest by them.
func (s Scoped) withTraveller(ctx context.Context, who gangway.DataSubject, e *erasing) ([]travellerRow, error) {
	type place struct {
		table string
		named bool
	}
	rows, seen := map[place][]travellerRow{}, map[string]bool{}
	pick := func(row travellerRow, list []gangway.Traveller) {
		if name := row.name(); !seen[name] && slices.ContainsFunc(list, e.has) {
			seen[name] = true
			p := place{row.holder.table, slices.ContainsFunc(list, func(t gangway.Traveller) bool {
				return who.Matches(t.Identity())
			})}
			rows[p] = append(rows[p], row)
		}
		for _, t := range list {
			if e.has(t) {
				e.learn(t)
			}
		}
	}
	if err := s.eachUntraced(ctx, pick); err != nil {
		return nil, err
	}
	if _, err := s.eachMarked(ctx, e.marks(), map[string]bool{}, pick); err != nil {
		return nil, err
	}
	var list []travellerRow
	for _, named := range []bool{false, true} {
		for _, h := range travellerTables {
			list = append(list, rows[place{h.table, named}]...)
		}
	}
	return list, nil
}

// marks are those of all that is known to be the traveller's.
func (e *erasing) marks() (list []string) {
	for l := range e.mine {
		list = append(append(list, l.MatchKeys()...), l.OlderMatchKeys()...)
	}
	return list
}

// eachMarked hands out the rows that have one of the marks which were not asked
// for yet, and reports whether there was any such mark.
func (s Scoped) eachMarked(ctx context.Context, marks []string, asked map[string]bool,
	each eachTravellerRow) (some bool, err error) {
	for _, m := range marks {
		if asked[m] {
			continue
		}
		asked[m], some = true, true
		for _, h := range travellerTables {
			if err := s.eachTableRow(ctx, h, each, h.markedStatement(), s.account, traceMark(m)); err != nil {
				return some, err
			}
		}
	}
	return some, nil
}

// markedStatement finds the rows of an account with a mark.
func (h travellerTable) markedStatement() string {
	on := "r.account = x.account"
	for _, k := range h.key {
		on += fmt.Sprintf(" AND r.%s = x.%[1]s", k)
	}
	return fmt.Sprintf(`
		SELECT x.account, r.%s
		FROM %s x
		JOIN %s r ON %s
		WHERE x.account = $1 AND x.mark = $2`,
		strings.Join(slices.Concat(h.key, h.docs), ", r."), h.traces(), h.table, on)
}

// untracedAtOnce is how many rows without traces are read in one go.
const untracedAtOnce = 500

// eachUntraced hands out the rows that have no traces yet.
func (s Scoped) eachUntraced(ctx context.Context, each eachTravellerRow) error {
	for _, h := range travellerTables {
		for n, after := untracedAtOnce, []any{s.account}; n == untracedAtOnce; {
			n = 0
			query, args := h.untracedStatement(len(after) > 1), after
			err := s.eachTableRow(ctx, h, func(row travellerRow, list []gangway.Traveller) {
				n, after = n+1, row.key
				each(row, list)
			}, query, args...)
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// untracedStatement finds the rows of an account without traces, by their keys,
// the first of them or those after a key.
func (h travellerTable) untracedStatement(after bool) string {
	columns, where := strings.Join(h.key, ", "), ""
	if after {
		where = ` AND (` + columns + `) > (` + placeholders(2, len(h.key)) + `)`
	}
	return fmt.Sprintf(`
		SELECT account, %s, %s
		FROM %s
		WHERE account = $1 AND %s%s
		ORDER BY %[1]s
		LIMIT %[6]d`, columns, strings.Join(h.docs, ", "), h.table, h.trace.due, where, untracedAtOnce)
}

// eachTableRow hands out the rows that a query finds, whose columns are a traveller table's
// key and documents.
func (s Scoped) eachTableRow(ctx context.Context, h travellerTable, each eachTravellerRow, query string,
	args ...any) error {
	err := eachRow(ctx, s.db.reader, query, args, func(row scanner) error {
		texts, err := scanTexts(row, 1+len(h.key)+len(h.docs))
		if err != nil {
			return err
		}
		list, err := h.read(texts[1+len(h.key):]...)
		if err != nil {
			return err
		}
		each(h.row(texts[:1+len(h.key)]), list)
		return nil
	})
	if err != nil {
		return fmt.Errorf("look for a traveller in %s: %w", h.table, err)
	}
	return nil
}
