package odata

import (
	"math"
	"slices"
	"strings"
)

// aggregates reads PriceTotal with sum as Total,$count as Bookings into s.
func (p *parser) aggregates(s *GroupStage) error {
	for {
		a := Aggregate{Method: Rows}
		at := p.tok.at
		var err error
		if p.tok.kind == tokDollar && p.tok.text == "$count" {
			err = p.next()
		} else {
			a.Method, a.Of, err = p.aggregateOf()
		}
		if err != nil {
			return err
		}
		name, err := p.as()
		if err != nil {
			return err
		}
		taken := func(q *Property) bool { return q.Name == name.text }
		if slices.ContainsFunc(s.properties(), taken) {
			return p.badf(name.at, "the name %s is taken", name.text)
		}
		if a.Property, err = p.aggregated(at, a, name.text); err != nil {
			return err
		}
		if s.Aggregates = append(s.Aggregates, a); len(s.Aggregates) > p.limits.Names {
			return p.badf(at, "there are more than %d aggregates", p.limits.Names)
		}
		if !p.tok.is(",") {
			return nil
		}
		if err := p.next(); err != nil {
			return err
		}
	}
}

// aggregateOf reads expression with method.
func (p *parser) aggregateOf() (Method, Expr, error) {
	e, err := p.expr()
	if err != nil {
		return 0, nil, err
	}
	if isNull(e) || e.Info().Type.Kind == beyond {
		return 0, nil, p.badf(e.Info().At, "this cannot be aggregated")
	}
	if p.tok.word() == "from" {
		return 0, nil, p.unsupported(p.tok.at, "from")
	}
	if _, related := e.(*RelatedCount); related && p.tok.word() == "as" {
		return 0, nil, p.unsupported(e.Info().At, "counting what rows lead to, in aggregate,")
	}
	if p.tok.word() != "with" {
		return 0, nil, p.unexpected("with and a method: sum, min, max, average or countdistinct")
	}
	if err := p.spaced(); err != nil {
		return 0, nil, err
	}
	t := p.tok
	m, ok := methods[t.word()]
	switch {
	case t.kind != tokName:
		return 0, nil, p.unexpected("sum, min, max, average or countdistinct")
	case strings.Contains(t.text, "."):
		return 0, nil, p.unsupported(t.at, "the method "+t.text)
	case !ok:
		return 0, nil, p.badf(t.at, "there is no method %s, but sum, min, max, average and countdistinct",
			quote(t.text))
	}
	if err := p.next(); err != nil {
		return 0, nil, err
	}
	if p.tok.word() == "from" {
		return 0, nil, p.unsupported(p.tok.at, "from")
	}
	return m, e, nil
}

// as reads as Name.
func (p *parser) as() (token, error) {
	if p.tok.word() != "as" {
		return token{}, p.unexpected("as and a name")
	}
	if err := p.spaced(); err != nil {
		return token{}, err
	}
	t := p.tok
	if t.kind != tokName || !identifier(t.text) {
		return token{}, p.unexpected("a name")
	}
	return t, p.next()
}

// aggregated returns the property that the aggregate makes.
func (p *parser) aggregated(at int, a Aggregate, name string) (*Property, error) {
	out := &Property{Name: name, Type: Type{Kind: Int64, Precision: digitsOf[Int64]}}
	if a.Method == Rows || a.Method == CountDistinct {
		return out, nil
	}
	n := a.Of.Info()
	out.Nullable = true
	switch a.Method {
	case Min, Max:
		if n.Type.Kind == Boolean {
			return nil, p.badf(at, "min and max need something with an order, and this is an %s", n.Type.Kind)
		}
		out.Type, out.texts = n.Type, texts(a.Of)
		return out, nil
	}
	if !n.Type.Kind.number() {
		return nil, p.badf(at, "sum and average need a number, and this is an %s", n.Type.Kind)
	}
	var err error
	if a.Method == Average {
		scale := max(n.Type.Scale, QuotientScale)
		out.Type, err = p.decimalType(at, scale, n.Max*math.Pow10(scale-n.Type.Scale)+1)
		return out, err
	}
	if total := n.Max * mostRows; n.Type.Kind == Decimal || total >= 1e18 {
		out.Type, err = p.decimalType(at, n.Type.Scale, total)
	}
	return out, err
}
