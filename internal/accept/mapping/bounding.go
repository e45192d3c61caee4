package mapping

import (
	"fmt"
	"slices"
	"strings"

	"gangway/internal/gangway"

	"github.com/itchyny/gojq"
)

// The interpreter bounds neither the memory that one of its own functions takes,
// nor its time: `"x" * 1e9` is one instruction. Every program is therefore
// rewritten before it is compiled: what can take much is charged for first.

// forbidden are functions that reach out of the program, or tell of the machine.
var forbidden = set(`env $ENV input inputs debug stderr input_filename input_line_number halt halt_error modulemeta
	get_search_list localtime strflocaltime fromstream truncate_stream builtins $__prog_args $__loc__`)

// direct are functions that are not charged for: the program's own instructions
// are all they do, or next to nothing. Paths lead through them.
var direct = set(`empty path not length utf8bytelength type select map map_values recurse range first last limit skip
	nth until while repeat isempty all any arrays objects iterables booleans numbers finites normals strings nulls values
	scalars del paths pick to_entries with_entries from_entries has in walk tostream now infinite nan isnan isinfinite
	isfinite isnormal null true false combinations abs add getpath`)

// costs are how many bytes functions take for each byte of what they are given.
// Others take up to four.
var costs = map[string]int{
	"match": 500, "scan": 500, "splits": 500, "test": 8, "capture": 500, "sub": 500, "gsub": 500, "explode": 32,
	"split": 32, "indices": 32, "index": 32, "rindex": 32, "strftime": 32, "strptime": 32, "todate": 32, "tojson": 8,
}

// ours are the names that the rewritten programs use.
const ours = "_guard"

// A bounding rewrites a program. It changes what it is given.
type bounding struct {
	text string
	subs bool // sub or gsub is used
	err  error
}

func set(words string) map[string]bool {
	m := map[string]bool{}
	for w := range strings.FieldsSeq(words) {
		m[w] = true
	}
	return m
}

// program returns a bounded copy of a program.
func (b *bounding) program(q *gojq.Query) *gojq.Query {
	q, err := gojq.Parse(q.String()) // a copy: parts of it may be in two programs
	if err != nil {
		b.err = gangway.Errorf(gangway.Invalid, "the mapping cannot be run: %v", err)
		return nil
	}
	if q.Meta != nil || len(q.Imports) > 0 {
		b.refuse("import", ": there are no modules")
	}
	b.query(q)
	if b.subs && b.err == nil {
		defs, err := gojq.Parse(substitutions + " .")
		if err != nil {
			panic(err) // it is ours
		}
		c := &bounding{text: substitutions}
		c.query(defs)
		q.FuncDefs = append(slices.Clone(defs.FuncDefs), q.FuncDefs...)
	}
	return q
}

// substitutions are jq's own definitions, so that what they add is bounded, too.
const substitutions = `
def _guardsub($re; str; $flags):
  reduce (_guardcharge(500) | match($re; $flags)) as {$offset, $length, $captures}
    ({s: ., r: []};
      reduce ([$captures[] | select(.name != null) | {(.name): .string}] | add // {} | str) as $s
        (.i = 0; .r[.i] += .s[.next:$offset] + $s | .i += 1) |
      .next = $offset + $length) | .r[] + .s[.next:] // .s;`

func (b *bounding) refuse(name, why string) {
	if b.err != nil {
		return
	}
	line, column := lineColumn(b.text, find(b.text, name))
	b.err = gangway.Errorf(gangway.Invalid, "the mapping uses %s, which mappings cannot%s, at line %d, column %d", name,
		why, line, column)
}

func (b *bounding) query(q *gojq.Query) {
	if q == nil || b.err != nil {
		return
	}
	for _, def := range q.FuncDefs {
		b.definition(def)
	}
	for _, p := range q.Patterns {
		b.pattern(p)
	}
	b.query(q.Left)
	b.query(q.Right)
	b.term(q.Term)
	switch q.Op {
	case gojq.OpAdd, gojq.OpDiv, gojq.OpSub, gojq.OpMul, gojq.OpMod:
		b.arithmetic(q)
	case gojq.OpEq, gojq.OpNe, gojq.OpGt, gojq.OpLt, gojq.OpGe, gojq.OpLe:
		if !isConstant(q.Left) && !isConstant(q.Right) {
			q.Left, q.Right = charged(q.Left, 1), charged(q.Right, 1)
		}
	case gojq.OpUpdateAdd, gojq.OpUpdateSub, gojq.OpUpdateMul, gojq.OpUpdateDiv, gojq.OpUpdateMod:
		b.update(q)
	}
}

// arithmetic makes `[l, r] | guard | .[0] + .[1]` of `l + r`.
func (b *bounding) arithmetic(q *gojq.Query) {
	if isConstant(q.Left) && isConstant(q.Right) && q.Op != gojq.OpMul {
		return
	}
	guard := map[gojq.Operator]string{gojq.OpAdd: "_guardadd", gojq.OpMul: "_guardmul", gojq.OpSub: "_guardsub",
		gojq.OpDiv: "_guarddiv", gojq.OpMod: "_guarddiv"}[q.Op]
	operands := call(guard+"2", q.Left, q.Right)
	sum := &gojq.Query{Op: q.Op, Left: element("0"), Right: element("1")}
	if q.Op == gojq.OpAdd {
		*q = *operands // the commonest: the guard adds as well
		return
	}
	q.Left, q.Op, q.Right = operands, gojq.OpPipe, sum
}

// update makes `r as $__guard | l |= . + $__guard` of `l += r`, and bounds that.
func (b *bounding) update(q *gojq.Query) {
	op := map[gojq.Operator]gojq.Operator{gojq.OpUpdateAdd: gojq.OpAdd, gojq.OpUpdateSub: gojq.OpSub,
		gojq.OpUpdateMul: gojq.OpMul, gojq.OpUpdateDiv: gojq.OpDiv, gojq.OpUpdateMod: gojq.OpMod}[q.Op]
	by := &gojq.Query{Op: op, Left: identity(), Right: variable("$__guard")}
	b.arithmetic(by)
	set := &gojq.Query{Op: gojq.OpModify, Left: q.Left, Right: by}
	*q = gojq.Query{Op: gojq.OpPipe, Left: q.Right, Patterns: []*gojq.Pattern{{Name: "$__guard"}}, Right: set}
}

// isConstant reports whether a query is a number, a short text or the like.
func isConstant(q *gojq.Query) bool {
	t := q.Term
	if t == nil || len(q.FuncDefs) > 0 || len(t.SuffixList) > 0 {
		return false
	}
	switch t.Type {
	case gojq.TermTypeNull, gojq.TermTypeTrue, gojq.TermTypeFalse, gojq.TermTypeNumber:
		return true
	case gojq.TermTypeString:
		return len(t.Str.Queries) == 0
	case gojq.TermTypeFunc:
		return len(t.Func.Args) == 0 && (t.Func.Name == "length" || t.Func.Name == "type")
	}
	return false
}

func (b *bounding) definition(def *gojq.FuncDef) {
	if strings.HasPrefix(def.Name, ours) && b.text != substitutions {
		b.refuse(def.Name, "")
	}
	if guarded[fmt.Sprintf("%s/%d", def.Name, len(def.Args))] {
		b.refuse("def "+def.Name, " define: jq has a function of that name")
	}
	for _, arg := range def.Args {
		if guarded[arg+"/0"] || strings.HasPrefix(arg, ours) || strings.HasPrefix(arg, "$__") {
			b.refuse(arg, " define: jq has a function of that name")
		}
	}
	b.query(def.Body)
}

func (b *bounding) pattern(p *gojq.Pattern) {
	if p == nil {
		return
	}
	if strings.HasPrefix(p.Name, "$__") && b.text != substitutions {
		b.refuse(p.Name, "")
	}
	for _, a := range p.Array {
		b.pattern(a)
	}
	for _, o := range p.Object {
		b.inserted(o.KeyString)
		b.query(o.KeyQuery)
		b.pattern(o.Val)
	}
}

// inserted bounds what is put into a text: "\(.a)".
func (b *bounding) inserted(s *gojq.String) {
	if s == nil {
		return
	}
	for i, q := range s.Queries {
		b.query(q)
		if t := q.Term; t == nil || t.Type != gojq.TermTypeString {
			s.Queries[i] = &gojq.Query{Term: &gojq.Term{Type: gojq.TermTypeQuery, Query: charged(q, 8)}}
		}
	}
}

func (b *bounding) term(t *gojq.Term) {
	if t == nil || b.err != nil {
		return
	}
	b.index(t.Index)
	b.inserted(t.Str)
	b.query(t.Query)
	if t.Unary != nil {
		b.term(t.Unary.Term)
	}
	if t.Object != nil {
		for _, kv := range t.Object.KeyVals {
			b.inserted(kv.KeyString)
			b.query(kv.KeyQuery)
			b.query(kv.Val)
		}
	}
	if t.Array != nil {
		b.query(t.Array.Query)
	}
	b.control(t)
	for _, s := range t.SuffixList {
		b.index(s.Index)
	}
	switch {
	case t.Func != nil:
		b.function(t)
	case t.Type == gojq.TermTypeFormat && t.Str == nil:
		into(t, charged(&gojq.Query{Term: &gojq.Term{Type: t.Type, Format: t.Format}}, 8, first))
	}
}

func (b *bounding) control(t *gojq.Term) {
	if i := t.If; i != nil {
		b.query(i.Cond)
		b.query(i.Then)
		for _, e := range i.Elif {
			b.query(e.Cond)
			b.query(e.Then)
		}
		b.query(i.Else)
	}
	if t.Try != nil {
		b.query(t.Try.Body)
		b.query(t.Try.Catch)
	}
	if r := t.Reduce; r != nil {
		for _, p := range r.Patterns {
			b.pattern(p)
		}
		b.query(r.Query)
		b.query(r.Start)
		b.query(r.Update)
	}
	if f := t.Foreach; f != nil {
		for _, p := range f.Patterns {
			b.pattern(p)
		}
		b.query(f.Query)
		b.query(f.Start)
		b.query(f.Update)
		b.query(f.Extract)
	}
	if t.Label != nil {
		b.query(t.Label.Body)
	}
}

// index bounds the places that are computed: to write to place 1e9 of a list
// makes it that long.
func (b *bounding) index(i *gojq.Index) {
	if i == nil {
		return
	}
	b.inserted(i.Str)
	b.query(i.Start)
	b.query(i.End)
	if i.Start != nil && !i.IsSlice && !isText(i.Start) {
		i.Start = then(i.Start, call("_guardindex"))
	}
}

func isText(q *gojq.Query) bool {
	return q.Term != nil && q.Term.Type == gojq.TermTypeString && len(q.Term.SuffixList) == 0
}
