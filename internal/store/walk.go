package store

import (
	"cmp"
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"gangway/internal/gangway"
)

// An indexRange is a part of a list of bookings that one index has in the list's
// order: a range of the index, and which rows in it are left out.
type indexRange struct {
	from  string // the tables
	where string // the range, after the account
	args  []any  // from $2 on
	keys  []key  // the order; the last key is unique
	fits  func(listCandidate) bool
	reads []string // what fits looks at besides the keys: columns that are in the index too
	none  bool     // it is already known that the range is empty
}

// A key is a column of an order.
type key struct {
	column string
	desc   bool
}

// A listCandidate has what decides whether a booking belongs on a list, without its document.
type listCandidate struct {
	id, passenger, vessel, departs, by, tickets, request string

	state gangway.State
	place []any // its keys
}

// into returns where the value of a column is scanned to.
func (f *listCandidate) into(column string) any {
	switch column {
	case "b.passenger":
		return &f.passenger
	case "b.vessel":
		return &f.vessel
	case "b.departs":
		return &f.departs
	case "b.created_by":
		return &f.by
	case "b.tickets":
		return &f.tickets
	case "b.request":
		return &f.request
	case "b.state":
		return &f.state
	}
	return new(any)
}

// looksAt returns how many bookings are looked at for a page. If several filters
// together let few through, the page ends there, says so, and the next one continues.
func looksAt(limit int) int { return max(500, 2*limit) }

// A pageOf is what a walk found: bookings, and the positions before and after
// them if there are more, or may be.
type pageOf struct {
	ids           []string
	before, after string
	cut           bool // too many were looked at
}

// walk reads a page of limit bookings of a list, from the position at.
func (s Scoped) walk(ctx context.Context, list []indexRange, at string, limit int) (pageOf, error) {
	var page pageOf
	begin := readPosition(at, list)
	back, looked, seen := begin.Back, 0, map[string]bool{}
	type spot struct {
		inRange int
		listCandidate
	}
	var rows []spot
	last := spot{inRange: -1}
	step, end := 1, len(list)
	if back {
		step, end = -1, -1
	}
reading:
	for i := begin.Range; i != end; i += step {
		if list[i].none {
			continue
		}
		from := begin.Place
		if i != begin.Range {
			from = nil
		}
		for _, part := range list[i].parts(from, back) {
			want := limit + 1 - len(rows)
			if list[i].fits != nil {
				want = looksAt(limit) - looked
			}
			n := 0
			err := s.read(ctx, list[i], part, want, back, func(f listCandidate) bool {
				n++
				last = spot{i, f}
				if (list[i].fits == nil || list[i].fits(f)) && !seen[f.id] {
					seen[f.id] = true
					rows = append(rows, last)
				}
				return len(rows) <= limit
			})
			if err != nil {
				return page, err
			}
			if looked += n; len(rows) > limit {
				break reading
			}
			if page.cut = list[i].fits != nil && looked >= looksAt(limit); page.cut {
				break reading
			}
		}
	}
	more := len(rows) > limit
	if more {
		rows = rows[:limit]
		last = rows[limit-1]
	}
	further := ""
	if more || page.cut {
		further = position{last.inRange, last.place, back}.String()
	}
	returning := ""
	if len(rows) > 0 && begin.Place != nil {
		returning = position{rows[0].inRange, rows[0].place, !back}.String()
	}
	page.before, page.after = returning, further
	if back {
		slices.Reverse(rows)
		page.before, page.after = further, returning
	}
	for _, r := range rows {
		page.ids = append(page.ids, r.id)
	}
	return page, nil
}

// A rangeTail is a part of an index range after a place: its first keys are those
// of the place, and the next key is beyond it.
type rangeTail struct {
	where string
	args  []any
}

// parts splits what comes after place into ranges of the index, in their order.
// If all keys had the same direction, one comparison of rows would do.
func (t indexRange) parts(place []any, back bool) []rangeTail {
	if place == nil {
		return []rangeTail{{}}
	}
	var list []rangeTail
	for i := len(t.keys) - 1; i >= 0; i-- {
		var p rangeTail
		for j := range t.keys[:i+1] {
			op := "="
			if j == i {
				op = ">"
				if t.keys[j].desc != back {
					op = "<"
				}
			}
			p.args = append(p.args, place[j])
			p.where += fmt.Sprintf(" AND %s %s $%d", t.keys[j].column, op, 1+len(t.args)+len(p.args))
		}
		list = append(list, p)
	}
	return list
}

func (t indexRange) order(back bool) string {
	words := make([]string, len(t.keys))
	for i, k := range t.keys {
		words[i] = k.column
		if k.desc != back {
			words[i] += " DESC"
		}
	}
	return strings.Join(words, ", ")
}

// statement returns the query for the first n bookings of a part.
func (s Scoped) statement(t indexRange, p rangeTail, n int, back bool) (string, []any) {
	columns := slices.Concat([]string{"b.id"}, t.reads)
	for _, k := range t.keys {
		columns = append(columns, k.column)
	}
	return fmt.Sprintf(`
		SELECT %s
		FROM %s
		WHERE %s%s
		ORDER BY %s
		LIMIT %d`,
			strings.Join(columns, ", "), t.from, t.where, p.where, t.order(back), n), slices.Concat([]any{s.account},
			t.args, p.args)
}

// read calls each for the first n bookings of a part, until each returns false.
func (s Scoped) read(ctx context.Context, t indexRange, p rangeTail, n int, back bool,
	each func(listCandidate) bool) error {
	query, args := s.statement(t, p, n, back)
	rows, err := s.db.reader.QueryContext(ctx, query, args...)
	if err != nil {
		return fmt.Errorf("list bookings: %w", err)
	}
	defer rows.Close()
	for rows.Next() {
		f := listCandidate{place: make([]any, len(t.keys))}
		into := []any{&f.id}
		for _, column := range t.reads {
			into = append(into, f.into(column))
		}
		for i := range t.keys {
			into = append(into, &f.place[i])
		}
		if err := rows.Scan(into...); err != nil {
			return fmt.Errorf("list bookings: %w", err)
		}
		if !each(f) {
			break
		}
	}
	return rows.Err()
}

// bookingsInOrder returns the bookings with these identifiers, in that order.
func (s Scoped) bookingsInOrder(ctx context.Context, ids []string) ([]gangway.Booking, error) {
	place := make(map[string]int, len(ids))
	for i, id := range ids {
		place[id] = i
	}
	var list []gangway.Booking
	err := s.among(ctx, `doc, check_at FROM booking`, `id`, ids, func(row scanner) error {
		b, err := scanBooking(row)
		list = append(list, b)
		return err
	})
	slices.SortFunc(list, func(a, b gangway.Booking) int { return cmp.Compare(place[a.ID], place[b.ID]) })
	return list, err
}

// A position is a place in a list: before or after a given row.
type position struct {
	Range int   `json:"s"`
	Place []any `json:"p"`
	Back  bool  `json:"b,omitempty"`
}

func (p position) String() string {
	text, err := json.Marshal(p)
	if err != nil { // cannot happen with texts and numbers
		return ""
	}
	return base64.RawURLEncoding.EncodeToString(text)
}

// readPosition reads a position in one of the ranges; an empty or unreadable
// one is the beginning.
func readPosition(text string, list []indexRange) position {
	var p position
	raw, err := base64.RawURLEncoding.DecodeString(text)
	if err != nil {
		return position{}
	}
	dec := json.NewDecoder(strings.NewReader(string(raw)))
	dec.UseNumber()
	if dec.Decode(&p) != nil || p.Range < 0 || p.Range >= len(list) || len(p.Place) != len(list[p.Range].keys) {
		return position{}
	}
	for i, v := range p.Place {
		switch v := v.(type) {
		case json.Number:
			n, err := v.Int64()
			if err != nil || !list[p.Range].keys[i].number() {
				return position{}
			}
			p.Place[i] = n
		case string:
			if list[p.Range].keys[i].number() || !validText(v) {
				return position{}
			}
		default:
			return position{}
		}
	}
	return p
}

// validText reports whether PostgreSQL takes s as text.
func validText(s string) bool { return !strings.Contains(s, "\x00") }

// number reports whether the column holds numbers.
func (k key) number() bool { return k.column == "b.created_at" }
