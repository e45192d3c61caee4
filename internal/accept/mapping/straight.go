package mapping

import (
	"github.com/itchyny/gojq"
)

// Most programs make an object of each record, whose members are paths into the
// record and what helpers make of them. Such a program is straight: it is worked
// out here in a quarter of the time that the interpreter takes. Where a record is
// not what it expects (a path through a text, say), the interpreter does that
// record, so what comes out, and every error, is jq's own.

// A straight expression makes one value of a record. Not ok: the interpreter has to.
type straight func(value any) (made any, ok bool)

// straightOf returns what a program does with a record; nil: it is not straight.
// What it makes is valid until it is run again. It is for one goroutine.
func straightOf(q *gojq.Query, helpers map[string]function, asked []any) straight {
	if q == nil || q.Meta != nil || len(q.Imports) > 0 {
		return nil
	}
	s := straightening{helpers: helpers, asked: asked}
	last := q
	for last.Op == gojq.OpPipe && len(last.FuncDefs) == 0 && len(last.Patterns) == 0 {
		last = last.Right
	}
	if t := last.Term; t == nil || t.Type != gojq.TermTypeObject {
		return nil
	}
	return s.query(q)
}

// A straightening makes straight expressions of queries; nil where one is not straight.
type straightening struct {
	helpers map[string]function
	asked   []any
}

func (s straightening) query(q *gojq.Query) straight {
	switch {
	case len(q.FuncDefs) > 0 || len(q.Patterns) > 0:
		return nil
	case q.Op == 0 && q.Term != nil:
		return s.term(q.Term)
	case q.Op != gojq.OpPipe && q.Op != gojq.OpAlt:
		return nil
	}
	left, right := s.query(q.Left), s.query(q.Right)
	switch {
	case left == nil || right == nil:
		return nil
	case q.Op == gojq.OpPipe:
		return piped(left, right)
	}
	return func(value any) (any, bool) {
		made, ok := left(value)
		if ok && (made == nil || made == false) {
			return right(value)
		}
		return made, ok
	}
}

func piped(left, right straight) straight {
	return func(value any) (any, bool) {
		made, ok := left(value)
		if !ok {
			return nil, false
		}
		return right(made)
	}
}

func (s straightening) term(t *gojq.Term) straight {
	var made straight
	switch t.Type {
	case gojq.TermTypeIdentity:
		made = func(value any) (any, bool) { return value, true }
	case gojq.TermTypeIndex:
		made = s.index(t.Index)
	case gojq.TermTypeQuery:
		made = s.query(t.Query)
	case gojq.TermTypeObject:
		made = s.object(t.Object)
	case gojq.TermTypeFunc:
		made = s.function(t.Func)
	case gojq.TermTypeString:
		made = textAlone(t.Str)
	case gojq.TermTypeNull:
		made = always(nil)
	}
	for _, suffix := range t.SuffixList {
		if made == nil || suffix.Index == nil {
			return nil
		}
		further := s.index(suffix.Index)
		if further == nil {
			return nil
		}
		made = piped(made, further)
	}
	return made
}

func always(value any) straight { return func(any) (any, bool) { return value, true } }

// textAlone is a text with nothing put into it.
func textAlone(text *gojq.String) straight {
	if len(text.Queries) > 0 {
		return nil
	}
	return always(text.Str)
}

// index is a member by its name: .a, ."a" and .["a"].
func (s straightening) index(i *gojq.Index) straight {
	name := i.Name
	switch start := i.Start; {
	case i.IsSlice:
		return nil
	case i.Str != nil && len(i.Str.Queries) > 0:
		return nil
	case i.Str != nil:
		name = i.Str.Str
	case start != nil && isText(start) && len(start.FuncDefs) == 0 && len(start.Term.Str.Queries) == 0:
		name = start.Term.Str.Str
	case start != nil:
		return nil
	}
	return func(value any) (any, bool) {
		switch value := value.(type) {
		case nil:
			return nil, true
		case map[string]any:
			return value[name], true
		}
		return nil, false
	}
}

// function is a helper, or what was asked for.
func (s straightening) function(f *gojq.Func) straight {
	for i, name := range variables {
		if f.Name == name && len(f.Args) == 0 {
			return always(s.asked[i])
		}
	}
	of, ok := s.helpers[f.Name]
	if !ok || len(f.Args) != of.arguments {
		return nil
	}
	args := make([]any, len(f.Args))
	for i, a := range f.Args {
		if !isText(a) || len(a.FuncDefs) > 0 || len(a.Term.Str.Queries) > 0 {
			return nil
		}
		args[i] = a.Term.Str.Str
	}
	return func(value any) (any, bool) {
		made := of.call(value, args)
		_, failed := made.(error)
		return made, !failed
	}
}

// object is an object with the same members for every record. Each use of it
// fills the same map: what is made of a record is written before the next.
func (s straightening) object(o *gojq.Object) straight {
	type member struct {
		name string
		of   straight
	}
	members := make([]member, 0, len(o.KeyVals))
	for _, kv := range o.KeyVals {
		m := member{name: kv.Key}
		if kv.KeyString != nil && len(kv.KeyString.Queries) == 0 {
			m.name = kv.KeyString.Str
		}
		switch {
		case m.name == "" || m.name[0] == '$' || kv.KeyQuery != nil:
			return nil
		case kv.Val == nil:
			m.of = s.index(&gojq.Index{Name: m.name})
		default:
			m.of = s.query(kv.Val)
		}
		if m.of == nil {
			return nil
		}
		members = append(members, m)
	}
	made := make(map[string]any, len(members))
	return func(value any) (any, bool) {
		for _, m := range members {
			v, ok := m.of(value)
			if !ok {
				return nil, false
			}
			made[m.name] = v
		}
		return made, true
	}
}
