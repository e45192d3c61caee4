package odata

import (
	"fmt"
	"strings"
	"time"
)

// show writes an expression with its types where they are not plain to see:
// (eq PriceTotal 1250e-2) for $filter=PriceTotal eq 12.5.
func show(e Expr) string {
	list := func(name string, es ...Expr) string {
		for _, e := range es {
			name += " " + show(e)
		}
		return "(" + name + ")"
	}
	switch e := e.(type) {
	case *Literal:
		return showLiteral(e)
	case *Ref:
		s := e.Property.Name
		if e.Via != nil {
			s = e.Via.Name + "/" + s
		}
		if e.Of != nil {
			s = e.Of.Navigation.Name + ":" + s
		}
		return s
	case *Lambda:
		s := "(any "
		if e.All {
			s = "(all "
		}
		if s += showFrom(e.Of, e.Navigation); e.If != nil {
			s += " " + show(e.If)
		}
		return s + ")"
	case *RelatedCount:
		s := "(count " + showFrom(e.Of, e.Navigation)
		if e.Some != nil {
			s += " " + show(e.Some.If)
		}
		if e.Search != nil {
			s += " search" + showSearch(e.Search)
		}
		return s + ")"
	case *Not:
		return list("not", e.X)
	case *Negate:
		return list("-", e.X)
	case *Rescale:
		return list(fmt.Sprintf("scale%d", e.Type.Scale), e.X)
	case *Cast:
		return list("cast "+e.Type.Kind.String(), e.X)
	case *Arithmetic:
		return list(e.Op.String(), e.Left, e.Right)
	case *Compare:
		return list(e.Op.String(), e.Left, e.Right)
	case *Logical:
		return list([]string{"and", "or"}[e.Op], e.Terms...)
	case *In:
		s := show(e.X)
		for _, l := range e.List {
			s += " " + showLiteral(l)
		}
		if e.OrNull {
			s += " null"
		}
		return "(in " + s + ")"
	case *Call:
		return list(FunctionNames()[functionIndex(e.Func)], e.Args...)
	case *Case:
		s := "(case"
		for _, w := range e.Whens {
			s += " " + show(w.If) + ":" + show(w.Then)
		}
		return s + ")"
	}
	return "?"
}

func showFrom(of *Lambda, n *Navigation) string {
	if of != nil {
		return of.Navigation.Name + ":" + n.Name
	}
	return n.Name
}

func functionIndex(f Func) int {
	for name, known := range functions {
		if known.fn == f {
			for i, n := range FunctionNames() {
				if n == name {
					return i
				}
			}
		}
	}
	return -1
}

func showLiteral(l *Literal) string {
	switch v := l.Value.(type) {
	case nil:
		return "null:" + strings.TrimPrefix(l.Type.Kind.String(), "Edm.")
	case string:
		return "'" + v + "'"
	case time.Time:
		if l.Type.Kind == Date {
			return v.Format(time.DateOnly)
		}
		return v.Format(time.RFC3339Nano)
	case int64:
		switch l.Type.Kind {
		case Decimal:
			return fmt.Sprintf("%de-%d", v, l.Type.Scale)
		case TimeOfDay, Duration:
			return fmt.Sprintf("%dms", v)
		}
	}
	return fmt.Sprint(l.Value)
}

func showSearch(s Search) string {
	switch s := s.(type) {
	case SearchTerm:
		return "[" + s.Text + "]"
	case SearchNot:
		return "(not " + showSearch(s.X) + ")"
	case SearchAll:
		out := "(and"
		if s.Any {
			out = "(or"
		}
		for _, t := range s.Terms {
			out += " " + showSearch(t)
		}
		return out + ")"
	}
	return "?"
}
