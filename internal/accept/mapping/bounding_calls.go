package mapping

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"gangway/internal/gangway"

	"github.com/itchyny/gojq"
)

// guarded are the functions that are rewritten in a way of their own.
var guarded = set(`add/0 add/1 join/1 sub/2 sub/3 gsub/2 gsub/3 transpose/0 setpath/2 getpath/1 fromjson/0 tonumber/0
	contains/1 inside/1 flatten/0 flatten/1 tojson/0 tostring/0 sort_by/1 group_by/1 unique_by/1 min_by/1 max_by/1
	ltrimstr/1 split/1 split/2 implode/0 explode/0 ascii_downcase/0`)

// function bounds a call.
func (b *bounding) function(t *gojq.Term) {
	f := t.Func
	for _, a := range f.Args {
		b.query(a)
	}
	if forbidden[f.Name] {
		b.refuse(f.Name, "")
	}
	if b.text != substitutions && (strings.HasPrefix(f.Name, ours) || strings.HasPrefix(f.Name, "$__") ||
		strings.HasPrefix(f.Name, "_")) {
		b.refuse(f.Name, "")
	}
	name := fmt.Sprintf("%s/%d", f.Name, len(f.Args))
	if name == "date/1" && !strings.Contains(b.text, "def date(") { // the program's own may take others
		b.order(f.Args[0])
	}
	bare := func(name string, args ...*gojq.Query) *gojq.Query { return call(name, args...) }
	switch {
	case f.Name[0] == '$' || strings.HasPrefix(f.Name, ours):
	case name == "add/0":
		into(t, charged(bare("add"), 4, first))
	case name == "add/1":
		list := &gojq.Query{Term: &gojq.Term{Type: gojq.TermTypeArray, Array: &gojq.Array{Query: f.Args[0]}}}
		into(t, then(charged(list, 4), bare("add")))
	case name == "sub/2", name == "sub/3", name == "gsub/2", name == "gsub/3":
		into(t, b.substitution(f))
	case name == "getpath/1":
		f.Args[0] = then(f.Args[0], call("_guardpath"))
	case name == "setpath/2":
		f.Args[0] = then(f.Args[0], call("_guardpath"))
	case name == "join/1", name == "contains/1", name == "inside/1", name == "transpose/0", name == "fromjson/0",
		name == "tonumber/0":
		// `. as $in | guard(.; args) | f(args)`, which costs the product of both
		guard := call("_guard"+f.Name, f.Args...)
		into(t, then(guard, bare(f.Name, f.Args...)))
	case direct[f.Name] || helperNames[f.Name]:
	default:
		for i, a := range f.Args {
			if !isConstant(a) {
				f.Args[i] = charged(a, max(costs[f.Name], 4))
			}
		}
		into(t, charged(bare(f.Name, f.Args...), max(costs[f.Name], 4), first))
	}
}

// order refuses the order of a date that does not exist, where it is written out: each record would fail.
func (b *bounding) order(q *gojq.Query) {
	if !isText(q) || len(q.Term.Str.Queries) > 0 || b.err != nil {
		return
	}
	order := q.Term.Str.Str
	if !slices.Contains(dateOrders, strings.ToUpper(order)) {
		line, column := lineColumn(b.text, strings.LastIndex(b.text, strconv.Quote(order)))
		b.err = gangway.Errorf(gangway.Invalid, "the mapping has date(%q), and date wants \"DMY\", \"MDY\" or "+
			"\"YMD\", at line %d, column %d", order, line, column)
	}
}

// substitution makes sub and gsub that of ours.
func (b *bounding) substitution(f *gojq.Func) *gojq.Query {
	b.subs = true
	flags := text("")
	if f.Name == "gsub" {
		flags = text("g")
	}
	if len(f.Args) == 3 {
		flags = &gojq.Query{Op: gojq.OpAdd, Left: f.Args[2], Right: flags}
	}
	return call("_guardsub", f.Args[0], f.Args[1], flags)
}

type order bool

const first order = true // what is charged for is the input of the query, not what comes out

// charged makes a query charge for what it puts out, or for what it is given.
func charged(q *gojq.Query, factor int, which ...order) *gojq.Query {
	cost := call("_guardcharge", number(factor))
	if len(which) > 0 {
		return then(cost, q)
	}
	if isConstant(q) {
		return q
	}
	return then(q, cost)
}

func then(a, b *gojq.Query) *gojq.Query { return &gojq.Query{Op: gojq.OpPipe, Left: a, Right: b} }

// into puts a query where a term without its suffixes is.
func into(t *gojq.Term, q *gojq.Query) {
	*t = gojq.Term{Type: gojq.TermTypeQuery, Query: q, SuffixList: t.SuffixList}
}

func call(name string, args ...*gojq.Query) *gojq.Query {
	return &gojq.Query{Term: &gojq.Term{Type: gojq.TermTypeFunc, Func: &gojq.Func{Name: name, Args: args}}}
}

func variable(name string) *gojq.Query { return call(name) }

func number(n int) *gojq.Query {
	return &gojq.Query{Term: &gojq.Term{Type: gojq.TermTypeNumber, Number: fmt.Sprint(n)}}
}

func text(s string) *gojq.Query {
	return &gojq.Query{Term: &gojq.Term{Type: gojq.TermTypeString, Str: &gojq.String{Str: s}}}
}

func element(n string) *gojq.Query {
	return &gojq.Query{Term: &gojq.Term{Type: gojq.TermTypeIndex, Index: &gojq.Index{Start: &gojq.Query{
		Term: &gojq.Term{Type: gojq.TermTypeNumber, Number: n}}}}}
}
