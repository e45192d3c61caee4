package odata

import (
	"net/http"
	"strings"
)

// unary reads an operand with what stands before it, and in or has behind it.
func (p *parser) unary() Expr {
	at := p.tok.at
	p.enter(at)
	defer func() { p.depth-- }()
	switch {
	case p.tok.is("-"):
		p.next()
		return p.negate(at, p.unary())
	case p.tok.word() == "not":
		return p.not(at)
	}
	e := p.primary()
	for p.tok.word() == "in" || p.tok.word() == "has" {
		if p.tok.word() == "has" {
			return p.unsupported(p.tok.at, "has, which is for enumerations,")
		}
		e = p.in(e)
	}
	return e
}

func (p *parser) not(at int) Expr {
	p.next()
	if !p.tok.space && !p.tok.is("(") {
		return p.badf(p.tok.at, "there must be a space behind not")
	}
	x := p.unary()
	if k := x.Info().Type.Kind; k != Boolean && k != Null {
		return p.badf(x.Info().At, "not binds tighter than comparisons: write not (… eq …)")
	}
	x = p.condition(x, "not")
	n := &Not{Node{Type: Type{Kind: Boolean}, Nullable: x.Info().Nullable, At: at}, x}
	return p.built(n, at)
}

// primary reads a literal, a property, a call, an alias, or parentheses.
func (p *parser) primary() Expr {
	t := p.tok
	switch {
	case t.kind == tokLiteral:
		p.term(t.at, 1)
		p.next()
		return t.lit
	case t.is("("):
		p.next()
		e := p.expr()
		p.expect(")")
		return e
	case t.kind == tokJSON:
		return p.badf(t.at, "texts stand in single quotes: write %s", asLiteral(t.text))
	case t.is("["), t.is("{"):
		return p.unsupported(t.at, "a collection or an object in an expression")
	case t.kind == tokAlias && strings.Contains(t.text, "."):
		return p.unsupported(t.at, "an annotation in an expression")
	case t.kind == tokAlias:
		p.next()
		return p.alias(t)
	case t.kind == tokDollar:
		return p.it()
	case t.kind == tokName && p.operator() == nil:
		p.next()
		if p.tok.is("(") {
			return p.call(t)
		}
		return p.path(t)
	}
	return p.unexpected("a property, a value or a function")
}

// it reads $it/Property, which is the same as Property here. Within options of $expand it would be that of the row
// that the path leads to.
func (p *parser) it() Expr {
	switch {
	case p.tok.text == "$it" && p.work.expands > 0:
		return p.unsupported(p.tok.at, "$it within $expand")
	case p.tok.text != "$it" || p.counted != nil:
		return p.unsupported(p.tok.at, p.tok.text+" in an expression")
	}
	p.next()
	if !p.tok.is("/") {
		return p.unsupported(p.tok.at, "$it without a property")
	}
	p.next()
	t := p.tok
	if t.kind != tokName {
		return p.unexpected("a property")
	}
	p.next()
	return p.memberOfRow(t, p.row, nil)
}

// property returns the property that the name t stands for; nil: there is none.
func (p *parser) property(t token) *Property {
	prop := p.row.names[t.text]
	switch {
	case prop != nil:
	case p.row.navigates(t.text):
		p.unsupported(t.at, "the navigation property "+t.text+" in this place")
	default:
		p.unknown(t, p.row)
	}
	return prop
}

// unknown fails at a name that is no property of the row.
func (p *parser) unknown(t token, row *Row) Expr {
	message := "there is no property " + quote(t.text)
	for _, prop := range row.Properties {
		if strings.EqualFold(prop.Name, t.text) {
			message += "; did you mean " + prop.Name + "? (Case matters in names of properties)"
			return p.fail(http.StatusBadRequest, t.at, t.text, message)
		}
	}
	if p.option == "$filter" && identifier(t.text) {
		message += "; if it is a text, write " + asLiteral(t.text)
	}
	return p.fail(http.StatusBadRequest, t.at, t.text, message)
}

// asLiteral writes a text as expressions have it.
func asLiteral(text string) string { return "'" + strings.ReplaceAll(text, "'", "''") + "'" }
