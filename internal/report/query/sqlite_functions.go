package query

import (
	"database/sql/driver"
	"fmt"
	"math/big"
	"strings"
	"unicode/utf8"

	"gangway/internal/report/odata"
)

// A SQLiteFunction is what SQLite cannot do exactly by itself. It is deterministic, and null if an
// argument is.
type SQLiteFunction struct {
	Name string
	Args int // -1: some more or some less
	Do   func(args []driver.Value) (driver.Value, error)
}

// SQLiteFunctions are the functions that statements for SQLite call. Those that give a number have
// a second form, whose name ends with _wide, that gives it as a wide one.
func SQLiteFunctions() []SQLiteFunction {
	list := []SQLiteFunction{
		texts("odata_lower", 1, func(s string, _ []driver.Value) driver.Value { return odata.Lower(s) }),
		texts("odata_upper", 1, func(s string, _ []driver.Value) driver.Value { return odata.Upper(s) }),
		texts("odata_starts", 2, func(s string, more []driver.Value) driver.Value {
			return asFlag(strings.HasPrefix(s, asText(more[0])))
		}),
		texts("odata_ends", 2, func(s string, more []driver.Value) driver.Value {
			return asFlag(strings.HasSuffix(s, asText(more[0])))
		}),
		texts("odata_substring", -1, substring), // with two arguments or three
		{"odata_text", 1, func(args []driver.Value) (driver.Value, error) {
			v, err := numberOf(args[0])
			if v == nil || err != nil {
				return nil, err
			}
			return v.String(), nil
		}},
	}
	list = append(list, SQLiteFunction{"odata_sum_wide", 1 + wideDigits/pieceDigits, sumOfPieces})
	for name, do := range map[string]func(a, b *big.Int) *big.Int{
		"add": func(a, b *big.Int) *big.Int { return new(big.Int).Add(a, b) },
		"sub": func(a, b *big.Int) *big.Int { return new(big.Int).Sub(a, b) },
		"mul": func(a, b *big.Int) *big.Int { return new(big.Int).Mul(a, b) },
		"div": unlessZero(func(a, b *big.Int) *big.Int { return new(big.Int).Quo(a, b) }),
		"mod": unlessZero(func(a, b *big.Int) *big.Int { return new(big.Int).Rem(a, b) }),
		"quo": unlessZero(quotient),
		// floor and ceiling divide by a unit, which is positive
		"floor":   func(a, unit *big.Int) *big.Int { return new(big.Int).Div(a, unit) },
		"ceiling": func(a, unit *big.Int) *big.Int { return a.Neg(new(big.Int).Div(a.Neg(a), unit)) },
		// fit is null for what needs more bits than that
		"fit": func(a, bits *big.Int) *big.Int {
			limit := new(big.Int).Lsh(big.NewInt(1), uint(bits.Uint64()))
			if a.Cmp(limit) >= 0 || a.Cmp(limit.Neg(limit)) < 0 {
				return nil
			}
			return a
		},
		// join puts together what the upper and the lower 32 bits of numbers add up to
		"join": func(upper, lower *big.Int) *big.Int { return new(big.Int).Add(upper.Lsh(upper, 32), lower) },
	} {
		list = append(list, numbers("odata_"+name, false, do), numbers("odata_"+name+"_wide", true, do))
	}
	return list
}

func unlessZero(do func(a, b *big.Int) *big.Int) func(a, b *big.Int) *big.Int {
	return func(a, b *big.Int) *big.Int {
		if b.Sign() == 0 {
			return nil
		}
		return do(a, b)
	}
}

// numbers returns a function of two numbers, narrow or wide.
func numbers(name string, wide bool, do func(a, b *big.Int) *big.Int) SQLiteFunction {
	return SQLiteFunction{name, 2, func(args []driver.Value) (driver.Value, error) {
		a, err := numberOf(args[0])
		if a == nil || err != nil {
			return nil, err
		}
		b, err := numberOf(args[1])
		if b == nil || err != nil {
			return nil, err
		}
		switch v := do(a, b); {
		case v == nil:
			return nil, nil
		case wide:
			return wideText(v), nil
		case !v.IsInt64():
			return nil, fmt.Errorf("%s: %v is beyond what was promised", name, v)
		default:
			return v.Int64(), nil
		}
	}}
}

// numberOf returns a number, narrow or wide, or nil for null.
func numberOf(v driver.Value) (*big.Int, error) {
	switch v := v.(type) {
	case nil:
		return nil, nil
	case int64:
		return big.NewInt(v), nil
	case string:
		return parseWide(v)
	case []byte:
		return parseWide(string(v))
	}
	return nil, fmt.Errorf("a %T is no number", v)
}

// texts returns a function whose first argument is a text.
func texts(name string, n int, do func(s string, more []driver.Value) driver.Value) SQLiteFunction {
	return SQLiteFunction{name, n, func(args []driver.Value) (driver.Value, error) {
		for _, a := range args {
			if a == nil {
				return nil, nil
			}
		}
		return do(asText(args[0]), args[1:]), nil
	}}
}

func asText(v driver.Value) string {
	switch v := v.(type) {
	case string:
		return v
	case []byte:
		return string(v)
	}
	return fmt.Sprint(v)
}

func asFlag(b bool) int64 {
	if b {
		return 1
	}
	return 0
}

// substring is the function of that name, see package odata. Its numbers may be wide.
func substring(s string, more []driver.Value) driver.Value {
	size := int64(utf8.RuneCountInString(s))
	clamp := func(v driver.Value, negative int64) int64 {
		n, err := numberOf(v)
		switch {
		case err != nil:
			return 0
		case n.Sign() < 0:
			return clampInt(n.Add(n, big.NewInt(negative)), size)
		}
		return clampInt(n, size)
	}
	runes := []rune(s)[clamp(more[0], size):]
	if len(more) > 1 {
		runes = runes[:min(clamp(more[1], 0), int64(len(runes)))]
	}
	return string(runes)
}

// clampInt returns n, or the nearest number from 0 to size.
func clampInt(n *big.Int, size int64) int64 {
	switch {
	case n.Sign() < 0:
		return 0
	case n.Cmp(big.NewInt(size)) > 0:
		return size
	}
	return n.Int64()
}

// sumOfPieces returns the sum of so many wide numbers, whose pieces were added up each for
// themselves.
func sumOfPieces(args []driver.Value) (driver.Value, error) {
	if args[1] == nil {
		return nil, nil
	}
	sum := new(big.Int)
	for _, a := range args[1:] {
		piece, err := numberOf(a)
		if err != nil {
			return nil, err
		}
		sum.Add(sum.Mul(sum, power(pieceDigits)), piece)
	}
	count, err := numberOf(args[0])
	if err != nil {
		return nil, err
	}
	return wideText(sum.Sub(sum, count.Mul(count, wideOffset))), nil
}
