package mapping

import (
	"errors"
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"gangway/internal/gangway"

	"github.com/itchyny/gojq"
)

// A program is a jq program that was read.
type program struct {
	text   string
	whole  *gojq.Query // all of it
	each   *gojq.Query // what it does with each record of a list; nil: it does not treat each by itself
	fields sourceFields

	// A program that needs all of a document and makes an object of each record that it finds in it has a head,
	// which finds them, and a tail, which is run on each by itself.
	head, tail *gojq.Query // nil: it is no such program
}

// The parts of a program that a worker may run.
const (
	wholePart    = "whole"
	eachPart     = "each" // what it does with each record of a list
	headPart     = "head" // what finds the records in a document that is one value
	tailPart     = "tail" // what it does with each of them
	elementsPart = "elements of "
)

// query returns a part of the program; nil: it has none such.
func (p *program) query(part string) *gojq.Query {
	switch part {
	case wholePart:
		return p.whole
	case eachPart:
		return p.each
	case headPart:
		return p.head
	case tailPart:
		return p.tail
	}
	list, made := p.fields.lists[strings.TrimPrefix(part, elementsPart)], p.each
	if p.tail != nil {
		made = p.tail
	}
	if list == nil || made == nil {
		return nil
	}
	steps := pipe(made)
	return pipeOf(append(steps[:len(steps)-1:len(steps)-1], list))
}

// variables are what a program may ask for: what was asked of the customer's system.
var variables = []string{"$surname", "$from", "$to", "$date"}

// forbidden are functions that reach out of the program, or tell of the machine.
var forbidden = set(`env $ENV input inputs debug stderr input_filename input_line_number halt halt_error modulemeta
	get_search_list localtime strflocaltime fromstream truncate_stream builtins $__prog_args $__loc__`)

func parseProgram(text string) (*program, error) {
	whole, err := gojq.Parse(text)
	if err != nil {
		return nil, syntaxError(text, err)
	}
	if err := refused(text, whole); err != nil {
		return nil, err
	}
	p := &program{text: text, whole: whole, each: eachOf(whole), fields: fieldsOf(whole)}
	if head, tail := headAndTail(whole); p.each == nil && tail != nil {
		p.head, p.tail = head, tail
		p.fields = fieldsOf(&gojq.Query{Op: gojq.OpPipe, Left: eachElement(), Right: tail})
	}
	return p, nil
}

// refused says what of a program mappings cannot use.
func refused(text string, whole *gojq.Query) (err error) {
	refuse := func(name, format string, a ...any) {
		if err == nil {
			line, column := lineColumn(text, find(text, name))
			err = gangway.Errorf(gangway.Invalid, format+", at line %d, column %d", append(a, line, column)...)
		}
	}
	if whole.Meta != nil || len(whole.Imports) > 0 {
		refuse("import", "the mapping uses import, which mappings cannot: there are no modules")
	}
	eachOfKind(reflect.ValueOf(whole), func(f *gojq.Func) {
		if forbidden[f.Name] {
			refuse(f.Name, "the mapping uses %s, which mappings cannot", f.Name)
		}
		if f.Name != "date" || len(f.Args) != 1 || strings.Contains(text, "def date(") {
			return // a program's own takes others
		}
		order := f.Args[0].Term
		if order != nil && order.Type == gojq.TermTypeString && len(order.Str.Queries) == 0 &&
			!slices.Contains(dateOrders, strings.ToUpper(order.Str.Str)) {
			refuse(strconv.Quote(order.Str.Str), "the mapping has date(%q), and date wants \"DMY\", \"MDY\" or \"YMD\"",
				order.Str.Str)
		}
	})
	return err
}

// eachOfKind calls do with each part of a program that is of a kind, the inner ones first.
func eachOfKind[T any](of reflect.Value, do func(*T)) {
	switch of.Kind() {
	case reflect.Pointer:
		if of.IsNil() {
			return
		}
		eachOfKind(of.Elem(), do)
		if part, is := of.Interface().(*T); is {
			do(part)
		}
	case reflect.Struct:
		for i := range of.NumField() {
			eachOfKind(of.Field(i), do)
		}
	case reflect.Slice:
		for i := range of.Len() {
			eachOfKind(of.Index(i), do)
		}
	}
}

func set(words string) map[string]bool {
	m := map[string]bool{}
	for w := range strings.FieldsSeq(words) {
		m[w] = true
	}
	return m
}

// compile makes a part of the program ready to be run.
func (p *program) compile(query *gojq.Query, functions map[string]function) (*gojq.Code, error) {
	options := []gojq.CompilerOption{gojq.WithVariables(variables)}
	for name, f := range functions {
		name, _, _ = strings.Cut(name, "/")
		options = append(options, gojq.WithFunction(name, f.arguments, f.arguments, f.call))
	}
	code, err := gojq.Compile(query, options...)
	if err != nil {
		return nil, compileError(p.text, err)
	}
	return code, nil
}

// syntaxError says where a program is no jq.
func syntaxError(text string, err error) error {
	var at *gojq.ParseError
	if !errors.As(err, &at) {
		return gangway.Errorf(gangway.Invalid, "the mapping is no jq program: %v", err)
	}
	begin := at.Offset - len(at.Token)
	what := fmt.Sprintf("has %.40q where it cannot be", at.Token)
	switch {
	case strings.Contains(err.Error(), "unterminated"):
		what, begin = "has a text that does not end", strings.LastIndexByte(text, '"')
	case at.Token == "" || begin < 0:
		what, begin = "ends too early", len(text)
	case strings.Contains(err.Error(), "escape"):
		what = fmt.Sprintf("has %.20q in a text, which means nothing", at.Token)
	}
	line, column := lineColumn(text, begin)
	return gangway.Errorf(gangway.Invalid, "the mapping %s, at line %d, column %d", what, line, column)
}

// lineColumn returns where a byte stands, both from 1. Columns are characters.
func lineColumn(text string, at int) (line, column int) {
	before := text[:min(max(at, 0), len(text))]
	line = strings.Count(before, "\n") + 1
	return line, utf8.RuneCountInString(before[strings.LastIndexByte(before, '\n')+1:]) + 1
}

var undefined = regexp.MustCompile(`^(function|variable) not defined: (\$?[A-Za-z0-9_:]+)(/[0-9]+)?$`)

// compileError says what a program uses that there is not.
func compileError(text string, err error) error {
	found := undefined.FindStringSubmatch(err.Error())
	if found == nil {
		return gangway.Errorf(gangway.Invalid, "the mapping cannot be run: %v", err)
	}
	what := found[2] + found[3]
	line, column := lineColumn(text, find(text, found[2]))
	return gangway.Errorf(gangway.Invalid, "the mapping uses %s, and there is no such %s, at line %d, column %d", what,
		found[1], line, column)
}

// find returns where a name stands first in a program, outside of texts and comments.
func find(text, name string) int {
	quoted, comment := false, false
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case comment:
			comment = c != '\n'
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '#':
			comment = true
		case strings.HasPrefix(text[i:], name) && (i == 0 || !isWord(text[i-1])) &&
			(i+len(name) == len(text) || !isWord(text[i+len(name)])):
			return i
		}
	}
	return max(strings.Index(text, name), 0)
}

func isWord(c byte) bool {
	return c == '_' || c == '$' || c == '.' || c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z'
}

// eachOf returns what a program does with each record of a list: of `.[] | f`,
// `map(f)` and `[.[] | f]` that is f. nil: it needs all of the list.
func eachOf(whole *gojq.Query) *gojq.Query {
	steps := pipe(whole)
	var each []*gojq.Query
	switch first := steps[0]; {
	case isEach(first):
		each = steps[1:]
	case mapped(first) != nil:
		each = []*gojq.Query{mapped(first)}
		for _, next := range steps[1:] {
			if mapped(next) == nil {
				return nil
			}
			each = append(each, mapped(next))
		}
	default:
		return nil
	}
	if len(each) == 0 {
		each = []*gojq.Query{identity()}
	}
	return with(whole.FuncDefs, pipeOf(each))
}

// headAndTail parts a program that ends with an object: `[.a.b] | flatten[] | {…}`, also where all of it is in
// brackets, or the last step is map({…}). nil: it does not.
func headAndTail(whole *gojq.Query) (head, tail *gojq.Query) {
	steps, _ := unlisted(pipe(whole))
	last := len(steps) - 1
	made := steps[last]
	for made.Op == gojq.OpPipe && len(made.Patterns) > 0 { // . as $person | {…}
		made = made.Right
	}
	if t := made.Term; last == 0 || t == nil || t.Type != gojq.TermTypeObject || len(t.SuffixList) > 0 {
		return nil, nil
	}
	return with(whole.FuncDefs, pipeOf(steps[:last])), with(whole.FuncDefs, steps[last])
}

// unlisted takes the last of the steps out of the list that it makes: `[.a[] | {…}]` and `map({…})`. Not listed: it
// makes none.
func unlisted(steps []*gojq.Query) (each []*gojq.Query, listed bool) {
	last := len(steps) - 1
	before := steps[:last:last]
	if f := mapped(steps[last]); f != nil {
		return append(append(before, eachElement()), pipe(f)...), true
	}
	t := steps[last].Term
	if t != nil && t.Type == gojq.TermTypeArray && t.Array.Query != nil && len(t.SuffixList) == 0 &&
		len(steps[last].FuncDefs) == 0 && len(t.Array.Query.FuncDefs) == 0 {
		return append(before, pipe(t.Array.Query)...), true
	}
	return steps, false
}

// pipeOf joins steps by `|`.
func pipeOf(steps []*gojq.Query) *gojq.Query {
	query := steps[len(steps)-1]
	for i := len(steps) - 2; i >= 0; i-- {
		query = &gojq.Query{Op: gojq.OpPipe, Left: steps[i], Right: query}
	}
	return query
}

// with puts the definitions of functions before a query.
func with(functions []*gojq.FuncDef, query *gojq.Query) *gojq.Query {
	if len(functions) == 0 {
		return query
	}
	return &gojq.Query{FuncDefs: functions, Term: &gojq.Term{Type: gojq.TermTypeQuery, Query: query}}
}

// eachElement is `.[]`.
func eachElement() *gojq.Query {
	return &gojq.Query{Term: &gojq.Term{Type: gojq.TermTypeIdentity, SuffixList: []*gojq.Suffix{{Iter: true}}}}
}

func identity() *gojq.Query { return &gojq.Query{Term: &gojq.Term{Type: gojq.TermTypeIdentity}} }

// pipe returns the steps of a program that are joined by `|`.
func pipe(q *gojq.Query) []*gojq.Query {
	bare := &gojq.Query{Term: q.Term, Left: q.Left, Right: q.Right, Patterns: q.Patterns, Op: q.Op}
	var steps []*gojq.Query
	for bare.Op == gojq.OpPipe && len(bare.Patterns) == 0 {
		if left := bare.Left; left.Op == gojq.OpPipe && len(left.Patterns) == 0 && len(left.FuncDefs) == 0 {
			steps = append(steps, pipe(left)...)
		} else {
			steps = append(steps, left)
		}
		bare = bare.Right
		if len(bare.FuncDefs) > 0 {
			break
		}
	}
	if t := bare.Term; t != nil && t.Type == gojq.TermTypeQuery && len(t.SuffixList) == 0 && len(bare.FuncDefs) == 0 &&
		len(t.Query.FuncDefs) == 0 {
		return append(steps, pipe(t.Query)...)
	}
	return append(steps, bare)
}

// isEach reports whether a step is `.[]`.
func isEach(q *gojq.Query) bool {
	t := q.Term
	return t != nil && len(q.FuncDefs) == 0 && t.Type == gojq.TermTypeIdentity && len(t.SuffixList) == 1 &&
		t.SuffixList[0].Iter
}

// mapped returns f of the steps `map(f)` and `[.[] | f]`; nil: it is neither.
func mapped(q *gojq.Query) *gojq.Query {
	t := q.Term
	switch {
	case t == nil || len(q.FuncDefs) > 0 || len(t.SuffixList) > 0:
	case t.Type == gojq.TermTypeFunc && t.Func.Name == "map" && len(t.Func.Args) == 1:
		return t.Func.Args[0]
	case t.Type == gojq.TermTypeArray && t.Array.Query != nil && isEach(t.Array.Query):
		return identity()
	case t.Type == gojq.TermTypeArray && t.Array.Query != nil && len(t.Array.Query.FuncDefs) == 0:
		if q := t.Array.Query; q.Op == gojq.OpPipe && len(q.Patterns) == 0 && isEach(q.Left) {
			return q.Right
		}
	}
	return nil
}

// runError says why a program failed.
func runError(err error) string {
	if errors.As(err, new(*gojq.HaltError)) {
		return "the program stopped"
	}
	return fmt.Sprintf("the program fails: %.300s", strings.TrimPrefix(err.Error(), "error: "))
}
