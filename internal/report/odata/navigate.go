package odata

import (
	"net/http"
	"strings"
)

// variable is a name that stands for each row that a Lambda looks at.
type variable struct {
	name   string
	lambda *Lambda
}

// path reads what begins with the name t: a property of the row, of the row of
// a variable, or of rows that a navigation property leads to.
func (p *parser) path(t token) Expr {
	for i := len(p.vars) - 1; i >= 0 && p.tok.is("/"); i-- {
		if v := p.vars[i]; v.name == t.text {
			return p.memberOfRow(p.behindSlash(), v.lambda.Navigation.Target.row, v.lambda)
		}
	}
	return p.memberOfRow(t, p.row, p.counted)
}

// behindSlash steps over a slash and the name behind it, which it returns.
func (p *parser) behindSlash() token {
	p.next()
	t := p.tok
	switch {
	case t.kind == tokName, t.text == "$count":
	case t.kind == tokAlias, t.kind == tokDollar:
		p.unsupported(t.at, quote(p.src[t.at:p.pos])+" in an expression")
	default:
		p.unexpected("the name of a property")
	}
	p.next()
	return t
}

// memberOfRow returns what the name t stands for in a row, which is that of the
// Lambda, or the row itself if there is none.
func (p *parser) memberOfRow(t token, row *Row, of *Lambda) Expr {
	if prop := row.names[t.text]; prop != nil {
		return p.ref(t, &Ref{Property: prop, Of: of})
	}
	if !row.navigates(t.text) {
		return p.unknown(t, row)
	}
	n := row.set.Navigation(t.text)
	p.relate(t.at, 1)
	if !p.tok.is("/") {
		return p.leadsToNone(t, n, of)
	}
	member := p.behindSlash()
	word := member.word()
	switch {
	case n.Many && member.text == "$count":
		return p.relatedCount(&RelatedCount{Node: Node{Type: Type{Kind: Int64, Precision: digitsOf[Int64]},
			Max: mostRows, At: t.at}, Of: of, Navigation: n})
	case n.Many && (word == "any" || word == "all") && p.tok.is("("):
		return p.lambda(t, &Lambda{Node: Node{Type: condition, At: t.at}, Of: of, Navigation: n, All: word == "all"})
	case n.Many:
		return p.unsupported(member.at, quote(member.text)+" of the navigation property "+n.Name)
	}
	prop := n.Target.row.names[member.text]
	if prop == nil {
		if n.Target.Navigation(member.text) != nil {
			return p.unsupported(member.at, "a path of two navigation properties")
		}
		return p.unknown(member, n.Target.row)
	}
	return p.ref(member, &Ref{Property: prop, Of: of, Via: n})
}

// leadsToNone reads eq null or ne null behind a navigation property to one row (P 13.2.2 item 3). Where there
// is a row it has a key.
func (p *parser) leadsToNone(t token, n *Navigation, of *Lambda) Expr {
	op, is := map[string]CompareOp{"eq": Eq, "ne": Ne}[p.tok.word()]
	if n.Many || !is {
		return p.unsupported(t.at, "the navigation property "+n.Name+" as a value")
	}
	at := p.tok.at
	p.spaced()
	null := p.tok
	if null.kind != tokLiteral || null.lit.Value != nil {
		return p.unsupported(null.at, "a comparison of the navigation property "+n.Name+" with anything but null")
	}
	p.next()
	key := p.ref(t, &Ref{Property: n.Target.Key[0], Of: of, Via: n})
	return p.built(p.compareNull(op, at, key, null.lit), at)
}

// relatedCount reads which rows are counted, if not all of them: ($filter=Km gt 5;$search=KL). Names stand
// for the properties of these rows there.
func (p *parser) relatedCount(c *RelatedCount) Expr {
	if !p.tok.is("(") {
		return p.built(c, c.At)
	}
	values := p.nested(nestedOptions[ExpandCount])
	if p.work.lambdas++; p.work.lambdas > p.limits.Lambdas {
		return p.badf(c.At, "more than %d levels of any and all", p.limits.Lambdas)
	}
	defer func() { p.work.lambdas-- }()
	if text, ok := values["$filter"]; ok {
		c.Some = &Lambda{Node: Node{Type: condition, At: c.At}, Of: c.Of, Navigation: c.Navigation}
		inner := p.newParser(p.option+"=…/"+c.Navigation.Name+"/$count($filter)", text, c.Navigation.Target.row)
		inner.counted, inner.vars, inner.depth, inner.cases = c.Some, p.vars, p.depth, p.cases
		c.Some.If = inner.condition(inner.whole(), "$filter")
	}
	q := &Query{Row: c.Navigation.Target.row}
	p.search(q, values)
	c.Search = q.Search
	return p.built(c, c.At)
}

// ref finishes a reference to a property.
func (p *parser) ref(t token, r *Ref) Expr {
	if p.tok.is("/") {
		if strings.HasPrefix(p.src[p.pos:], "@") {
			return p.unsupported(p.tok.at, "an annotation in an expression")
		}
		return p.fail(http.StatusBadRequest, p.tok.at, t.text, "the property "+t.text+" has no parts")
	}
	prop := r.Property
	r.Node = Node{Type: prop.Type, Nullable: prop.Nullable || r.Via != nil, Max: prop.Type.max(), At: t.at}
	return p.built(r, t.at)
}

// lambda reads (x:condition), or () for any.
func (p *parser) lambda(t token, l *Lambda) Expr {
	p.next()
	if p.tok.is(")") && !l.All {
		p.next()
		return p.built(l, t.at)
	}
	name := p.tok
	if name.kind != tokName || !identifier(name.text) {
		return p.unexpected("a name for the rows, such as in (x:x/Name eq 'a')")
	}
	p.next()
	p.expect(":")
	if p.work.lambdas++; p.work.lambdas > p.limits.Lambdas {
		return p.badf(t.at, "more than %d levels of any and all", p.limits.Lambdas)
	}
	p.vars = append(p.vars, variable{name.text, l})
	l.If = p.condition(p.expr(), "a lambda")
	p.vars = p.vars[:len(p.vars)-1]
	p.work.lambdas--
	p.expect(")")
	return p.built(l, t.at)
}
