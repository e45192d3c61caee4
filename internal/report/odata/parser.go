package odata

import (
	"net/http"
	"strings"
	"time"
)

// reading is what the options of one request share.
type reading struct {
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
}

// newParser returns a parser that has read the first token of src.
func (r *reading) newParser(option, src string, row *Row) (*parser, error) {
	p := &parser{reading: r, option: option, src: src, row: row}
	return p, p.next()
}

// whole reads an expression that is all of the option.
func (p *parser) whole() (Expr, error) {
	e, err := p.expr()
	if err == nil && p.tok.kind != tokEnd {
		err = p.unexpected("an operator or the end")
	}
	return e, err
}

// unexpected is the error at the current token, where something else should stand.
func (p *parser) unexpected(want string) error {
	switch {
	case p.tok.kind == tokEnd:
		return p.badf(p.tok.at, "it ends where %s should follow", want)
	case p.tok.kind == tokName && p.operator() != nil && !p.tok.space:
		return p.badf(p.tok.at, "there must be a space before %s", p.tok.text)
	}
	return p.badf(p.tok.at, "%s stands where %s should", quote(p.src[p.tok.at:p.pos]), want)
}

// expect steps over the character c.
func (p *parser) expect(c string) error {
	if !p.tok.is(c) {
		return p.unexpected(c)
	}
	return p.next()
}

type binaryOp struct {
	name  string
	binds int // tighter if larger
	build func(p *parser, at int, l, r Expr) (Expr, error)
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
	return &binaryOp{op.String(), binds, func(p *parser, at int, l, r Expr) (Expr, error) {
		return p.compare(op, at, l, r)
	}}
}

func calculation(op ArithmeticOp, binds int) *binaryOp {
	return &binaryOp{op.String(), binds, func(p *parser, at int, l, r Expr) (Expr, error) {
		return p.arithmetic(op, at, l, r)
	}}
}

func (p *parser) operator() *binaryOp { return binaryOps[p.tok.word()] }

// expr reads an expression.
func (p *parser) expr() (Expr, error) { return p.binary(1) }

// binary reads operands joined by operators that bind at least as tightly as
// least, each to what stands on its left.
func (p *parser) binary(least int) (Expr, error) {
	left, err := p.unary()
	for err == nil {
		op := p.operator()
		if op == nil || op.binds < least {
			return left, nil
		}
		if op.build == nil {
			left, err = p.logical(op, left)
			continue
		}
		var right Expr
		at := p.tok.at
		if right, err = p.operand(op); err == nil {
			if left, err = op.build(p, at, left, right); err == nil {
				err = p.built(left, at)
			}
		}
	}
	return nil, err
}

// operand steps over an operator and reads what stands on its right.
func (p *parser) operand(op *binaryOp) (Expr, error) {
	if err := p.spaced(); err != nil {
		return nil, err
	}
	return p.binary(op.binds + 1)
}

// spaced steps over a word that must have blanks on both sides.
func (p *parser) spaced() error {
	word, at := p.tok.text, p.tok.at
	if !p.tok.space {
		return p.badf(at, "there must be a space before %s", word)
	}
	if err := p.next(); err != nil {
		return err
	}
	if !p.tok.space && p.tok.kind != tokEnd {
		return p.badf(p.tok.at, "there must be a space behind %s", word)
	}
	return nil
}

// logical reads a chain of the same logical operator.
func (p *parser) logical(op *binaryOp, first Expr) (Expr, error) {
	at := p.tok.at
	l := &Logical{Node: Node{Type: Type{Kind: Boolean}, At: first.Info().At}, Op: Or}
	if op.name == "and" {
		l.Op = And
	}
	next := first
	for {
		c, err := p.condition(next, "the operator "+op.name)
		if err != nil {
			return nil, err
		}
		l.Terms = append(l.Terms, c)
		l.Nullable = l.Nullable || c.Info().Nullable
		if p.operator() != op {
			return l, p.built(l, at)
		}
		if next, err = p.operand(op); err != nil {
			return nil, err
		}
	}
}

// condition returns e, which user needs to be true or false.
func (p *parser) condition(e Expr, user string) (Expr, error) {
	if l, ok := e.(*Literal); ok && l.Value == nil {
		return typed(l, Type{Kind: Boolean}), nil
	}
	if k := e.Info().Type.Kind; k != Boolean {
		return nil, p.badf(e.Info().At, "%s needs a condition, and this is an %s", user, k)
	}
	return e, nil
}

// built counts a new node, and takes its height from what it is made of.
func (p *parser) built(e Expr, at int) error {
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
	return p.term(at, 1)
}

// unary reads an operand with what stands before it, and in or has behind it.
func (p *parser) unary() (Expr, error) {
	at := p.tok.at
	if err := p.enter(at); err != nil {
		return nil, err
	}
	defer func() { p.depth-- }()
	switch {
	case p.tok.is("-"):
		if err := p.next(); err != nil {
			return nil, err
		}
		x, err := p.unary()
		if err != nil {
			return nil, err
		}
		return p.negate(at, x)
	case p.tok.word() == "not":
		return p.not(at)
	}
	e, err := p.primary()
	if err != nil {
		return nil, err
	}
	for p.tok.word() == "in" || p.tok.word() == "has" {
		if p.tok.word() == "has" {
			return nil, p.unsupported(p.tok.at, "has, which is for enumerations,")
		}
		if e, err = p.in(e); err != nil {
			return nil, err
		}
	}
	return e, nil
}

func (p *parser) not(at int) (Expr, error) {
	if err := p.next(); err != nil {
		return nil, err
	}
	if !p.tok.space && !p.tok.is("(") {
		return nil, p.badf(p.tok.at, "there must be a space behind not")
	}
	x, err := p.unary()
	if err != nil {
		return nil, err
	}
	if k := x.Info().Type.Kind; k != Boolean && k != Null {
		return nil, p.badf(x.Info().At, "not binds tighter than comparisons: write not (… eq …)")
	}
	if x, err = p.condition(x, "not"); err != nil {
		return nil, err
	}
	n := &Not{Node{Type: Type{Kind: Boolean}, Nullable: x.Info().Nullable, At: at}, x}
	return n, p.built(n, at)
}

// primary reads a literal, a property, a call, an alias, or parentheses.
func (p *parser) primary() (Expr, error) {
	t := p.tok
	switch {
	case t.kind == tokLiteral:
		if err := p.term(t.at, 1); err != nil {
			return nil, err
		}
		return t.lit, p.next()
	case t.is("("):
		if err := p.next(); err != nil {
			return nil, err
		}
		e, err := p.expr()
		if err != nil {
			return nil, err
		}
		return e, p.expect(")")
	case t.is("["), t.is("{"), t.kind == tokJSON:
		return nil, p.unsupported(t.at, "a collection or an object in an expression")
	case t.kind == tokAlias && strings.Contains(t.text, "."):
		return nil, p.unsupported(t.at, "an annotation in an expression")
	case t.kind == tokAlias:
		if err := p.next(); err != nil {
			return nil, err
		}
		return p.alias(t)
	case t.kind == tokDollar:
		return p.it()
	case t.kind == tokName && p.operator() == nil:
		if err := p.next(); err != nil {
			return nil, err
		}
		if p.tok.is("(") {
			return p.call(t)
		}
		return p.path(t)
	}
	return nil, p.unexpected("a property, a value or a function")
}

// it reads $it/Property, which is the same as Property here.
func (p *parser) it() (Expr, error) {
	if p.tok.text != "$it" {
		return nil, p.unsupported(p.tok.at, p.tok.text+" in an expression")
	}
	if err := p.next(); err != nil {
		return nil, err
	}
	if !p.tok.is("/") {
		return nil, p.unsupported(p.tok.at, "$it without a property")
	}
	if err := p.next(); err != nil {
		return nil, err
	}
	t := p.tok
	if t.kind != tokName {
		return nil, p.unexpected("a property")
	}
	if err := p.next(); err != nil {
		return nil, err
	}
	return p.memberOfRow(t, p.row, nil)
}

// property returns the property that the name t stands for.
func (p *parser) property(t token) (*Property, error) {
	if prop := p.row.names[t.text]; prop != nil {
		return prop, nil
	}
	if p.row.navigates(t.text) {
		return nil, p.unsupported(t.at, "the navigation property "+t.text+" in this place")
	}
	return nil, p.unknown(t, p.row)
}

// unknown is the error for a name that is no property of the row.
func (p *parser) unknown(t token, row *Row) error {
	message := "there is no property " + quote(t.text)
	for _, prop := range row.Properties {
		if strings.EqualFold(prop.Name, t.text) {
			message += "; did you mean " + prop.Name + "? (Case matters in names of properties)"
			break
		}
	}
	return p.fail(http.StatusBadRequest, t.at, t.text, message)
}
