package mapping

import "github.com/itchyny/gojq"

// A straight expression makes one value of another. Not ok: the interpreter has to.
//
// Most programs make an object of paths into a record and of what helpers make of them. A worker runs those in a
// quarter of the interpreter's time. Where a record is not as expected (a path leads through a text, say), the
// interpreter runs the program on it: outputs and errors are always jq's own.
type straight func(value any) (made any, ok bool)

// A straightening makes straight expressions of queries; nil where only the interpreter can run one.
type straightening map[string]function // helpers

func (s straightening) query(q *gojq.Query) straight {
	if q == nil || len(q.FuncDefs)+len(q.Patterns) > 0 || q.Term == nil && q.Op != gojq.OpPipe {
		return nil
	}
	if q.Term == nil {
		return inTurn(s.query(q.Left), s.query(q.Right))
	}
	var steps []straight
	switch t := q.Term; t.Type {
	case gojq.TermTypeIdentity:
	case gojq.TermTypeIndex:
		steps = append(steps, s.member(t.Index))
	case gojq.TermTypeQuery:
		steps = append(steps, s.query(t.Query))
	case gojq.TermTypeObject:
		steps = append(steps, s.object(t.Object))
	case gojq.TermTypeFunc:
		steps = append(steps, s.call(t.Func))
	default:
		return nil
	}
	for _, suffix := range q.Term.SuffixList {
		steps = append(steps, s.member(suffix.Index))
	}
	return inTurn(steps...)
}

// inTurn gives each step what the one before has made.
func inTurn(steps ...straight) straight {
	for _, step := range steps {
		if step == nil {
			return nil
		}
	}
	return func(value any) (made any, ok bool) {
		made, ok = value, true
		for _, step := range steps {
			if made, ok = step(made); !ok {
				break
			}
		}
		return made, ok
	}
}

func (s straightening) member(i *gojq.Index) straight {
	if i == nil || indexName(i) == "" {
		return nil
	}
	name := indexName(i)
	return func(value any) (any, bool) {
		object, ok := value.(map[string]any)
		return object[name], ok || value == nil
	}
}

// object fills the same map for each record: it is sent before the next one.
func (s straightening) object(o *gojq.Object) straight {
	names, members := make([]string, len(o.KeyVals)), make([]straight, len(o.KeyVals))
	for n, kv := range o.KeyVals {
		names[n], members[n] = keyName(kv), s.query(kv.Val)
		if members[n] == nil || names[n] == "" || kv.Key != "" && kv.Key[0] == '$' {
			return nil
		}
	}
	made := make(map[string]any, len(names))
	return func(value any) (any, bool) {
		for n, name := range names {
			member, ok := members[n](value)
			if !ok {
				return nil, false
			}
			made[name] = member
		}
		return made, true
	}
}

// call is a helper whose arguments are texts.
func (s straightening) call(f *gojq.Func) straight {
	of, ok := s[f.Name]
	args := make([]any, len(f.Args))
	for n, a := range f.Args {
		if args[n], ok = literal(a); !ok {
			break
		}
	}
	if !ok || len(args) != of.arguments {
		return nil
	}
	return func(value any) (any, bool) {
		made := of.call(value, args)
		_, failed := made.(error)
		return made, !failed
	}
}
