package query

import (
	"fmt"
	"slices"

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
		s.order = append(s.order, len(s.Columns))
		s.Columns = append(s.Columns, Column{"", n.Type, k.wide})
		*selected = append(*selected, t.shown(k.sql, k.wide))
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

// after returns the condition for rows that come behind a position.
func (t *translator) after(keys []sortKey, at Position) string {
	if len(keys) == 0 { // there is a single row
		return t.truth(false)
	}
	if sql, ok := t.afterAtOnce(keys, at); ok {
		return sql
	}
	// (a > x) OR (a = x AND ((b > y) OR (b = y AND …))), and a >= x where an index can tell
	sql := ""
	for i := len(keys) - 1; i >= 0; i-- {
		behind := t.behind(keys[i], at[i])
		if sql == "" {
			sql = behind
			continue
		}
		sql = "(" + behind + " OR (" + t.at(keys[i], at[i]) + " AND " + sql + "))"
	}
	if len(keys) == 1 {
		return sql
	}
	if from := t.from(keys[0], at[0]); from != "" {
		return "(" + from + " AND " + sql + ")"
	}
	return sql
}

// afterAtOnce returns the condition as a comparison of whole rows, which both databases find in an
// index. All keys have the same direction then, and are never null.
func (t *translator) afterAtOnce(keys []sortKey, at Position) (string, bool) {
	if slices.ContainsFunc(keys, func(k sortKey) bool { return k.nullable || k.descending != keys[0].descending }) {
		return "", false
	}
	left, right := "", ""
	for i, k := range keys {
		comma := map[bool]string{true: ", ", false: ""}[i > 0]
		left, right = left+comma+k.sql, right+comma+t.bound(k, at[i])
	}
	return fmt.Sprintf("((%s)%s(%s))", left, map[bool]string{true: " < ", false: " > "}[keys[0].descending], right), true
}

// behind is whether a key comes behind a value.
func (t *translator) behind(k sortKey, v any) string {
	switch {
	case v == nil && k.descending: // null is the last
		return t.truth(false)
	case v == nil:
		return "(" + k.sql + " IS NOT NULL)"
	case k.descending && k.nullable:
		return "(" + k.sql + " < " + t.bound(k, v) + " OR " + k.sql + " IS NULL)"
	case k.descending:
		return "(" + k.sql + " < " + t.bound(k, v) + ")"
	}
	return "(" + k.sql + " > " + t.bound(k, v) + ")"
}

// at is whether a key has a value.
func (t *translator) at(k sortKey, v any) string {
	if v == nil {
		return "(" + k.sql + " IS NULL)"
	}
	return "(" + k.sql + " = " + t.bound(k, v) + ")"
}

// from is the range of an index that begins with a value, or nothing if null makes it two.
func (t *translator) from(k sortKey, v any) string {
	switch {
	case v == nil && k.descending:
		return "(" + k.sql + " IS NULL)"
	case v == nil, k.descending && k.nullable:
		return ""
	case k.descending:
		return "(" + k.sql + " <= " + t.bound(k, v) + ")"
	}
	return "(" + k.sql + " >= " + t.bound(k, v) + ")"
}

// bound binds a value of a position.
func (t *translator) bound(k sortKey, v any) string {
	switch v := v.(type) {
	case bool:
		return t.truth(v)
	case string:
		return t.text(v)
	case int64:
		return t.whole(v)
	case wideNumber:
		return t.wideNumber(v.Int)
	}
	panic(fmt.Sprintf("a position has a %T", v))
}
