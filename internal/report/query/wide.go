package query

import (
	"fmt"
	"math/big"
	"strings"
)

// wideDigits is how long the text of a wide number on SQLite is; numbers have at most 38 digits.
const wideDigits = 40

// wideOffset makes every wide number positive, so that texts have the order of the numbers.
var wideOffset = power(wideDigits - 1)

// power returns 10 to the power of n.
func power(n int) *big.Int { return new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(n)), nil) }

// wideText returns a number as SQLite keeps it if it is wide.
func wideText(v *big.Int) string {
	digits := new(big.Int).Add(v, wideOffset).String()
	return strings.Repeat("0", max(0, wideDigits-len(digits))) + digits
}

// parseWide returns the number that wideText made a text of.
func parseWide(s string) (*big.Int, error) {
	v, ok := new(big.Int).SetString(s, 10)
	if !ok || len(s) != wideDigits {
		return nil, fmt.Errorf("%q is no wide number", s)
	}
	return v.Sub(v, wideOffset), nil
}

// quotient returns a/b rounded half away from zero.
func quotient(a, b *big.Int) *big.Int {
	q, r := new(big.Int).QuoRem(a, b, new(big.Int))
	if r.Abs(r).Lsh(r, 1).CmpAbs(b) >= 0 {
		if a.Sign()*b.Sign() < 0 {
			return q.Sub(q, big.NewInt(1))
		}
		return q.Add(q, big.NewInt(1))
	}
	return q
}
