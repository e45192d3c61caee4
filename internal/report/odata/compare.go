package odata

import (
	"math"
)

// typed returns a null literal of that type.
func typed(l *Literal, t Type) *Literal {
	if d := digitsOf[t.Kind]; d > 0 {
		t.Precision = d
	} else if t.Kind == Decimal {
		t.Precision = max(t.Precision, 1)
	}
	return &Literal{Node: Node{Type: t, Nullable: true, At: l.At, height: 1}}
}

func truth(at int, v bool) Expr {
	return &Literal{Node: Node{Type: Type{Kind: Boolean}, At: at}, Value: v}
}

// compare returns the comparison of l and r, both brought to the same type.
func (p *parser) compare(op CompareOp, at int, l, r Expr) Expr {
	if isNull(l) || isNull(r) {
		return p.compareNull(op, at, l, r)
	}
	_, left := l.(*Literal)
	if _, right := r.(*Literal); left && !right {
		l, r, op = r, l, mirrored[op]
	}
	if l, r = p.sameKind(at, l, r); isNull(r) {
		return r
	}
	c := &Compare{Node{Type: Type{Kind: Boolean}, At: l.Info().At}, op, l, r}
	if lit, ok := r.(*Literal); ok {
		return p.compareLiteral(c, lit)
	}
	c.Left, c.Right = p.align(l, r)
	return c
}

// mirrored are the comparisons with their sides exchanged.
var mirrored = map[CompareOp]CompareOp{Eq: Eq, Ne: Ne, Gt: Lt, Ge: Le, Lt: Gt, Le: Ge}

func isNull(e Expr) bool {
	l, ok := e.(*Literal)
	return ok && l.Value == nil
}

// compareNull returns the comparison with null, which only eq and ne can fulfil.
func (p *parser) compareNull(op CompareOp, at int, l, r Expr) Expr {
	if isNull(l) {
		l, r = r, l
	}
	switch {
	case op != Eq && op != Ne:
		return truth(at, false)
	case isNull(l):
		return truth(at, op == Eq)
	case l.Info().Type.Kind == beyond:
		return truth(at, op == Ne)
	}
	return &Compare{Node{Type: Type{Kind: Boolean}, At: l.Info().At}, op, l,
		typed(r.(*Literal), l.Info().Type)}
}

// sameKind returns l and r as values that can be compared. A text stands for a
// date, instant, time, duration or GUID (P 13.2.1 item 9.1), and a date for its
// midnight in UTC, if they are literals. If they cannot be compared, both are null.
func (p *parser) sameKind(at int, l, r Expr) (Expr, Expr) {
	lk, rk := l.Info().Type.Kind, r.Info().Type.Kind
	if lk == rk || lk.number() && rk.number() {
		return l, r
	}
	if lit, ok := r.(*Literal); ok {
		if c := p.adapted(lit, lk); c != nil {
			return l, c
		}
	}
	if lit, ok := l.(*Literal); ok {
		if c := p.adapted(lit, rk); c != nil {
			return c, r
		}
	}
	hint := ""
	if lk == GUID || rk == GUID {
		hint = ": write it between quotes"
	}
	null := p.badf(at, "an %s cannot be compared with an %s%s", lk, rk, hint)
	return null, null
}

// adapted is adapt for a literal that must not be a text of another form.
func (p *parser) adapted(l *Literal, k Kind) *Literal {
	c := adapt(l, k)
	if c == nil && l.Type.Kind == String && temporalNames[k] != "" {
		p.badf(l.At, "%s is no %s", quote(l.Value.(string)), temporalNames[k])
	}
	return c
}

// adapt returns the literal as one of the kind, or nil if it cannot be one.
func adapt(l *Literal, k Kind) *Literal {
	switch {
	case l.Type.Kind == k:
		return l
	case l.Type.Kind == Date && k == DateTimeOffset:
		return &Literal{Node: Node{Type: Type{Kind: k, Precision: 3}, At: l.At}, Value: l.Value}
	case l.Type.Kind == String && temporalNames[k] != "":
		if c, ok := temporalLiteral(l.Value.(string), k); ok {
			c.At = l.At
			return c
		}
	}
	return nil
}

// compareLiteral finishes a comparison whose right side is a literal. A literal
// with more digits than the left side can have is rounded down, and the operator
// says the rest: x ge 2.005 of cents is x gt 2.00.
func (p *parser) compareLiteral(c *Compare, lit *Literal) Expr {
	left := c.Left.Info()
	if lit.Type.Kind == beyond {
		return p.compareBeyond(c, lit)
	}
	finer := lit.finer
	if left.Type.Kind.number() {
		if left.Type.Kind == beyond {
			c.Left, c.Right, c.Op = c.Right, c.Left, mirrored[c.Op]
			return p.compareBeyond(c, c.Right.(*Literal))
		}
		var fits bool
		lit, finer, fits = rescaled(lit, left.Type.Scale)
		if !fits {
			if left.Max >= math.MaxInt64 {
				return p.badf(lit.At, "the number is too large")
			}
			far := math.Inf(1)
			if lit.Value.(int64) < 0 {
				far = math.Inf(-1)
			}
			return p.compareBeyond(c, &Literal{Node: lit.Node, Value: far})
		}
	}
	c.Right = lit
	if !finer {
		return c
	}
	switch c.Op {
	case Eq, Ne:
		return truth(c.At, c.Op == Ne)
	case Ge:
		c.Op = Gt
	case Lt:
		c.Op = Le
	}
	return c
}

// compareBeyond returns the comparison of a number with INF, -INF, NaN or a
// number that it can never reach: it is the same for every number.
func (p *parser) compareBeyond(c *Compare, lit *Literal) Expr {
	far := lit.Value.(float64)
	if l, ok := c.Left.(*Literal); ok && l.Type.Kind == beyond {
		v := l.Value.(float64)
		return truth(c.At, map[CompareOp]bool{Eq: v == far, Ne: v != far, Gt: v > far, Ge: v >= far, Lt: v < far,
			Le: v <= far}[c.Op])
	}
	left := c.Left.Info()
	switch {
	case math.Abs(far)*math.Pow10(left.Type.Scale) <= left.Max:
		return p.badf(lit.At, "the number is too large")
	case c.Op == Eq, c.Op == Ne:
		return truth(c.At, c.Op == Ne)
	case far > 0 && (c.Op == Lt || c.Op == Le), far < 0 && (c.Op == Gt || c.Op == Ge):
		null := typed(lit, c.Left.Info().Type)
		return &Compare{c.Node, Ne, c.Left, null}
	}
	return truth(c.At, false)
}

// rescaled returns the literal with that many decimal places, rounded down, and
// whether that lost digits; fits is false if there is no room for it.
func rescaled(l *Literal, scale int) (r *Literal, finer, fits bool) {
	v := l.Value.(int64)
	r = &Literal{Node: l.Node}
	for s := l.Type.Scale; s != scale; {
		if s > scale {
			finer = finer || v%10 != 0
			if v%10 < 0 {
				v -= 10
			}
			v, s = v/10, s-1
			continue
		}
		if abs(v) > math.MaxInt64/10 {
			return l, false, false
		}
		v, s = v*10, s+1
	}
	r.Value, r.Max = v, abs(v)
	r.Type.Scale = scale
	if scale != l.Type.Scale || r.Type.Kind == Decimal {
		r.Type = decimalOf(r.Max, scale)
	}
	return r, finer, true
}

// align returns two numbers with the same scale; others as they are.
func (p *parser) align(l, r Expr) (Expr, Expr) {
	ls, rs := l.Info().Type.Scale, r.Info().Type.Scale
	switch {
	case !l.Info().Type.Kind.number():
	case ls < rs:
		l = p.rescale(l, rs)
	case rs < ls:
		r = p.rescale(r, ls)
	}
	return l, r
}

// rescale returns the number e with more decimal places.
func (p *parser) rescale(e Expr, scale int) Expr {
	n := e.Info()
	if l, ok := e.(*Literal); ok && l.Value != nil {
		if l, _, fits := rescaled(l, scale); fits {
			return l
		}
	}
	top := n.Max * math.Pow10(scale-n.Type.Scale)
	t := p.decimalType(n.At, scale, top)
	x := &Rescale{Node{Type: t, Nullable: n.Nullable, Max: top, At: n.At}, e}
	return p.built(x, n.At)
}

// decimalType returns the type of numbers up to max.
func (p *parser) decimalType(at, scale int, max float64) Type {
	if max >= 1e38 || scale > maxDigits {
		p.badf(at, "the numbers here could need more than %d digits", maxDigits)
	}
	return decimalOf(max, scale)
}

// decimalOf returns the type of numbers up to max, unscaled.
func decimalOf(max float64, scale int) Type {
	p := precision(max)
	if p < scale {
		p = scale
	}
	return Type{Kind: Decimal, Precision: p, Scale: scale}
}
