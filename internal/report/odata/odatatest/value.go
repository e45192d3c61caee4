package odatatest

import (
	"cmp"
	"fmt"
	"maps"
	"math/big"
	"strings"
	"time"

	"gangway/internal/report/odata"
)

// scope is the rows that an expression speaks of: the row itself, and the rows
// of lambdas.
type scope struct {
	data Data
	row  Record
	of   map[*odata.Lambda]Record
}

// Value returns what the expression is for a row: nil, a bool, a string, a
// time.Time, or a *big.Int for everything that is counted.
func (d Data) Value(e odata.Expr, r Record) any { return scope{data: d, row: r}.value(e) }

func (s scope) value(e odata.Expr) any {
	switch e := e.(type) {
	case *odata.Literal:
		return normal(e.Value)
	case *odata.Ref:
		return s.property(e)
	case *odata.Lambda:
		return s.lambda(e)
	case *odata.RelatedCount:
		return big.NewInt(s.count(e))
	case *odata.Not:
		if v := s.value(e.X); v != nil {
			return !v.(bool)
		}
		return nil
	case *odata.Negate:
		if v := s.value(e.X); v != nil {
			return new(big.Int).Neg(v.(*big.Int))
		}
		return nil
	case *odata.Rescale:
		if v := s.value(e.X); v != nil {
			return scaled(v.(*big.Int), e.Type.Scale-e.X.Info().Type.Scale)
		}
		return nil
	case *odata.Arithmetic:
		return arithmetic(e, s.value(e.Left), s.value(e.Right))
	case *odata.Compare:
		return compare(e.Op, s.value(e.Left), s.value(e.Right))
	case *odata.Logical:
		return s.logical(e)
	case *odata.In:
		return isIn(e, s.value(e.X))
	case *odata.Call:
		return s.call(e)
	case *odata.Cast:
		return cast(e, s.value(e.X))
	case *odata.Case:
		for _, w := range e.Whens {
			if s.value(w.If) == true {
				return s.value(w.Then)
			}
		}
		return nil
	}
	panic(fmt.Sprintf("an unknown expression %T", e))
}

// property returns the value of a property of one of the rows.
func (s scope) property(e *odata.Ref) any {
	r := s.from(e.Of)
	if e.Via != nil {
		to := s.data.Linked(e.Via, r)
		if len(to) == 0 {
			return nil
		}
		r = to[0]
	}
	return normal(r[e.Property.Name])
}

// from returns the row of a lambda, or the row itself.
func (s scope) from(of *odata.Lambda) Record {
	if of == nil {
		return s.row
	}
	return s.of[of]
}

func (s scope) linked(of *odata.Lambda, n *odata.Navigation) []Record {
	return s.data.Linked(n, s.from(of))
}

func (s scope) lambda(e *odata.Lambda) any {
	for _, r := range s.linked(e.Of, e.Navigation) {
		if e.If == nil {
			return true
		}
		if s.fulfils(e, r) != e.All {
			return !e.All
		}
	}
	return e.All
}

// fulfils reports whether the condition of a Lambda is true for one of its rows.
func (s scope) fulfils(l *odata.Lambda, r Record) bool {
	inner := scope{s.data, s.row, maps.Clone(s.of)}
	if inner.of == nil {
		inner.of = map[*odata.Lambda]Record{}
	}
	inner.of[l] = r
	return inner.value(l.If) == true
}

func (s scope) count(e *odata.RelatedCount) (n int64) {
	row := &odata.Row{Properties: e.Navigation.Target.Properties}
	for _, r := range s.linked(e.Of, e.Navigation) {
		if (e.Some == nil || s.fulfils(e.Some, r)) && (e.Search == nil || matches(e.Search, row, r)) {
			n++
		}
	}
	return n
}

// normal returns a number as a *big.Int, and other values as they are.
func normal(v any) any {
	switch v := v.(type) {
	case int64:
		return big.NewInt(v)
	case int:
		return big.NewInt(int64(v))
	}
	return v
}

// order compares two values of the same kind; null is before all others.
func order(a, b any) int {
	switch {
	case a == nil || b == nil:
		return cmp.Compare(known(a), known(b))
	}
	switch a := a.(type) {
	case bool:
		return cmp.Compare(number(a), number(b.(bool)))
	case string:
		return strings.Compare(a, b.(string))
	case *big.Int:
		return a.Cmp(b.(*big.Int))
	case time.Time:
		return a.Compare(b.(time.Time))
	}
	panic(fmt.Sprintf("an unknown value %T", a))
}

func known(v any) int { return number(v != nil) }

func number(b bool) int {
	if b {
		return 1
	}
	return 0
}

// compare returns true or false, whatever is null.
func compare(op odata.CompareOp, l, r any) any {
	c := order(l, r)
	if (l == nil || r == nil) && op != odata.Eq && op != odata.Ne {
		return false
	}
	switch op {
	case odata.Eq:
		return c == 0
	case odata.Ne:
		return c != 0
	case odata.Gt:
		return c > 0
	case odata.Ge:
		return c >= 0
	case odata.Lt:
		return c < 0
	}
	return c <= 0
}

// logical is three-valued: what is not known decides only if nothing else does.
func (s scope) logical(e *odata.Logical) any {
	decides := e.Op == odata.Or
	unknown := false
	for _, t := range e.Terms {
		switch v := s.value(t); {
		case v == nil:
			unknown = true
		case v.(bool) == decides:
			return decides
		}
	}
	if unknown {
		return nil
	}
	return !decides
}

func isIn(e *odata.In, v any) any {
	if v == nil {
		return e.OrNull
	}
	for _, l := range e.List {
		if order(v, normal(l.Value)) == 0 {
			return true
		}
	}
	return false
}

// cast converts a value as odata.Cast says.
func cast(e *odata.Cast, v any) any {
	if v == nil {
		return nil
	}
	to := e.Type.Kind
	switch v := v.(type) {
	case bool:
		return fmt.Sprint(v)
	case string:
		return v
	case *big.Int:
		if to == odata.String {
			return v.String()
		}
		if to == odata.Decimal {
			return v
		}
		v = quotient(v, power(e.X.Info().Type.Scale))
		bits := map[odata.Kind]uint{odata.Int32: 31, odata.Int64: 63}[to]
		limit := new(big.Int).Lsh(big.NewInt(1), bits)
		if v.Cmp(limit) >= 0 || v.Cmp(new(big.Int).Neg(limit)) < 0 {
			return nil
		}
		return v
	case time.Time:
		switch to {
		case odata.String:
			return v.Format(time.DateOnly)
		case odata.Date:
			return midnight(v)
		case odata.TimeOfDay:
			return big.NewInt(v.Sub(midnight(v)).Milliseconds())
		}
		return v
	}
	panic(fmt.Sprintf("an unknown value %T", v))
}

func midnight(t time.Time) time.Time {
	return time.Date(t.Year(), t.Month(), t.Day(), 0, 0, 0, 0, time.UTC)
}
