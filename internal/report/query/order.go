package query

import (
	"fmt"
	"slices"
	"strings"

	"gangway/internal/gangway"
	"gangway/internal/report/odata"
)

// A sortKey is an expression that rows are ordered by.
type sortKey struct {
	sql        string
	kind       odata.Kind
	wide       bool
	nullable   bool
	descending bool
}

// sorted returns what rows are ordered by, and adds it to what is selected. Literals order nothing.
func (t *translator) sorted(q *odata.Query, s *Statement, selected *[]string) []sortKey {
	var all []sortKey
	for _, o := range q.OrderBy {
		if _, constant := o.By.(*odata.Literal); constant {
			continue
		}
		n := o.By.Info()
		k := sortKey{t.value(o.By), n.Type.Kind, isWide(n), n.Nullable, o.Descending}
		shown, before := t.shown(k.sql, k.wide), len(*selected)-len(s.Columns)
		if at := slices.Index(*selected, shown); at >= before { // it is asked for anyway
			s.order = append(s.order, at-before)
		} else {
			s.order = append(s.order, len(s.Columns))
			s.Columns = append(s.Columns, Column{"", n.Type, k.wide})
			*selected = append(*selected, shown)
		}
		if isText(k.kind) {
			k.sql = t.bytewise(k.sql)
		}
		all = append(all, k)
	}
	return all
}

// ordered writes a key in ORDER BY: null comes first, or last if descending. What is never null has
// no such clause, so that PostgreSQL finds any index.
func (t *translator) ordered(k sortKey) string {
	switch {
	case k.descending && k.nullable:
		return k.sql + " DESC NULLS LAST"
	case k.descending:
		return k.sql + " DESC"
	case k.nullable:
		return k.sql + " NULLS FIRST"
	}
	return k.sql
}

// after returns the conditions for rows that come behind a position. Each is a range of an index,
// and all rows of the first come before those of the second. They are functions, as one that is
// written binds its arguments.
func (t *translator) after(keys []sortKey, at Position) []func() string {
	constant := func(s string) func() string { return func() string { return s } }
	if len(keys) == 0 { // there is a single row
		return []func() string{constant(truth(false))}
	}
	value := func() string { return t.afterValue(keys, at) }
	isNull, isNotNull := "("+keys[0].sql+" IS NULL)", "("+keys[0].sql+" IS NOT NULL)"
	among := func() string { // those that are null, too
		rest := t.after(keys[1:], at[1:])
		terms := gangway.Each(rest, func(r func() string) string { return r() })
		return "(" + isNull + " AND " + joined(" OR ", terms) + ")"
	}
	switch k := keys[0]; {
	case !k.nullable, at[0] != nil && !k.descending:
		return []func() string{value}
	case at[0] != nil:
		return []func() string{value, constant(isNull)}
	case k.descending:
		return []func() string{among}
	}
	return []func() string{among, constant(isNotNull)}
}

// afterValue returns the condition for rows that come behind a position whose first value is not
// null, without those whose first value is null.
func (t *translator) afterValue(keys []sortKey, at Position) string {
	other := func(k sortKey) bool { return k.nullable || k.descending != keys[0].descending }
	if !slices.ContainsFunc(keys[1:], other) {
		left, right := make([]string, len(keys)), make([]string, len(keys))
		for i, k := range keys {
			left[i], right[i] = k.sql, t.bound(at[i])
		}
		return "((" + strings.Join(left, ", ") + ")" + beyond(keys[0]) + "(" + strings.Join(right, ", ") + "))"
	}
	// (a > x) OR (a = x AND ((b > y) OR (b = y AND …))), and a >= x for an index
	sql := t.behind(keys[len(keys)-1], at[len(keys)-1])
	for i := len(keys) - 2; i >= 0; i-- {
		k := keys[i]
		k.nullable = k.nullable && i > 0
		sql = "(" + t.behind(k, at[i]) + " OR (" + t.at(k, at[i]) + " AND " + sql + "))"
	}
	from := strings.TrimRight(beyond(keys[0]), " ") + "= "
	return "((" + keys[0].sql + from + t.bound(at[0]) + ") AND " + sql + ")"
}

// beyond is the operator for values that come behind another.
func beyond(k sortKey) string {
	if k.descending {
		return " < "
	}
	return " > "
}

// behind is whether a key comes behind a value.
func (t *translator) behind(k sortKey, v any) string {
	switch {
	case v == nil && k.descending: // null is the last
		return truth(false)
	case v == nil:
		return "(" + k.sql + " IS NOT NULL)"
	case k.descending && k.nullable:
		return "(" + k.sql + " < " + t.bound(v) + " OR " + k.sql + " IS NULL)"
	}
	return "(" + k.sql + beyond(k) + t.bound(v) + ")"
}

// at is whether a key has a value.
func (t *translator) at(k sortKey, v any) string {
	if v == nil {
		return "(" + k.sql + " IS NULL)"
	}
	return "(" + k.sql + " = " + t.bound(v) + ")"
}

// bound binds a value of a position.
func (t *translator) bound(v any) string {
	switch v := v.(type) {
	case bool:
		return truth(v)
	case string:
		return t.text(v)
	case int64:
		return t.whole(v)
	case wideNumber:
		return t.wideNumber(v.Int)
	}
	panic(fmt.Sprintf("a position has a %T", v))
}
