package odata

import (
	"math"
	"slices"
	"strings"
)

// aggregates reads PriceTotal with sum as Total,$count as Bookings into s.
func (p *parser) aggregates(s *GroupStage) {
	for ok := true; ok; ok = p.more() {
		a := Aggregate{Method: Rows}
		at := p.tok.at
		if p.tok.kind == tokDollar && p.tok.text == "$count" {
			p.next()
		} else {
			a.Method, a.Of = p.aggregateOf()
		}
		name := p.as(s.properties())
		a.Property = p.aggregated(at, a, name)
		if s.Aggregates = append(s.Aggregates, a); len(s.Aggregates) > p.limits.Names {
			p.badf(at, "there are more than %d aggregates", p.limits.Names)
		}
	}
}

// aggregateOf reads expression with method.
func (p *parser) aggregateOf() (Method, Expr) {
	e := p.expr()
	_, related := e.(*RelatedCount)
	switch {
	case isNull(e), e.Info().Type.Kind == beyond:
		p.badf(e.Info().At, "this cannot be aggregated")
	case p.tok.word() == "from":
		p.unsupported(p.tok.at, "from")
	case related && p.tok.word() == "as":
		p.unsupported(e.Info().At, "counting what rows lead to, in aggregate,")
	case p.tok.word() != "with":
		p.unexpected("with and a method: sum, min, max, average or countdistinct")
	}
	p.spaced()
	t := p.tok
	m, ok := methods[t.word()]
	switch {
	case t.kind != tokName:
		p.unexpected("sum, min, max, average or countdistinct")
	case strings.Contains(t.text, "."):
		p.unsupported(t.at, "the method "+t.text)
	case !ok:
		p.badf(t.at, "there is no method %s, but sum, min, max, average and countdistinct", quote(t.text))
	}
	p.next()
	if p.tok.word() == "from" {
		p.unsupported(p.tok.at, "from")
	}
	return m, e
}

// as reads as Name, which none of the properties may have.
func (p *parser) as(but []*Property) string {
	if p.tok.word() != "as" {
		p.unexpected("as and a name")
	}
	p.spaced()
	t := p.tok
	if t.kind != tokName || !identifier(t.text) {
		p.unexpected("a name")
	}
	p.next()
	if slices.ContainsFunc(but, func(q *Property) bool { return q.Name == t.text }) {
		p.badf(t.at, "the name %s is taken", t.text)
	}
	return t.text
}

// aggregated returns the property that the aggregate makes.
func (p *parser) aggregated(at int, a Aggregate, name string) *Property {
	out := &Property{Name: name, Type: Type{Kind: Int64, Precision: digitsOf[Int64]}}
	if a.Method == Rows || a.Method == CountDistinct {
		return out
	}
	n := a.Of.Info()
	out.Nullable = true
	switch a.Method {
	case Min, Max:
		if n.Type.Kind == Boolean {
			p.badf(at, "min and max need something with an order, and this is an %s", n.Type.Kind)
		}
		out.Type, out.texts = n.Type, texts(a.Of)
		return out
	}
	if !n.Type.Kind.number() {
		p.badf(at, "sum and average need a number, and this is an %s", n.Type.Kind)
	}
	if a.Method == Average {
		scale := max(n.Type.Scale, QuotientScale)
		out.Type = p.decimalType(at, scale, n.Max*math.Pow10(scale-n.Type.Scale)+1)
	} else if total := n.Max * mostRows; n.Type.Kind == Decimal || total >= 1e18 {
		out.Type = p.decimalType(at, n.Type.Scale, total)
	}
	return out
}
