package query

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode"

	"gangway/internal/report/odata"
)

// A Dialect is the SQL of a database.
type Dialect struct {
	postgres bool
	folding  string // the collation by which PostgreSQL finds lower and upper case; empty if it has none
}

// SQLite has the functions that SQLiteFunctions lists.
var SQLite = Dialect{}

// foldingCollations are the collations of PostgreSQL whose lower and upper are odata.Lower and
// odata.Upper, the best first.
var foldingCollations = []string{"pg_c_utf8", "C.utf8", "C.UTF-8"}

// PostgreSQL returns the SQL of a PostgreSQL that has these collations. Without one that it knows, it
// takes letters one by one, which is slow.
func PostgreSQL(collations []string) Dialect {
	d := Dialect{postgres: true}
	if i := slices.IndexFunc(foldingCollations, func(c string) bool { return slices.Contains(collations, c) }); i >= 0 {
		d.folding = foldingCollations[i]
	}
	return d
}

// letters are all letters that have another case, and what Lower or Upper makes of them.
type letters struct{ from, to string }

var (
	lowered = sync.OnceValue(func() letters { return lettersFor(unicode.ToLower) })
	uppered = sync.OnceValue(func() letters { return lettersFor(unicode.ToUpper) })
)

func lettersFor(to func(rune) rune) letters {
	var from, into strings.Builder
	for r := rune(1); r <= unicode.MaxRune; r++ {
		if c := to(r); c != r {
			from.WriteRune(r)
			into.WriteRune(c)
		}
	}
	return letters{from.String(), into.String()}
}

// folded returns x in lower or upper case.
func (t *translator) folded(x string, f odata.Func) string {
	name, table := "lower", lowered
	if f == odata.ToUpper {
		name, table = "upper", uppered
	}
	switch {
	case !t.postgres:
		return "odata_" + name + "(" + x + ")"
	case t.folding != "":
		return fmt.Sprintf(`(%s(%s COLLATE "%s") COLLATE "C")`, name, x, t.folding)
	}
	return fmt.Sprintf(`translate(%s, %s, %s)`, x, t.text(table().from), t.text(table().to))
}

// same is whether two values are equal, null being a value; different is the opposite.
const (
	same      = " IS NOT DISTINCT FROM "
	different = " IS DISTINCT FROM "
)

// truth is the condition that all rows fulfil, or none.
func truth(v bool) string { return strconv.FormatBool(v) }

// null is the null of a type; wide says so of a number.
func (t *translator) null(k odata.Kind, wide bool) string {
	switch {
	case !t.postgres:
		return "NULL"
	case k == odata.Boolean:
		return "NULL::boolean"
	case isText(k):
		return "NULL::text"
	case wide:
		return "NULL::numeric"
	}
	return "NULL::bigint"
}

// bind adds an argument, and returns what stands for it.
func (t *translator) bind(v any, kind string) string {
	t.args = append(t.args, v)
	n := fmt.Sprintf("$%d", t.given+len(t.args))
	if t.postgres {
		n += "::" + kind
	}
	return n
}

func (t *translator) text(s string) string { return t.bind(s, "text") }
func (t *translator) whole(n int64) string { return t.bind(n, "bigint") }
func isText(k odata.Kind) bool             { return k == odata.String || k == odata.GUID }
func isNumber(k odata.Kind) bool           { return k == odata.Int32 || k == odata.Int64 || k == odata.Decimal }
func isInteger(k odata.Kind) bool          { return k == odata.Int32 || k == odata.Int64 }
func (t *translator) bytewise(x string) string {
	if t.postgres {
		return x + ` COLLATE "C"`
	}
	return x
}
