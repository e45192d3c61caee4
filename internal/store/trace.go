package store

import (
	"context"
	"database/sql"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"gangway/internal/erasure"
	"gangway/internal/gangway"
)

// tracedAtOnce is about how many travellers get their traces in one transaction:
// few enough that no upload has to wait.
const tracedAtOnce = 500

// Trace writes traces for a few hundred records of any account that have none, and
// reports whether there were any. Two replicas may do so at once, and a record
// that somebody else has locked is left for the next time.
func (db *DB) Trace(ctx context.Context) (bool, error) {
	for _, h := range travellerTables {
		some, err := db.untraced(ctx, h)
		if err != nil {
			return false, fmt.Errorf("look for records of %s without traces: %w", h.table, err)
		}
		if !some {
			continue
		}
		n := 0
		err = db.write(ctx, func(tx *sql.Tx) (err error) {
			n, err = h.traceSome(ctx, tx, db.dialect)
			return err
		})
		if err != nil {
			return false, fmt.Errorf("write traces of %s: %w", h.table, err)
		}
		if n > 0 {
			return true, nil
		}
	}
	return false, nil
}

// untraced reports whether any record of h has to be traced. It only reads: most
// of the time there is none, and finding out must not hold up anybody who writes.
func (db *DB) untraced(ctx context.Context, h travellerTable) (some bool, err error) {
	err = db.reader.QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM `+h.table+` WHERE `+h.trace.due+`)`).Scan(&some)
	return some, err
}

// samePassportMost is how many others with the same passport are named.
const samePassportMost = 5

// SamePassport returns the stored travellers with the passport of t whose identifier is another,
// at most 5. They are found by their traces, so one that was written just now may be missing.
func (s Scoped) SamePassport(ctx context.Context, t gangway.Traveller) ([]gangway.Traveller, error) {
	is := erasure.IdentityOf(t)
	if is.ID == "" || is.DocNumber == "" {
		return nil, nil
	}
	mark := traceMark(erasure.Identity{DocNumber: is.DocNumber}.MatchKeys()[0])
	list, err := selectAll(ctx, s.db.reader, scanTraveller, `
		SELECT t.doc
		FROM traveller_trace x
		JOIN traveller t ON t.account = x.account AND t.key = x.key
		WHERE x.account = $1 AND x.mark = $2
		ORDER BY x.key
		LIMIT $3`,
		s.account, mark, 10*samePassportMost)
	if err != nil {
		return nil, fmt.Errorf("look for the same passport: %w", err)
	}
	list = slices.DeleteFunc(list, func(other gangway.Traveller) bool {
		has := erasure.IdentityOf(other)
		return has.ID == "" || has.ID == is.ID || has.DocNumber != is.DocNumber || has.DocCountry != is.DocCountry
	})
	return list[:min(len(list), samePassportMost)], nil
}

// traceStatement marks some records of h as traced, and returns their keys, their
// documents and their present marks.
func (h travellerTable) traceStatement(d dialect) string {
	same := "x.account = " + h.table + ".account"
	for _, k := range h.key {
		same += fmt.Sprintf(" AND x.%s = %s.%[1]s", k, h.table)
	}
	key := "account, " + strings.Join(h.key, ", ")
	return fmt.Sprintf(`
		UPDATE %s
		SET %s
		WHERE %s
		RETURNING %s, %s, coalesce((SELECT string_agg(CAST(x.mark AS TEXT), ' ') FROM %s x WHERE %s), '')`,
		h.table, h.trace.done, d.picked(fmt.Sprintf(`
			SELECT %s
			FROM %s
			WHERE %s
			ORDER BY %s
			LIMIT %d`, d.rowName(), h.table, h.trace.due, key, max(1, tracedAtOnce/h.people))),
		key, strings.Join(h.docs, ", "), h.traces(), same)
}

// traceSome updates the traces of some records while they are locked, and returns
// how many records these were.
func (h travellerTable) traceSome(ctx context.Context, tx *sql.Tx, d dialect) (n int, err error) {
	docs := 1 + len(h.key)
	marks := docs + len(h.docs)
	var change marksChange
	err = eachRow(ctx, tx, h.traceStatement(d), nil, func(row scanner) error {
		n++
		texts, err := scanTexts(row, marks+1)
		if err != nil {
			return err
		}
		list, err := h.read(texts[docs:marks]...)
		if err != nil {
			return err
		}
		var had []int64
		for text := range strings.FieldsSeq(texts[marks]) {
			m, err := strconv.ParseInt(text, 10, 64)
			if err != nil {
				return err
			}
			had = append(had, m)
		}
		change.add(h.row(texts[:docs]), had, list)
		return nil
	})
	if err != nil {
		return n, err
	}
	return n, change.write(ctx, tx, h)
}

// A marksChange is a change to the marks of some records: the rows of the trace
// table to delete and to insert.
type marksChange struct{ gone, fresh [][]any }

// add notes that r, which has the marks had, is to have only those of list.
func (c *marksChange) add(r travellerRow, had []int64, list []gangway.Traveller) {
	want := map[int64]bool{}
	for _, t := range list {
		for _, m := range erasure.IdentityOf(t).MatchKeys() {
			want[traceMark(m)] = true
		}
	}
	for _, m := range had {
		if want[m] {
			delete(want, m)
			continue
		}
		c.gone = append(c.gone, append(slices.Clone(r.key), m))
	}
	for _, m := range slices.Sorted(maps.Keys(want)) {
		c.fresh = append(c.fresh, append(slices.Clone(r.key), m))
	}
}

func (c *marksChange) write(ctx context.Context, tx *sql.Tx, h travellerTable) error {
	columns := slices.Concat([]string{"account"}, h.key, []string{"mark"})
	if err := deleteMany(ctx, tx, h.traces(), columns, c.gone); err != nil {
		return err
	}
	return insertMany(ctx, tx, h.traces(), columns, c.fresh)
}

// retrace gives r, which is locked, only the marks of list.
func (r travellerRow) retrace(ctx context.Context, tx *sql.Tx, list []gangway.Traveller) error {
	had, err := selectAll(ctx, tx, column[int64], `SELECT mark FROM `+r.holder.traces()+` WHERE `+r.at(), r.key...)
	if err != nil {
		return err
	}
	var change marksChange
	change.add(r, had, list)
	return change.write(ctx, tx, r.holder)
}
