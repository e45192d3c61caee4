package odata

import (
	"math"
	"strings"
)

// castOrIsOf reads cast(x,Type) or isof(x,Type).
func (p *parser) castOrIsOf(t token, name string) Expr {
	p.next()
	if p.tok.kind == tokName && strings.Contains(p.tok.text, ".") {
		return p.unsupported(p.tok.at, name+" of the row itself")
	}
	x := p.expr()
	if !p.tok.is(",") {
		return p.unexpected("a comma and a type such as Edm.String")
	}
	p.next()
	to := p.tok
	k, known, supported := kindNamed(to.text)
	switch {
	case to.kind != tokName:
		return p.unexpected("a type such as Edm.String")
	case !known:
		return p.badf(to.at, "there is no type %s", quote(to.text))
	case !supported:
		return p.unsupported(to.at, "the type "+to.text)
	}
	p.next()
	p.expect(")")
	if name == "isof" {
		return p.isOf(t.at, x, k)
	}
	return p.cast(t.at, x, k)
}

// isOf returns whether x is of a kind. That is known beforehand, but for null,
// which is of no kind.
func (p *parser) isOf(at int, x Expr, k Kind) Expr {
	if x.Info().Type.Kind != k || isNull(x) {
		return truth(at, false)
	}
	c := &Compare{Node{Type: Type{Kind: Boolean}, At: at}, Ne, x,
		&Literal{Node: Node{Type: x.Info().Type, Nullable: true, At: at}}}
	return p.built(c, at)
}

// cast returns x as a value of a kind (P 13.2.1 item 9.1, U 5.1.1.10.1).
func (p *parser) cast(at int, x Expr, k Kind) Expr {
	n := x.Info()
	if l, ok := x.(*Literal); ok {
		switch {
		case l.Value == nil:
			return typed(l, Type{Kind: k})
		case l.Type.Kind == String:
			return castText(at, l, k)
		case l.Type.Kind == beyond:
			return p.badf(l.At, "INF, NaN and such large numbers can only be compared with")
		}
	}
	if n.Type.Kind == k {
		return x
	}
	c := &Cast{Node{Type: Type{Kind: k}, Nullable: n.Nullable, At: at}, x}
	from := n.Type.Kind
	switch {
	case from.integer() && k == Decimal:
		c.Type, c.Max = Type{Kind: Decimal, Precision: n.Type.Precision}, n.Max
	case from.number() && k.integer():
		c.Type.Precision = digitsOf[k]
		c.Max = math.Min(map[Kind]float64{Int32: 1 << 31, Int64: 1 << 63}[k], scaledDown(n.Max, n.Type.Scale))
		c.Nullable = true
	case k == String && (from == Boolean || from.integer() || from == Date || from == GUID):
	case from == DateTimeOffset && (k == Date || k == TimeOfDay), from == Date && k == DateTimeOffset:
		c.Max = spanOfInstants
		if k != Date {
			c.Type.Precision = 3
		}
	case k == String, from == String:
		return p.unsupported(at, "a cast of an "+from.String()+" that is no literal to an "+k.String())
	default:
		return p.badf(at, "an %s cannot be cast to an %s", from, k)
	}
	return p.built(c, at)
}

// castText returns the literal that a text is written for; one that cannot be
// read as such is null (U 5.1.1.10.1).
func castText(at int, l *Literal, k Kind) Expr {
	s := l.Value.(string)
	null := typed(l, Type{Kind: k})
	switch {
	case k == String:
		return l
	case k == Boolean:
		if s != "true" && s != "false" {
			return null
		}
		return truth(at, s == "true")
	case k.number():
		unsigned := strings.TrimPrefix(s, "-")
		if unsigned == "" || notDigit(rune(unsigned[0])) || numberLength(s) != len(s) {
			return null
		}
		number, ok := decimalLiteral(s)
		is := number.Type.Kind
		if !ok || is == beyond || k == Int32 && is != Int32 || k == Int64 && !is.integer() {
			return null
		}
		if number.At = at; k == Int64 {
			number.Type = Type{Kind: k, Precision: digitsOf[k]}
		} else if k == Decimal && is != Decimal {
			number.Type = decimalOf(number.Max, 0)
		}
		return number
	}
	c, ok := temporalLiteral(s, k)
	if !ok {
		return null
	}
	c.At = at
	return c
}

// scaledDown returns a bound of the integers that numbers of a scale round to.
func scaledDown(max float64, scale int) float64 { return math.Floor(max/math.Pow10(scale)) + 1 }

// caseOf reads case(condition:value,…).
func (p *parser) caseOf(t token) Expr {
	p.cases++
	defer func() { p.cases-- }()
	c := &Case{Node: Node{Nullable: true, At: t.at}}
	p.next()
	for ok := true; ok; ok = p.more() {
		cond := p.condition(p.expr(), "case")
		if !p.tok.is(":") {
			p.unexpected("a colon and a value")
		}
		p.next()
		c.Whens = append(c.Whens, When{cond, p.expr()})
	}
	p.sameValues(c)
	p.expect(")")
	return p.built(c, t.at)
}

// sameValues brings the values of a case to one type: that of the first, with
// the most decimal places of all.
func (p *parser) sameValues(c *Case) {
	scale, digits, all := 0, 0, Type{}
	for _, w := range c.Whens {
		n := w.Then.Info()
		if n.Type.Kind == beyond {
			p.badf(n.At, "INF, NaN and such large numbers can only be compared with")
			return
		}
		switch {
		case n.Type.Kind == Null:
			continue
		case all.Kind == Null:
			all = n.Type
		case all.Kind.number() && n.Type.Kind.number():
			all.Kind = max(all.Kind, n.Type.Kind)
		case all.Kind != n.Type.Kind:
			p.badf(n.At, "this is an %s, and a value before it is an %s", n.Type.Kind, all.Kind)
			return
		}
		scale = max(scale, n.Type.Scale)
	}
	if all.Kind == Null {
		all.Kind = String
	}
	for i := range c.Whens {
		w := &c.Whens[i]
		if w.Then.Info().Type.Kind == Null {
			w.Then = typed(w.Then.(*Literal), all)
			continue
		}
		if all.Kind.number() && w.Then.Info().Type.Scale < scale {
			w.Then = p.rescale(w.Then, scale)
		}
		n := w.Then.Info()
		c.Max = math.Max(c.Max, n.Max)
		if n.Type.Kind == Decimal {
			digits = max(digits, n.Type.Precision)
		} else {
			digits = max(digits, precision(n.Max))
		}
	}
	c.Type = all
	switch {
	case all.Kind == Decimal: // no more digits than a value has: numbers with few are calculated with faster
		c.Type = Type{Kind: Decimal, Precision: max(digits, scale), Scale: scale}
	case all.Kind.integer():
		c.Type.Precision = digitsOf[all.Kind]
	}
}
