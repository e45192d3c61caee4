package odata

import "net/http"

// Func is a function of the standard.
type Func uint8

// The functions that a tree can call. now, mindatetime and maxdatetime are
// literals there; cast, isof and case are nodes of their own.
const (
	Contains   Func = iota // is the second text in the first?
	StartsWith             // does the first text begin with the second?
	EndsWith               // does the first text end with the second?
	Length                 // in code points
	IndexOf                // of the second text in the first, in code points from 0; -1 if it is not there
	Substring              // from a code point, and perhaps how many
	ToLower                // see Lower
	ToUpper                // see Upper
	Trim                   // without Whitespace at both ends
	Concat                 // the first text, then the second

	Year               // of a Date or DateTimeOffset, like Month and Day
	Month              // 1 to 12
	Day                // 1 to 31
	Hour               // of a DateTimeOffset or TimeOfDay, like Minute, Second and FractionalSeconds
	Minute             // 0 to 59
	Second             // 0 to 59
	FractionalSeconds  // a Decimal with three places
	DateOf             // date(): the Date of a DateTimeOffset in UTC
	TimeOf             // time(): the TimeOfDay of a DateTimeOffset in UTC
	TotalOffsetMinutes // 0, or null
	TotalSeconds       // of a Duration, a Decimal with three places

	Round   // half away from zero, to scale 0, like Floor and Ceiling
	Floor   // down
	Ceiling // up
)

// function is what the checker knows of a function: its arguments, each as the
// kinds that it can be, and its result.
type function struct {
	fn       Func
	result   Type // that of the first argument without its decimal places if Kind is Null
	optional int  // how many of the last arguments may be missing
	params   [][]Kind
}

var (
	text    = []Kind{String}
	integer = []Kind{Int32, Int64}
	numbers = []Kind{Decimal, Int32, Int64}
	days    = []Kind{DateTimeOffset, Date}
	clocks  = []Kind{DateTimeOffset, TimeOfDay}
	instant = []Kind{DateTimeOffset}

	condition = Type{Kind: Boolean}
	words     = Type{Kind: String}
	count     = Type{Kind: Int32, Precision: 10}
	seconds   = Type{Kind: Decimal, Precision: 18, Scale: 3}
)

// functions are the functions by their names in lower case.
var functions = map[string]function{
	"contains":   {Contains, condition, 0, [][]Kind{text, text}},
	"startswith": {StartsWith, condition, 0, [][]Kind{text, text}},
	"endswith":   {EndsWith, condition, 0, [][]Kind{text, text}},
	"length":     {Length, count, 0, [][]Kind{text}},
	"indexof":    {IndexOf, count, 0, [][]Kind{text, text}},
	"substring":  {Substring, words, 1, [][]Kind{text, integer, integer}},
	"tolower":    {ToLower, words, 0, [][]Kind{text}},
	"toupper":    {ToUpper, words, 0, [][]Kind{text}},
	"trim":       {Trim, words, 0, [][]Kind{text}},
	"concat":     {Concat, words, 0, [][]Kind{text, text}},

	"year":               {Year, count, 0, [][]Kind{days}},
	"month":              {Month, count, 0, [][]Kind{days}},
	"day":                {Day, count, 0, [][]Kind{days}},
	"hour":               {Hour, count, 0, [][]Kind{clocks}},
	"minute":             {Minute, count, 0, [][]Kind{clocks}},
	"second":             {Second, count, 0, [][]Kind{clocks}},
	"fractionalseconds":  {FractionalSeconds, Type{Decimal, 3, 3}, 0, [][]Kind{clocks}},
	"date":               {DateOf, Type{Kind: Date}, 0, [][]Kind{instant}},
	"time":               {TimeOf, Type{Kind: TimeOfDay, Precision: 3}, 0, [][]Kind{instant}},
	"totaloffsetminutes": {TotalOffsetMinutes, count, 0, [][]Kind{instant}},
	"totalseconds":       {TotalSeconds, seconds, 0, [][]Kind{{Duration}}},

	"round":   {Round, Type{}, 0, [][]Kind{numbers}},
	"floor":   {Floor, Type{}, 0, [][]Kind{numbers}},
	"ceiling": {Ceiling, Type{}, 0, [][]Kind{numbers}},
}

// otherFunctions are functions of the standard that this service does not have.
// No two databases have the same regular expressions, hence no matchespattern.
var otherFunctions = map[string]bool{"matchespattern": true, "hassubset": true, "hassubsequence": true,
	"geo.distance": true, "geo.intersects": true, "geo.length": true, "any": true, "all": true, "isdefined": true,
	"aggregate": true, "aggregation.isroot": true, "aggregation.isdescendant": true, "aggregation.isancestor": true,
	"aggregation.issibling": true, "aggregation.isleaf": true}

// FunctionNames returns the names of all functions, as $metadata lists them.
func FunctionNames() []string {
	return []string{"contains", "startswith", "endswith", "length", "indexof", "substring", "tolower",
		"toupper", "trim",
		"concat", "year", "month", "day", "hour", "minute", "second", "fractionalseconds", "date", "time",
		"totaloffsetminutes", "totalseconds", "now", "mindatetime", "maxdatetime", "round", "floor", "ceiling", "cast",
		"isof", "case"}
}

// OperatorNames returns the names of all operators of expressions, as $metadata lists them.
func OperatorNames() []string {
	return []string{"eq", "ne", "gt", "ge", "lt", "le", "in", "and", "or", "not", "add", "sub", "mul", "div", "divby",
		"mod", "any", "all"}
}

// call reads the arguments of the function that t names.
func (p *parser) call(t token) Expr {
	name := token{kind: tokName, text: t.text}.word()
	switch name {
	case "now", "mindatetime", "maxdatetime":
		return p.constant(t, name)
	case "cast", "isof":
		return p.castOrIsOf(t, name)
	case "case":
		return p.caseOf(t)
	}
	f, ok := functions[name]
	switch {
	case otherFunctions[name]:
		return p.unsupported(t.at, "the function "+t.text)
	case name == "substringof":
		return p.fail(http.StatusBadRequest, t.at, t.text, "substringof is of OData versions 2 and 3: write "+
			"contains(Property,'text')")
	case !ok:
		return p.fail(http.StatusBadRequest, t.at, t.text, "there is no function "+quote(t.text))
	}
	c := &Call{Node{Type: f.result, At: t.at}, f.fn, nil}
	p.next()
	for ok := true; ok; ok = p.more() {
		if len(c.Args) == len(f.params) || len(c.Args) == 0 && p.tok.is(")") {
			return p.badf(p.tok.at, "%s takes %s", t.text, arguments(f))
		}
		a := p.argument(t, f.params[len(c.Args)])
		c.Args = append(c.Args, a)
		c.Nullable = c.Nullable || a.Info().Nullable
	}
	if p.tok.is(")") && len(c.Args) < len(f.params)-f.optional {
		return p.badf(p.tok.at, "%s takes %s", t.text, arguments(f))
	}
	c.bound()
	p.expect(")")
	return p.built(c, t.at)
}

// bound sets type and bound of a number that the call gives.
func (c *Call) bound() {
	first := c.Args[0].Info()
	switch {
	case c.Type.Kind == Null && first.Type.Kind == Decimal:
		c.Max = scaledDown(first.Max, first.Type.Scale)
		c.Type = Type{Kind: Decimal, Precision: precision(c.Max)}
	case c.Type.Kind == Null:
		c.Type, c.Max = first.Type, first.Max
	case c.Func == TotalSeconds:
		c.Max = maxDuration
	default:
		c.Max = c.Type.max()
	}
}

// argument reads an argument that is of one of the kinds.
func (p *parser) argument(of token, kinds []Kind) Expr {
	e := p.expr()
	if l, ok := e.(*Literal); ok {
		if l.Value == nil {
			return typed(l, Type{Kind: kinds[0]})
		}
		if c := adapt(l, kinds[0]); c != nil && (kinds[0] != DateTimeOffset || l.Type.Kind == String) {
			return c
		}
	}
	k := e.Info().Type.Kind
	for _, may := range kinds {
		if k == may {
			return e
		}
	}
	return p.badf(e.Info().At, "%s needs an %s here, and this is an %s", of.text, oneOf(kinds), k)
}

func oneOf(kinds []Kind) string {
	s := ""
	for i, k := range kinds {
		if i > 0 {
			s += " or "
		}
		s += k.String()
	}
	return s
}

func arguments(f function) string {
	n := len(f.params)
	switch {
	case f.optional > 0:
		return []string{"", "", "one or two arguments", "two or three arguments"}[n]
	case n == 1:
		return "one argument"
	}
	return "two arguments"
}

// constant reads now(), mindatetime() or maxdatetime(). They are literals, so
// that every page of an answer and every database has the same now.
func (p *parser) constant(t token, name string) Expr {
	p.next()
	if !p.tok.is(")") {
		return p.badf(p.tok.at, "%s takes no arguments", t.text)
	}
	v := p.now.UTC().Truncate(1e6)
	switch name {
	case "mindatetime":
		v = MinInstant
	case "maxdatetime":
		v = MaxInstant
	}
	p.next()
	l := &Literal{Node: Node{Type: Type{Kind: DateTimeOffset, Precision: 3}, At: t.at}, Value: v}
	p.term(t.at, 1)
	return l
}
