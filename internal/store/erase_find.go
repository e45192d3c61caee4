package store

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"slices"
	"strings"

	"gangway/internal/erasure"
	"gangway/internal/gangway"
)

// traceMark is a match key (erasure.Identity.MatchKeys) as traces store it: a
// hash, so that it says nothing to whoever reads it. Two keys may have the same
// hash, so the rows found by it are read and compared.
func traceMark(of string) int64 {
	sum := sha256.Sum256([]byte(of))
	return int64(binary.BigEndian.Uint64(sum[:]) >> 1)
}

// An eachTravellerRow is called with each row found, and with the travellers in it.
type eachTravellerRow func(travellerRow, []gangway.Traveller)

// find returns the account's rows that contain the data subject, in the order in
// which they are erased, and fills in what is known of the traveller. It reads
// the rows that have a mark in common with the traveller, and those that were
// written so recently that they have no traces yet.
func (s Scoped) find(ctx context.Context, who erasure.DataSubject, e *erasing) ([]travellerRow, error) {
	e.all = map[erasure.Identity]bool{}
	learn := func(_ travellerRow, list []gangway.Traveller) {
		for _, t := range list {
			e.all[erasure.IdentityOf(t)] = true
		}
	}
	// Untraced rows come first: one that gets its traces meanwhile is then found by them.
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

// withTraveller returns the rows that contain the traveller, and learns the words
// in them. Rows that match what the erasure was asked for come last, so that an
// interrupted erasure, run again, still finds the others through them.
func (s Scoped) withTraveller(ctx context.Context, who erasure.DataSubject, e *erasing) ([]travellerRow, error) {
	type place struct {
		table string
		named bool
	}
	rows, seen := map[place][]travellerRow{}, map[string]bool{}
	pick := func(row travellerRow, list []gangway.Traveller) {
		if name := row.name(); !seen[name] && slices.ContainsFunc(list, e.has) {
			seen[name] = true
			p := place{row.holder.table, slices.ContainsFunc(list, func(t gangway.Traveller) bool {
				return who.Matches(erasure.IdentityOf(t))
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

// marks are the match keys of everything that is known to be the traveller's.
func (e *erasing) marks() (list []string) {
	for l := range e.mine {
		list = append(list, l.MatchKeys()...)
	}
	return list
}

// eachMarked calls each for the rows that have one of the marks, except marks
// that were asked for before, and reports whether there was a new one.
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

// untracedAtOnce is how many rows without traces are read at a time.
const untracedAtOnce = 500

// eachUntraced calls each for the rows that have no traces yet.
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

// untracedStatement finds an account's rows without traces in the order of their
// keys, from the beginning or after a key.
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

// allStatement reads all rows of an account.
func (h travellerTable) allStatement() string {
	return `SELECT account, ` + strings.Join(slices.Concat(h.key, h.docs), ", ") + ` FROM ` + h.table +
		` WHERE account = $1`
}

// eachTableRow calls each for the rows that a query finds. The query's columns
// are a traveller table's key and documents.
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
	return wrapf(err, "look for a traveller in %s", h.table)
}
