package odatatest

import (
	"math/big"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"gangway/internal/report/odata"
)

// call returns the value of a function, which is null if an argument is.
func (s scope) call(e *odata.Call) any {
	args := make([]any, len(e.Args))
	for i, a := range e.Args {
		if args[i] = s.value(a); args[i] == nil {
			return nil
		}
	}
	switch e.Func {
	case odata.TotalSeconds:
		return args[0]
	case odata.TotalOffsetMinutes:
		return new(big.Int)
	case odata.Round, odata.Floor, odata.Ceiling:
		return rounded(e.Func, args[0].(*big.Int), power(e.Args[0].Info().Type.Scale))
	}
	if t, ok := args[0].(time.Time); ok {
		return timePart(e.Func, t)
	}
	if ms, ok := args[0].(*big.Int); ok { // a time of day
		return timePart(e.Func, time.UnixMilli(ms.Int64()).UTC())
	}
	return ofText(e.Func, args[0].(string), args[1:])
}

// rounded returns an integer with a scale without its decimal places.
func rounded(f odata.Func, v, unit *big.Int) any {
	switch f {
	case odata.Floor:
		return floor(v, unit)
	case odata.Ceiling:
		return new(big.Int).Neg(floor(new(big.Int).Neg(v), unit))
	}
	return quotient(v, unit)
}

// floor returns v/unit rounded down; unit is not negative, for which Div does that.
func floor(v, unit *big.Int) *big.Int { return new(big.Int).Div(v, unit) }

func timePart(f odata.Func, t time.Time) any {
	switch f {
	case odata.Year:
		return big.NewInt(int64(t.Year()))
	case odata.Month:
		return big.NewInt(int64(t.Month()))
	case odata.Day:
		return big.NewInt(int64(t.Day()))
	case odata.Hour:
		return big.NewInt(int64(t.Hour()))
	case odata.Minute:
		return big.NewInt(int64(t.Minute()))
	case odata.Second:
		return big.NewInt(int64(t.Second()))
	case odata.FractionalSeconds:
		return big.NewInt(int64(t.Nanosecond() / 1e6))
	case odata.DateOf:
		return midnight(t)
	case odata.TimeOf:
		return big.NewInt(t.Sub(midnight(t)).Milliseconds())
	}
	panic("an unknown function of time")
}

func ofText(f odata.Func, s string, more []any) any {
	other := ""
	if len(more) > 0 {
		other, _ = more[0].(string)
	}
	switch f {
	case odata.Contains:
		return strings.Contains(s, other)
	case odata.StartsWith:
		return strings.HasPrefix(s, other)
	case odata.EndsWith:
		return strings.HasSuffix(s, other)
	case odata.Length:
		return big.NewInt(int64(utf8.RuneCountInString(s)))
	case odata.IndexOf:
		at := strings.Index(s, other)
		if at > 0 {
			at = utf8.RuneCountInString(s[:at])
		}
		return big.NewInt(int64(at))
	case odata.Substring:
		return substring([]rune(s), more)
	case odata.ToLower:
		return odata.Lower(s)
	case odata.ToUpper:
		return odata.Upper(s)
	case odata.Trim:
		return strings.TrimFunc(s, unicode.IsSpace)
	case odata.Concat:
		return s + other
	}
	panic("an unknown function of text")
}

// substring returns the code points from a start, which counts from the end if
// it is negative, and at most so many of them.
func substring(s []rune, more []any) string {
	size := big.NewInt(int64(len(s)))
	clamp := func(v *big.Int) int64 {
		switch {
		case v.Sign() < 0:
			return 0
		case v.Cmp(size) > 0:
			return size.Int64()
		}
		return v.Int64()
	}
	start := more[0].(*big.Int)
	if start.Sign() < 0 {
		start = new(big.Int).Add(start, size)
	}
	s = s[clamp(start):]
	if len(more) > 1 {
		s = s[:min(clamp(more[1].(*big.Int)), int64(len(s)))]
	}
	return string(s)
}
