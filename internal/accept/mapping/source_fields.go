package mapping

import (
	"regexp"
	"strings"

	"gangway/internal/gangway"

	"github.com/itchyny/gojq"
)

// sourceFields are what a program takes each of our fields from, as far as that
// can be read from it.
type sourceFields struct {
	oneToOne bool                   // each output is made of one element of the list
	paths    map[string]string      // "Gender" → "Geschlecht"
	lists    map[string]*gojq.Query // "Onsigners" → what its elements are made of
}

// of returns where a field comes from, as in "Traveler.Gender" or
// "Onsigners[1].Dob"; empty: that is not known.
func (s sourceFields) of(path string) string {
	if from, ok := s.paths[path]; ok {
		return from
	}
	return s.paths[withoutIndexes(path)]
}

// ofGroup is of for a record that was made of several: only what comes from each of them has a name.
func (s sourceFields) ofGroup(path string) string {
	if from := s.of(path); !strings.HasPrefix(from, "[") {
		return from
	}
	return ""
}

// anIndex finds the places of elements in a path.
var anIndex = regexp.MustCompile(`\[[0-9]+\]`)

// withoutIndexes turns "Onsigners[1].Dob" into "Onsigners[].Dob".
func withoutIndexes(path string) string { return anIndex.ReplaceAllString(path, "[]") }

// fieldsOf reads what a program makes each field of: from the last object that it
// puts out, if nothing but a list and filters come before it.
func fieldsOf(whole *gojq.Query) sourceFields {
	s := sourceFields{paths: map[string]string{}, lists: map[string]*gojq.Query{}}
	steps, _ := unlisted(pipe(whole))
	listed, last := false, steps[len(steps)-1]
	bound := map[string]string{} // variables, and where they are in the source
	for last.Op == gojq.OpPipe && len(last.Patterns) == 1 && last.Patterns[0].Name != "" {
		if from, ok := onlyPath(last.Left, bound); ok {
			bound[last.Patterns[0].Name] = from
		}
		inner := pipe(last.Right)
		steps, last = append(steps[:len(steps)-1:len(steps)-1], inner...), inner[len(inner)-1]
		if len(inner) > 1 {
			break
		}
	}
	for _, step := range steps[:len(steps)-1] {
		iterates := hasIterator(step)
		if !iterates && !isFilter(step) {
			return s
		}
		listed = listed || iterates
	}
	if last.Term == nil || last.Term.Type != gojq.TermTypeObject || len(last.Term.SuffixList) > 0 {
		return s
	}
	s.oneToOne = listed
	s.object(last.Term.Object, "", bound)
	return s
}

// hasIterator reports whether a step is a path to the elements of a list: .data.items[].
func hasIterator(q *gojq.Query) bool {
	t := q.Term
	if t == nil || len(t.SuffixList) == 0 ||
		t.Type != gojq.TermTypeIdentity && t.Type != gojq.TermTypeIndex && t.Type != gojq.TermTypeQuery {
		return false
	}
	return t.SuffixList[len(t.SuffixList)-1].Iter
}

// isFilter reports whether a step only lets elements through: select(…).
func isFilter(q *gojq.Query) bool {
	return q.Term != nil && q.Term.Type == gojq.TermTypeFunc && q.Term.Func.Name == "select"
}

// object notes what the members of an object that a program puts out come from.
func (s sourceFields) object(o *gojq.Object, at string, bound map[string]string) {
	for _, kv := range o.KeyVals {
		name := kv.Key
		if kv.KeyString != nil && len(kv.KeyString.Queries) == 0 {
			name = kv.KeyString.Str
		}
		if name == "" {
			continue
		}
		if kv.Val == nil { // {name} or {$name}
			from := name
			if strings.HasPrefix(name, "$") {
				from = bound[name]
			}
			if from != "" {
				s.note(at+gangway.FieldName(strings.TrimPrefix(name, "$")), from)
			}
			continue
		}
		path := at + gangway.FieldName(name)
		if t := kv.Val.Term; t != nil && t.Type == gojq.TermTypeObject {
			s.object(t.Object, path+".", bound)
			continue
		}
		if from, ok := onlyPath(kv.Val, bound); ok && from != "" {
			s.note(path, from)
		}
		s.elements(kv.Val, path, bound)
	}
}

// elements notes what lists come from: `[.people[] | {…}]`, `.people | map({…})` and `[{…}]`.
func (s sourceFields) elements(q *gojq.Query, path string, bound map[string]string) {
	steps, listed := unlisted(pipe(q))
	last := steps[len(steps)-1].Term
	if !listed || last == nil || last.Type != gojq.TermTypeObject {
		return
	}
	s.object(last.Object, path+"[].", bound)
	if len(steps) > 1 {
		s.lists[path] = pipeOf(steps[:len(steps)-1])
	}
}

// note notes where a field comes from; the top of a travel request is its externalInfo, too.
func (s sourceFields) note(path, from string) {
	s.paths[path] = from
	for _, top := range []string{"RequestId", "SubRequestId", "AdditionalInfo"} {
		if path == top {
			s.paths["ExternalInfo."+top] = from
		}
	}
}

// problemPath writes the names that lead to a member as problems do: traveler, docNumber becomes Traveler.DocNumber.
func problemPath(names []string) string {
	return strings.Join(gangway.Each(names, gangway.FieldName), ".")
}

// onlyPath returns the only member of the source that a query reads; not ok: it
// reads several, or none.
func onlyPath(q *gojq.Query, bound map[string]string) (string, bool) {
	found := map[string]bool{}
	readPaths(q, bound, found)
	if len(found) != 1 {
		return "", false
	}
	for path := range found {
		return path, true
	}
	return "", false
}

// readPaths collects what a query reads of its input. Behind a pipe it is no
// longer the source that is read.
func readPaths(q *gojq.Query, bound map[string]string, found map[string]bool) {
	switch {
	case q == nil:
	case q.Op == gojq.OpPipe:
		readPaths(q.Left, bound, found)
		if t := q.Left.Term; t != nil && t.Type == gojq.TermTypeFunc && t.Func.Name[0] != '$' {
			readPaths(q.Right, bound, found)
		}
	case q.Op != 0:
		readPaths(q.Left, bound, found)
		readPaths(q.Right, bound, found)
	case q.Term != nil:
		readTerm(q.Term, bound, found)
	}
}

func readTerm(t *gojq.Term, bound map[string]string, found map[string]bool) {
	if path, ok := termPath(t, bound); ok {
		found[path] = true
		return
	}
	switch t.Type {
	case gojq.TermTypeQuery:
		readPaths(t.Query, bound, found)
	case gojq.TermTypeArray:
		readPaths(t.Array.Query, bound, found)
	case gojq.TermTypeIf:
		readPaths(t.If.Cond, bound, found)
		readPaths(t.If.Then, bound, found)
		for _, e := range t.If.Elif {
			readPaths(e.Cond, bound, found)
			readPaths(e.Then, bound, found)
		}
		readPaths(t.If.Else, bound, found)
	case gojq.TermTypeTry:
		readPaths(t.Try.Body, bound, found)
	case gojq.TermTypeString:
		for _, q := range t.Str.Queries {
			readPaths(q, bound, found)
		}
	case gojq.TermTypeFunc:
		for i, a := range t.Func.Args {
			if i == 0 || t.Func.Name != "airport" { // the country only tells airports apart
				readPaths(a, bound, found)
			}
		}
	}
}

// termPath returns the path that a term is: .a.b, .["a"], $x.a.
func termPath(t *gojq.Term, bound map[string]string) (string, bool) {
	var parts []string
	add := func(i *gojq.Index) bool {
		name := i.Name
		if i.Str != nil && len(i.Str.Queries) == 0 {
			name = i.Str.Str
		}
		if s := i.Start; s != nil && !i.IsSlice && s.Term != nil && s.Term.Type == gojq.TermTypeString &&
			len(s.Term.Str.Queries) == 0 {
			name = s.Term.Str.Str
		}
		if s := i.Start; name == "" && s != nil && !i.IsSlice && s.Term != nil && s.Term.Type == gojq.TermTypeNumber {
			if len(parts) == 0 {
				parts = append(parts, "")
			}
			parts[len(parts)-1] += "[" + s.Term.Number + "]"
			return true
		}
		if name == "" {
			return false
		}
		parts = append(parts, name)
		return true
	}
	switch t.Type {
	case gojq.TermTypeIdentity:
	case gojq.TermTypeIndex:
		if !add(t.Index) {
			return "", false
		}
	case gojq.TermTypeFunc:
		from, ok := bound[t.Func.Name]
		if !ok || len(t.Func.Args) > 0 {
			return "", false
		}
		if from != "" {
			parts = append(parts, from)
		}
	default:
		return "", false
	}
	for _, suffix := range t.SuffixList {
		if suffix.Index != nil && !add(suffix.Index) {
			return "", false
		}
	}
	if len(parts) == 0 {
		return "", t.Type == gojq.TermTypeIdentity || t.Type == gojq.TermTypeFunc
	}
	return strings.Join(parts, "."), true
}
