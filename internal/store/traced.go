package store

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"strings"

	"gangway"
)

// mark is a mark (gangway.Likeness.Marks) as traces have it: a number, which
// tells nothing to who reads it. Two marks may have one number: what is found
// by it is looked at.
func mark(of string) int64 {
	sum := sha256.Sum256([]byte(of))
	return int64(binary.BigEndian.Uint64(sum[:]) >> 1)
}

// A look is handed each row that is found, with who is in it.
type look func(held, []gangway.Traveller)

// find returns the rows of the account that have who is sought, in the order in
// which they are erased, and what is known of whom. It reads what has a mark in
// common with the traveller, and what was written so lately that it has no traces yet.
func (s Scoped) find(ctx context.Context, who gangway.Sought, e *erasing) ([]held, error) {
	all := map[gangway.Likeness]bool{}
	learn := func(_ held, list []gangway.Traveller) {
		for _, t := range list {
			all[t.Likeness()] = true
		}
	}
	// First what has no traces: what gets them meanwhile is found by them.
	if err := s.eachUntraced(ctx, learn); err != nil {
		return nil, err
	}
	marks, asked := who.Marks(), map[string]bool{}
	for len(marks) > 0 {
		for _, m := range marks {
			if asked[m] {
				continue
			}
			asked[m] = true
			if err := s.eachMarked(ctx, m, learn); err != nil {
				return nil, err
			}
		}
		mine, alike, err := who.Find(all)
		if err != nil {
			return nil, err
		}
		e.mine, e.all, e.alike, marks = mine, all, alike, nil
		for l := range mine {
			for _, m := range l.Marks() {
				if !asked[m] && !slices.Contains(marks, m) {
					marks = append(marks, m)
				}
			}
		}
	}
	return s.withTraveller(ctx, e)
}

// withTraveller returns the rows that have the traveller, and learns the words in them.
func (s Scoped) withTraveller(ctx context.Context, e *erasing) ([]held, error) {
	rows, seen := map[string][]held{}, map[string]bool{}
	pick := func(row held, list []gangway.Traveller) {
		if name := row.name(); !seen[name] && slices.ContainsFunc(list, e.has) {
			seen[name] = true
			rows[row.holder.table] = append(rows[row.holder.table], row)
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
	asked := map[string]bool{}
	for l := range e.mine {
		for _, m := range l.Marks() {
			if asked[m] {
				continue
			}
			asked[m] = true
			if err := s.eachMarked(ctx, m, pick); err != nil {
				return nil, err
			}
		}
	}
	var list []held
	for _, h := range holders {
		list = append(list, rows[h.table]...)
	}
	return list, nil
}

// eachMarked hands out the rows that have a mark.
func (s Scoped) eachMarked(ctx context.Context, m string, each look) error {
	for _, h := range holders {
		if _, err := s.readHeld(ctx, h, each, h.markedStatement(), s.account, mark(m)); err != nil {
			return fmt.Errorf("look for a traveller in %s: %w", h.table, err)
		}
	}
	return nil
}

// markedStatement finds the rows of an account with a mark.
func (h holder) markedStatement() string {
	on := "r.account = x.account"
	for _, k := range h.key {
		on += fmt.Sprintf(" AND r.%s = x.%[1]s", k)
	}
	return fmt.Sprintf(`
		SELECT %s, %s
		FROM %s x
		JOIN %s r ON %s
		WHERE x.account = $1 AND x.mark = $2`,
		prefixed("r.", strings.Join(h.key, ", ")), prefixed("r.", h.docs), h.traces(), h.table, on)
}

func prefixed(table, columns string) string {
	return table + strings.ReplaceAll(columns, ", ", ", "+table)
}

// heldAtOnce is how many rows without traces are read in one go.
const heldAtOnce = 500

// eachUntraced hands out the rows that have no traces yet.
func (s Scoped) eachUntraced(ctx context.Context, each look) error {
	for _, h := range holders {
		last, args := []any(nil), []any{s.account}
		for n := heldAtOnce; n == heldAtOnce; args = append(args[:1], last...) {
			n = 0
			count := func(row held, list []gangway.Traveller) {
				n, last = n+1, row.key
				each(row, list)
			}
			if _, err := s.readHeld(ctx, h, count, h.untracedStatement(last != nil), args...); err != nil {
				return fmt.Errorf("look for a traveller in %s: %w", h.table, err)
			}
		}
	}
	return nil
}

// untracedStatement finds the rows of an account without traces, by their keys,
// the first of them or those after a key.
func (h holder) untracedStatement(after bool) string {
	columns, where := strings.Join(h.key, ", "), ""
	if after {
		where = ` AND (` + columns + `) > (` + places(2, len(h.key)) + `)`
	}
	return fmt.Sprintf(`
		SELECT %s, %s
		FROM %s
		WHERE account = $1 AND %s%s
		ORDER BY %[1]s
		LIMIT %[6]d`, columns, h.docs, h.table, h.fresh, where, heldAtOnce)
}

// readHeld hands out the rows that a query finds, whose columns are a holder's
// key and documents, and returns how many there were.
func (s Scoped) readHeld(ctx context.Context, h holder, each look, query string, args ...any) (n int, err error) {
	rows, err := s.db.reader.QueryContext(ctx, query, args...)
	if err != nil {
		return 0, err
	}
	defer rows.Close()
	for ; rows.Next(); n++ {
		values := make([]string, len(h.key)+1+strings.Count(h.docs, ","))
		into := make([]any, len(values))
		for i := range values {
			into[i] = &values[i]
		}
		if err := rows.Scan(into...); err != nil {
			return n, err
		}
		row := held{holder: h}
		for _, key := range values[:len(h.key)] {
			row.key = append(row.key, key)
		}
		list, err := h.read(values[len(h.key):]...)
		if err != nil {
			return n, err
		}
		each(row, list)
	}
	return n, errors.Join(rows.Err(), rows.Close())
}
