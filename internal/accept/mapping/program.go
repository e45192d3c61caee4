package mapping

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
	"unicode/utf8"

	"gangway/internal/gangway"

	"github.com/itchyny/gojq"
)

// A program is a jq program that was read, and may be run on each record.
type program struct {
	text   string
	whole  *gojq.Query // all of it
	each   *gojq.Query // what it does with each record of a list; nil: it does not treat each by itself
	plain  *gojq.Query // each, as it was written
	fields sourceFields

	// A program that needs all of a document and makes an object of each record that it finds in it has a head,
	// which finds them, and a tail, which is run on each by itself.
	head, tail *gojq.Query // nil: it is no such program
	plainTail  *gojq.Query // as it was written
}

// variables are what a program may ask for: what was asked of the customer's system.
var variables = []string{"$surname", "$from", "$to", "$date"}

func parseProgram(text string) (*program, error) {
	whole, err := gojq.Parse(text)
	if err != nil {
		return nil, syntaxError(text, err)
	}
	each := eachOf(whole)
	p := &program{text: text, plain: each}
	p.fields = fieldsOf(whole)
	b := &bounding{text: text}
	if p.whole = b.program(whole); each != nil && b.err == nil {
		p.each = b.program(each)
	}
	if head, tail := headAndTail(whole); each == nil && tail != nil && b.err == nil {
		p.plainTail, p.fields = tail, fieldsOf(&gojq.Query{Op: gojq.OpPipe, Left: eachElement(), Right: tail})
		if p.head = b.program(head); b.err == nil {
			p.tail = b.program(tail)
		}
	}
	return p, b.err
}

// compile makes the program ready for one run, within what m allows.
func (p *program) compile(m *meter) (*gojq.Code, error) { return p.code(p.whole, m, helpers(m)) }

func (p *program) code(query *gojq.Query, m *meter, functions map[string]function) (*gojq.Code, error) {
	options := []gojq.CompilerOption{gojq.WithVariables(variables)}
	for name, f := range functions {
		options = append(options, gojq.WithFunction(name, f.arguments, f.arguments, f.call))
	}
	code, err := gojq.Compile(query, append(options, guards(m)...)...)
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
	switch {
	case strings.Contains(err.Error(), "unterminated"):
		line, column := lineColumn(text, lastQuote(text))
		return gangway.Errorf(gangway.Invalid, "the mapping has a text that does not end, at line %d, column %d", line,
			column)
	case at.Token == "" || begin < 0:
		line, column := lineColumn(text, len(text))
		return gangway.Errorf(gangway.Invalid, "the mapping ends too early, at line %d, column %d", line, column)
	case strings.Contains(err.Error(), "escape"):
		line, column := lineColumn(text, begin)
		return gangway.Errorf(gangway.Invalid, "the mapping has %.20q in a text, which means nothing, at line %d, "+
			"column %d", at.Token, line, column)
	}
	line, column := lineColumn(text, begin)
	return gangway.Errorf(gangway.Invalid, "the mapping has %.40q where it cannot be, at line %d, column %d", at.Token,
		line, column)
}

// lastQuote returns where the text begins that is not ended.
func lastQuote(text string) int { return strings.LastIndexByte(text, '"') }

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
	steps := unlisted(pipe(whole))
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

// unlisted takes the last of the steps out of the list that it makes: `[.a[] | {…}]` and `map({…})`.
func unlisted(steps []*gojq.Query) []*gojq.Query {
	last := len(steps) - 1
	before := steps[:last:last]
	if f := mapped(steps[last]); f != nil {
		return append(append(before, eachElement()), pipe(f)...)
	}
	t := steps[last].Term
	if t != nil && t.Type == gojq.TermTypeArray && t.Array.Query != nil && len(t.SuffixList) == 0 &&
		len(steps[last].FuncDefs) == 0 && len(t.Array.Query.FuncDefs) == 0 {
		return append(before, pipe(t.Array.Query)...)
	}
	return steps
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

// runError says why a program failed, without a word of how it was run.
func runError(err error) string {
	var value *gojq.HaltError
	switch {
	case errors.As(err, &value):
		return "the program stopped"
	case errors.Is(err, errTime), errors.Is(err, errMemory), errors.Is(err, errNested), errors.Is(err, errOutputs),
		errors.Is(err, errNumber), errors.Is(err, errIndex):
		return err.Error()
	}
	return fmt.Sprintf("the program fails: %.300s", strings.TrimPrefix(plainError(err.Error()), "error: "))
}

var guardName = regexp.MustCompile(`function not defined: _[a-z_]+/|_charge[a-z0-9_]*|_guard[a-z0-9_]*`)

func plainError(s string) string { return guardName.ReplaceAllString(s, "it") }
