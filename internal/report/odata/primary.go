package odata

import (
	"net/http"
	"strings"
)

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
	case t.kind == tokJSON:
		return nil, p.badf(t.at, "texts stand in single quotes: write %s", asLiteral(t.text))
	case t.is("["), t.is("{"):
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

// it reads $it/Property, which is the same as Property here. Within options of $expand it would be that of the row
// that the path leads to.
func (p *parser) it() (Expr, error) {
	switch {
	case p.tok.text == "$it" && p.work.expands > 0:
		return nil, p.unsupported(p.tok.at, "$it within $expand")
	case p.tok.text != "$it" || p.counted != nil:
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
