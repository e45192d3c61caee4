package query

import (
	"encoding/json"
	"fmt"
	"math/big"
	"strings"
	"time"

	"gangway/internal/gangway"
	"gangway/internal/report/odata"
)

// A translator writes one statement.
type translator struct {
	Dialect
	sources Sources
	given   int // how many arguments the rows' source has, which come before
	args    []any
	columns map[*odata.Property]column // those of the rows at this point
	lambdas map[*odata.Lambda]string   // what the rows are called that are looked at
	named   int                        // how many columns and rows have got names
}

// A column is how a property is written, and how much there is to calculate for it.
type column struct {
	sql    string
	weight int
}

// row is what each SELECT calls the rows that it is about.
const row = "r"

// value returns the expression as its type is represented; it may be wide if isWide says so.
func (t *translator) value(e odata.Expr) string {
	switch e := e.(type) {
	case *odata.Literal:
		return t.literal(e, false)
	case *odata.Ref:
		return t.ref(e)
	case *odata.Negate, *odata.Rescale, *odata.Arithmetic:
		return t.calculated(e)
	case *odata.Cast:
		return t.cast(e)
	case *odata.Call:
		return t.call(e)
	case *odata.Case:
		return t.choice(e)
	case *odata.RelatedCount:
		return t.relatedCount(e)
	}
	return t.condition(e, true)
}

// condition returns a condition. Unless it is exact, it may be null where it should be false,
// which makes no difference for rows to be kept, and lets a database use an index.
func (t *translator) condition(e odata.Expr, exact bool) string {
	switch e := e.(type) {
	case *odata.Not:
		return "(NOT " + t.condition(e.X, true) + ")"
	case *odata.Logical:
		terms := gangway.Each(e.Terms, func(x odata.Expr) string { return t.condition(x, exact) })
		return joined(map[odata.LogicalOp]string{odata.And: " AND ", odata.Or: " OR "}[e.Op], terms)
	case *odata.Compare:
		return t.compare(e, exact)
	case *odata.In:
		return t.in(e, exact)
	case *odata.Lambda:
		return t.lambda(e)
	}
	return t.value(e)
}

// joined puts an operator between terms. Halves of a long list stand in parentheses, as SQLite
// limits how deep expressions are.
func joined(op string, terms []string) string {
	if len(terms) <= 2 {
		return "(" + strings.Join(terms, op) + ")"
	}
	half := len(terms) / 2
	return "(" + joined(op, terms[:half]) + op + joined(op, terms[half:]) + ")"
}

func (t *translator) literal(l *odata.Literal, wide bool) string {
	switch v := l.Value.(type) {
	case nil:
		return t.null(l.Type.Kind, wide)
	case bool:
		return truth(v)
	case string:
		return t.text(v)
	case time.Time:
		return t.whole(v.UnixMilli())
	case int64:
		if wide {
			return t.wideNumber(big.NewInt(v))
		}
		return t.whole(v)
	}
	panic(fmt.Sprintf("a literal is a %T", l.Value))
}

// wideNumber binds a number.
func (t *translator) wideNumber(v *big.Int) string {
	if t.postgres {
		return t.bind(v.String(), "numeric")
	}
	return t.bind(wideText(v), "text")
}

var compareOps = map[odata.CompareOp]string{odata.Eq: " = ", odata.Ne: " <> ", odata.Gt: " > ", odata.Ge: " >= ",
	odata.Lt: " < ", odata.Le: " <= "}

func (t *translator) compare(e *odata.Compare, exact bool) string {
	left, right := e.Left.Info(), e.Right.Info()
	wide := isWide(left) || isWide(right)
	l := t.number(e.Left, wide)
	if isText(left.Type.Kind) {
		l = t.bytewise(l)
	}
	if lit, ok := e.Right.(*odata.Literal); ok && lit.Value == nil {
		return "(" + l + map[odata.CompareOp]string{odata.Eq: " IS NULL)", odata.Ne: " IS NOT NULL)"}[e.Op]
	}
	r := t.number(e.Right, wide)
	nullable := left.Nullable || right.Nullable
	one := !left.Nullable || !right.Nullable
	switch {
	case e.Op == odata.Eq && nullable && (exact || !one):
		return "(" + l + same + r + ")"
	case e.Op == odata.Ne && nullable:
		return "(" + l + different + r + ")"
	case exact && nullable:
		return "coalesce(" + l + compareOps[e.Op] + r + ", " + truth(false) + ")"
	}
	return "(" + l + compareOps[e.Op] + r + ")"
}

// fewMembers is up to how many members of a list are arguments of their own.
const fewMembers = 8

func (t *translator) in(e *odata.In, exact bool) string {
	n := e.X.Info()
	x := t.value(e.X)
	if isText(n.Type.Kind) {
		x = t.bytewise(x)
	}
	if len(e.List) == 0 {
		return "(" + x + " IS NULL)"
	}
	is := "(" + x + t.members(e.List, isWide(n)) + ")"
	switch {
	case !n.Nullable, !exact && !e.OrNull:
		return is
	}
	return "coalesce(" + is + ", " + truth(e.OrNull) + ")"
}

// members returns the condition to be among the members of a list. Many of them are one argument, which PostgreSQL
// keeps as a hash: a list that is a subquery would be read through for each row where it expects that few are wanted.
func (t *translator) members(list []*odata.Literal, wide bool) string {
	kind := list[0].Type.Kind
	if len(list) <= fewMembers || kind == odata.Boolean {
		each := gangway.Each(list, func(l *odata.Literal) string { return t.literal(l, wide) })
		return " IN (" + strings.Join(each, ", ") + ")"
	}
	values := make([]any, len(list))
	for i, l := range list {
		switch v := l.Value.(type) {
		case time.Time:
			values[i] = v.UnixMilli()
		case int64:
			if values[i] = v; wide && !t.postgres {
				values[i] = wideText(big.NewInt(v))
			}
		default:
			values[i] = v
		}
	}
	if t.postgres {
		as := "bigint[]"
		if isText(kind) {
			as = "text[]"
		} else if wide {
			as = "numeric[]"
		}
		return " = ANY (" + t.bind(arrayText(values), as) + ")"
	}
	doc, err := json.Marshal(values)
	if err != nil { // texts and integers can always be written
		panic(err)
	}
	return " IN (SELECT value FROM json_each(" + t.text(string(doc)) + "))"
}

// inArray makes an array's text of a text.
var inArray = strings.NewReplacer(`\`, `\\`, `"`, `\"`)

// arrayText writes texts and integers as PostgreSQL reads an array.
//
// Source: PostgreSQL's manual, "Array Input and Output Syntax".
func arrayText(values []any) string {
	b := []byte{'{'}
	for i, v := range values {
		if i > 0 {
			b = append(b, ',')
		}
		if text, ok := v.(string); ok {
			b = append(append(append(b, '"'), inArray.Replace(text)...), '"')
		} else {
			b = fmt.Append(b, v)
		}
	}
	return string(append(b, '}'))
}

func (t *translator) choice(e *odata.Case) string {
	s := "(CASE"
	for _, w := range e.Whens {
		s += " WHEN " + t.condition(w.If, false) + " THEN " + t.number(w.Then, isWide(&e.Node))
	}
	return s + " END)"
}
