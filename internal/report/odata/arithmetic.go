package odata

import "math"

// maxDuration bounds what durations are calculated to, and mostMilliseconds what
// products and dividends are on the way, so that twice as much, which rounding
// needs, fits an int64.
const (
	maxDuration      = 9e17
	mostMilliseconds = 4e18
)

// arithmetic returns l op r, with the types and bounds that Arithmetic lists.
func (p *parser) arithmetic(op ArithmeticOp, at int, l, r Expr) Expr {
	l, r = typeNulls(l, r)
	l, r = durationText(l, r), durationText(r, l)
	for _, e := range []Expr{l, r} {
		if e.Info().Type.Kind == beyond {
			return p.badf(e.Info().At, "INF, NaN and such large numbers can only be compared with")
		}
	}
	lk, rk := l.Info().Type.Kind, r.Info().Type.Kind
	a := &Arithmetic{Node{Nullable: l.Info().Nullable || r.Info().Nullable, At: l.Info().At}, op, l, r}
	switch {
	case lk.number() && rk.number():
		p.calculate(a, at)
		return a
	case lk == Duration || rk == Duration, lk == rk && (lk == DateTimeOffset || lk == Date):
		p.calculateTime(a, at, lk, rk)
		return a
	}
	return p.badf(at, "%s does not work with an %s and an %s", op, lk, rk)
}

// durationText returns the text e as the duration that it may stand for beside
// something else than a text (P 13.2.1 item 9.2).
func durationText(e, other Expr) Expr {
	if l, ok := e.(*Literal); ok && l.Type.Kind == String && other.Info().Type.Kind != String {
		if d, ok := temporalLiteral(l.Value.(string), Duration); ok {
			d.At = l.At
			return d
		}
	}
	return e
}

// typeNulls gives a literal null the type of the other side, or of a number.
func typeNulls(l, r Expr) (Expr, Expr) {
	lit, _ := l.(*Literal)
	other, _ := r.(*Literal)
	switch integer := (Type{Kind: Int32}); {
	case isNull(l) && isNull(r):
		return typed(lit, integer), typed(other, integer)
	case isNull(l):
		return typed(lit, durationFor(r.Info().Type)), r
	case isNull(r):
		return l, typed(other, durationFor(l.Info().Type))
	}
	return l, r
}

// durationFor returns t, or the type of what can be added to an instant.
func durationFor(t Type) Type {
	if t.Kind == DateTimeOffset || t.Kind == Date {
		return Type{Kind: Duration}
	}
	return t
}

// calculate types arithmetic with numbers.
func (p *parser) calculate(a *Arithmetic, at int) {
	integers := a.Left.Info().Type.Kind.integer() && a.Right.Info().Type.Kind.integer()
	if a.Op == Add || a.Op == Sub || a.Op == Mod {
		a.Left, a.Right = p.align(a.Left, a.Right)
	}
	l, r := a.Left.Info(), a.Right.Info()
	scale := l.Type.Scale
	switch a.Op {
	case Add, Sub:
		a.Max = l.Max + r.Max
	case Mod:
		a.Max = math.Min(l.Max, r.Max)
		a.Nullable = true
	case Mul:
		a.Max, scale = l.Max*r.Max, l.Type.Scale+r.Type.Scale
	case Div, DivBy:
		a.Nullable = true
		a.Max = l.Max
		if a.Op == DivBy || !integers {
			integers = false
			scale = max(l.Type.Scale, r.Type.Scale, QuotientScale)
			a.Max = l.Max*math.Pow10(scale-l.Type.Scale+r.Type.Scale)/least(a.Right) + 1
		}
	}
	if integers && a.Max < 1<<63 {
		a.Type = Type{Kind: Int64, Precision: digitsOf[Int64]}
		return
	}
	a.Type = p.decimalType(at, scale, a.Max)
}

// QuotientScale is how many decimal places quotients and averages have at least.
const QuotientScale = 6

// least returns the smallest value, unscaled, that a divisor other than zero can have.
func least(divisor Expr) float64 {
	if l, ok := divisor.(*Literal); ok && l.Value != nil {
		return math.Max(abs(l.Value.(int64)), 1)
	}
	return 1
}

// calculateTime types arithmetic with instants, dates and durations.
func (p *parser) calculateTime(a *Arithmetic, at int, lk, rk Kind) {
	plus := a.Op == Add || a.Op == Sub
	l, r := a.Left.Info(), a.Right.Info()
	between := 0.0
	switch {
	case a.Op == Sub && lk == rk && lk != Duration:
		a.Type, a.Max = Type{Kind: Duration}, spanOfInstants
		return
	case plus && rk == Duration && (lk == DateTimeOffset || lk == Date):
		a.Type, a.Max, a.Nullable = l.Type, spanOfInstants, true
		return
	case plus && lk == Duration && rk == Duration:
		a.Type, a.Max = l.Type, l.Max+r.Max
	case a.Op == Add && lk == Duration && (rk == DateTimeOffset || rk == Date),
		a.Op == Mul && lk.number() && rk == Duration:
		a.Left, a.Right = a.Right, a.Left
		p.calculateTime(a, at, rk, lk)
		return
	case a.Op == Mul && lk == Duration && rk.number():
		between = l.Max * r.Max
		a.Type, a.Max = l.Type, between/math.Pow10(r.Type.Scale)+1
	case (a.Op == Div || a.Op == DivBy) && lk == Duration && rk.number():
		between = l.Max * math.Pow10(r.Type.Scale)
		a.Type, a.Max, a.Nullable = l.Type, between/least(a.Right)+1, true
	default:
		p.badf(at, "%s does not work with an %s and an %s", a.Op, lk, rk)
	}
	if a.Max > maxDuration || between > mostMilliseconds {
		p.badf(at, "the duration could become too long")
	}
}

// negate returns -x.
func (p *parser) negate(at int, x Expr) Expr {
	n := x.Info()
	if l, ok := x.(*Literal); ok && l.Type.Kind.number() && l.Type.Kind != beyond && l.Value != nil {
		v := -l.Value.(int64)
		r := &Literal{Node: l.Node, Value: v}
		r.At = at
		return r
	}
	if isNull(x) {
		return x
	}
	switch {
	case n.Type.Kind == beyond:
		return &Literal{Node: Node{Type: n.Type, At: at}, Value: -x.(*Literal).Value.(float64)}
	case !n.Type.Kind.number() && n.Type.Kind != Duration:
		return p.badf(at, "a minus needs a number or a duration, and this is an %s", n.Type.Kind)
	}
	e := &Negate{Node{Type: n.Type, Nullable: n.Nullable, Max: n.Max, At: at}, x}
	if n.Type.Kind == Int32 {
		e.Type = Type{Kind: Int64, Precision: digitsOf[Int64]}
	}
	return p.built(e, at)
}
