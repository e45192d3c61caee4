package odatatest

import (
	"math/big"
	"time"

	"gangway/internal/report/odata"
)

// arithmetic calculates as odata.Arithmetic says.
func arithmetic(e *odata.Arithmetic, l, r any) any {
	if l == nil || r == nil {
		return nil
	}
	switch a := l.(type) {
	case time.Time:
		return withTime(e, a, r)
	case *big.Int:
		b := r.(*big.Int)
		if e.Type.Kind == odata.Duration {
			return duration(e, a, b)
		}
		return numbers(e, a, b)
	}
	panic("arithmetic with something else than a number, an instant or a duration")
}

// numbers calculates with integers that have scales.
func numbers(e *odata.Arithmetic, a, b *big.Int) any {
	out := new(big.Int)
	switch e.Op {
	case odata.Add:
		return out.Add(a, b)
	case odata.Sub:
		return out.Sub(a, b)
	case odata.Mul:
		return out.Mul(a, b)
	}
	if b.Sign() == 0 {
		return nil
	}
	switch {
	case e.Op == odata.Mod:
		return out.Rem(a, b)
	case e.Op == odata.Div && integer(e.Left) && integer(e.Right):
		return out.Quo(a, b)
	}
	return quotient(scaled(a, e.Type.Scale-e.Left.Info().Type.Scale+e.Right.Info().Type.Scale), b)
}

func integer(e odata.Expr) bool {
	k := e.Info().Type.Kind
	return k == odata.Int32 || k == odata.Int64
}

// duration calculates with a duration and a duration or a number.
func duration(e *odata.Arithmetic, a, b *big.Int) any {
	out := new(big.Int)
	places := e.Right.Info().Type.Scale
	switch e.Op {
	case odata.Add:
		return out.Add(a, b)
	case odata.Sub:
		return out.Sub(a, b)
	case odata.Mul:
		return quotient(out.Mul(a, b), power(places))
	}
	if b.Sign() == 0 {
		return nil
	}
	return quotient(scaled(a, places), b)
}

const dayLong = 24 * 60 * 60 * 1000

// withTime calculates with an instant or a date.
func withTime(e *odata.Arithmetic, t time.Time, r any) any {
	if u, ok := r.(time.Time); ok {
		return big.NewInt(t.UnixMilli() - u.UnixMilli())
	}
	ms := r.(*big.Int).Int64()
	if e.Op == odata.Sub {
		ms = -ms
	}
	if e.Type.Kind == odata.Date {
		ms = ms / dayLong * dayLong
	}
	sum := time.UnixMilli(t.UnixMilli() + ms).UTC()
	if sum.Before(odata.MinInstant) || sum.After(odata.MaxInstant) {
		return nil
	}
	return sum
}

// power returns 10 to the power of n.
func power(n int) *big.Int { return new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(n)), nil) }

func scaled(v *big.Int, places int) *big.Int { return new(big.Int).Mul(v, power(places)) }

// quotient returns a/b rounded half away from zero.
func quotient(a, b *big.Int) *big.Int {
	twice := func(v *big.Int) *big.Int { v = new(big.Int).Abs(v); return v.Add(v, v) }
	q := twice(a)
	q.Add(q, new(big.Int).Abs(b)).Quo(q, twice(b))
	if a.Sign()*b.Sign() < 0 {
		q.Neg(q)
	}
	return q
}
