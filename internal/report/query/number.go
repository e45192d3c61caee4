package query

import (
	"fmt"
	"math/big"
	"strings"

	"gangway/internal/report/odata"
)

// isWide reports whether a number may need more than a BIGINT.
func isWide(n *odata.Node) bool { return isNumber(n.Type.Kind) && n.Max >= 1<<63 }

// isWideColumn is isWide for a property.
func isWideColumn(p *odata.Property) bool {
	return p.Type.Kind == odata.Decimal && p.Type.Precision > digits
}

// number returns the value of e, and if it is a number, as a wide or a narrow one.
func (t *translator) number(e odata.Expr, wide bool) string {
	n := e.Info()
	if l, ok := e.(*odata.Literal); ok {
		return t.literal(l, wide)
	}
	x := t.value(e)
	if !isNumber(n.Type.Kind) {
		return x
	}
	return t.resized(x, isWide(n), wide)
}

// resized returns a number as a wide or a narrow one.
func (t *translator) resized(x string, is, wide bool) string {
	switch {
	case is == wide:
		return x
	case t.postgres && wide:
		return "(" + x + ")::numeric"
	case t.postgres:
		return "(" + x + ")::bigint"
	case wide:
		return "odata_add_wide(" + x + ", 0)"
	}
	return "odata_add(" + x + ", 0)"
}

// calculated returns the value of a Negate, a Rescale or an Arithmetic.
func (t *translator) calculated(e odata.Expr) string {
	n := e.Info()
	wide := isWide(n)
	switch e := e.(type) {
	case *odata.Negate:
		if wide && !t.postgres {
			return "odata_sub_wide(0, " + t.value(e.X) + ")"
		}
		return "(-" + t.number(e.X, wide) + ")"
	case *odata.Rescale:
		return t.times(t.number(e.X, wide), n.Type.Scale-e.X.Info().Type.Scale, wide)
	case *odata.Arithmetic:
		switch n.Type.Kind {
		case odata.Duration, odata.DateTimeOffset, odata.Date:
			return t.timeArithmetic(e)
		}
		return t.arithmetic(e, wide)
	}
	panic("no calculation")
}

// times returns x times 10 to the power of n; both are wide, or narrow.
func (t *translator) times(x string, n int, wide bool) string {
	switch {
	case n == 0:
		return x
	case wide && !t.postgres:
		return "odata_mul_wide(" + x + ", '" + wideText(power(n)) + "')"
	}
	return "(" + x + " * " + tenTo(n) + ")"
}

// tenTo writes 10 to the power of n.
func tenTo(n int) string { return "1" + strings.Repeat("0", n) }

var arithmeticOps = map[odata.ArithmeticOp]struct{ sign, name string }{odata.Add: {" + ", "add"},
	odata.Sub: {" - ", "sub"}, odata.Mul: {" * ", "mul"}, odata.Div: {" / ", "div"}, odata.Mod: {" % ", "mod"}}

// arithmetic returns what numbers are calculated to.
func (t *translator) arithmetic(e *odata.Arithmetic, wide bool) string {
	left, right := e.Left.Info(), e.Right.Info()
	if e.Op == odata.DivBy || e.Op == odata.Div && !(isInteger(left.Type.Kind) && isInteger(right.Type.Kind)) {
		return t.quotient(e, wide)
	}
	any := wide || isWide(left) || isWide(right)
	l, r := t.number(e.Left, any), t.number(e.Right, any)
	op := arithmeticOps[e.Op]
	divides := e.Op == odata.Div || e.Op == odata.Mod
	switch {
	case any && !t.postgres:
		return t.function(op.name, wide, l, r)
	case any && e.Op == odata.Div:
		return t.resized("div("+l+", nullif("+r+", 0))", true, wide)
	case divides:
		return t.resized("("+l+op.sign+"nullif("+r+", 0))", any, wide)
	}
	return "(" + l + op.sign + r + ")"
}

// function calls one of the functions for numbers.
func (t *translator) function(name string, wide bool, args ...string) string {
	if wide {
		name += "_wide"
	}
	return "odata_" + name + "(" + strings.Join(args, ", ") + ")"
}

// quotient returns a quotient of numbers, rounded half away from zero.
func (t *translator) quotient(e *odata.Arithmetic, wide bool) string {
	left, right := e.Left.Info(), e.Right.Info()
	places := e.Type.Scale - left.Type.Scale + right.Type.Scale
	l := t.times(t.number(e.Left, true), places, true)
	return t.rounded(l, t.number(e.Right, t.postgres || isWide(right)), wide)
}

// rounded returns l/r rounded half away from zero; on PostgreSQL both are wide. A numeric's own
// division would be rounded before we round it.
func (t *translator) rounded(l, r string, wide bool) string {
	if !t.postgres {
		return t.function("quo", wide, l, r)
	}
	// each side is written once, and OFFSET keeps it so
	const signed = "div(2 * abs(q.a) + abs(q.b), nullif(2 * abs(q.b), 0)) * sign(q.a) * sign(q.b)"
	return t.resized("(SELECT "+signed+" FROM (SELECT "+l+" AS a, "+r+" AS b OFFSET 0) AS q)", true, wide)
}

// withoutPlaces returns a number of a scale as round, floor or ceiling of it.
func (t *translator) withoutPlaces(f odata.Func, x odata.Expr, wide bool) string {
	n := x.Info()
	if n.Type.Scale == 0 {
		return t.number(x, wide)
	}
	if t.postgres { // the product is exact
		name := map[odata.Func]string{odata.Round: "round", odata.Floor: "floor", odata.Ceiling: "ceil"}[f]
		return t.resized(fmt.Sprintf("%s(%s * 0.%s1)", name, t.number(x, true), strings.Repeat("0", n.Type.Scale-1)),
			true, wide)
	}
	name := map[odata.Func]string{odata.Round: "quo", odata.Floor: "floor", odata.Ceiling: "ceiling"}[f]
	unit := "'" + wideText(power(n.Type.Scale)) + "'"
	if n.Type.Scale <= digits {
		unit = tenTo(n.Type.Scale)
	}
	return t.function(name, wide, t.value(x), unit)
}

// integer returns a number as an Int32 or Int64, rounded half away from zero, or null if there is
// no room for it.
func (t *translator) integer(e *odata.Cast) string {
	wide := isWide(&e.Node)
	bits := map[odata.Kind]uint{odata.Int32: 31, odata.Int64: 63}[e.Type.Kind]
	x := t.withoutPlaces(odata.Round, e.X, true)
	if !t.postgres {
		return t.function("fit", wide, x, fmt.Sprint(bits))
	}
	limit := new(big.Int).Lsh(big.NewInt(1), bits)
	above, below := limit.String(), new(big.Int).Sub(new(big.Int).Neg(limit), big.NewInt(1)).String()
	// greatest and least skip null, so that null becomes one of the limits, and null again
	return t.resized(fmt.Sprintf("nullif(nullif(greatest(least(%s, %s), (%s)), %s), (%s))", x, above, below, above,
		below), true, wide)
}
