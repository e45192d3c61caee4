package odata

import "time"

// reading is what the options of one request share. Parsers do not return errors: the first one is kept here,
// every option ends there, and what is still read after it has no effect.
type reading struct {
	err     error
	schema  *Schema
	limits  Limits
	now     time.Time
	work    work
	aliases map[string]string
	parsed  map[aliasUse]*aliased
	open    map[string]bool // aliases that are being read, to find circles
}

// parser reads one option, or a part of one.
type parser struct {
	*reading
	option string // for messages: $filter
	src    string
	pos    int
	tok    token
	row    *Row // what names stand for
	depth  int
	cases  int // how many case() are open
	vars   []variable
	// counted has the rows that names stand for in the options of a count; nil: they stand for the row itself
	counted *Lambda
}

// stop notes an error, unless there is one.
func (r *reading) stop(err error) {
	if r.err == nil {
		r.err = err
	}
}

// newParser returns a parser that has read the first token of src.
func (r *reading) newParser(option, src string, row *Row) *parser {
	p := &parser{reading: r, option: option, src: src, row: row}
	p.next()
	return p
}

// whole reads an expression that is all of the option.
func (p *parser) whole() Expr {
	e := p.expr()
	p.end("an operator or the end")
	return e
}

// end wants the end of the option.
func (p *parser) end(want string) {
	if p.tok.kind != tokEnd {
		p.unexpected(want)
	}
}

// unexpected fails at the current token, where something else should stand.
func (p *parser) unexpected(want string) Expr {
	switch {
	case p.tok.kind == tokEnd:
		return p.badf(p.tok.at, "it ends where %s should follow", want)
	case p.tok.is("="):
		return p.badf(p.tok.at, "write eq for =; the other comparisons are ne, gt, ge, lt and le")
	case p.tok.kind == tokName && p.operator() != nil && !p.tok.space:
		return p.badf(p.tok.at, "there must be a space before %s", p.tok.text)
	}
	return p.badf(p.tok.at, "%s stands where %s should", quote(p.src[p.tok.at:p.pos]), want)
}

// expect steps over the character c.
func (p *parser) expect(c string) {
	if !p.tok.is(c) {
		p.unexpected(c)
	}
	p.next()
}

// more steps over a comma, and reports whether there is one.
func (p *parser) more() bool {
	if !p.tok.is(",") {
		return false
	}
	p.next()
	return p.err == nil
}

type binaryOp struct {
	name  string
	binds int // tighter if larger
	build func(p *parser, at int, l, r Expr) Expr
}

// binaryOps are the operators between two expressions (U 5.1.1.17).
var binaryOps = map[string]*binaryOp{
	"or":  {"or", 1, nil},
	"and": {"and", 2, nil},
	"eq":  comparison(Eq, 3), "ne": comparison(Ne, 3),
	"gt": comparison(Gt, 4), "ge": comparison(Ge, 4), "lt": comparison(Lt, 4), "le": comparison(Le, 4),
	"add": calculation(Add, 5), "sub": calculation(Sub, 5),
	"mul": calculation(Mul, 6), "div": calculation(Div, 6), "divby": calculation(DivBy, 6), "mod": calculation(Mod, 6),
}

func comparison(op CompareOp, binds int) *binaryOp {
	return &binaryOp{op.String(), binds, func(p *parser, at int, l, r Expr) Expr {
		return p.compare(op, at, l, r)
	}}
}

func calculation(op ArithmeticOp, binds int) *binaryOp {
	return &binaryOp{op.String(), binds, func(p *parser, at int, l, r Expr) Expr {
		return p.arithmetic(op, at, l, r)
	}}
}

func (p *parser) operator() *binaryOp { return binaryOps[p.tok.word()] }

// expr reads an expression.
func (p *parser) expr() Expr { return p.binary(1) }

// binary reads operands joined by operators that bind at least as tightly as
// least, each to what stands on its left.
func (p *parser) binary(least int) Expr {
	left := p.unary()
	for {
		op := p.operator()
		if op == nil || op.binds < least {
			return left
		}
		if op.build == nil {
			left = p.logical(op, left)
			continue
		}
		at := p.tok.at
		left = p.built(op.build(p, at, left, p.operand(op)), at)
	}
}

// operand steps over an operator and reads what stands on its right.
func (p *parser) operand(op *binaryOp) Expr {
	p.spaced()
	return p.binary(op.binds + 1)
}

// spaced steps over a word that must have blanks on both sides.
func (p *parser) spaced() {
	word, at := p.tok.text, p.tok.at
	if !p.tok.space {
		p.badf(at, "there must be a space before %s", word)
	}
	p.next()
	if !p.tok.space && p.tok.kind != tokEnd {
		p.badf(p.tok.at, "there must be a space behind %s", word)
	}
}

// logical reads a chain of the same logical operator.
func (p *parser) logical(op *binaryOp, first Expr) Expr {
	at := p.tok.at
	l := &Logical{Node: Node{Type: Type{Kind: Boolean}, At: first.Info().At}, Op: Or}
	if op.name == "and" {
		l.Op = And
	}
	next := first
	for {
		c := p.condition(next, "the operator "+op.name)
		l.Terms = append(l.Terms, c)
		l.Nullable = l.Nullable || c.Info().Nullable
		if p.operator() != op {
			return p.built(l, at)
		}
		next = p.operand(op)
	}
}

// condition returns e, which user needs to be true or false.
func (p *parser) condition(e Expr, user string) Expr {
	if l, ok := e.(*Literal); ok && l.Value == nil {
		return typed(l, Type{Kind: Boolean})
	}
	if k := e.Info().Type.Kind; k != Boolean {
		return p.badf(e.Info().At, "%s needs a condition, and this is an %s", user, k)
	}
	return e
}

// built returns a new node; it counts it, and takes its height from what it is made of.
func (p *parser) built(e Expr, at int) Expr {
	n := e.Info()
	n.height = 1
	each := func(c Expr) { n.height = max(n.height, c.Info().height+1) }
	switch e := e.(type) {
	case *Logical:
		for _, t := range e.Terms {
			each(t)
		}
	default:
		for _, c := range Children(e) {
			each(c)
		}
	}
	if n.height > p.limits.Depth {
		return p.badf(at, "the expression is nested more than %d levels deep", p.limits.Depth)
	}
	if n.texts = texts(e); n.texts > 1 {
		p.put(at, n.texts-1)
	}
	p.term(at, 1)
	return e
}
