package report

import (
	"strconv"
	"time"

	"github.com/go-json-experiment/json/jsontext"
)

// AppendJSON appends a value of the column as the report writes it. Texts are quoted, decimals
// have no trailing zeros, instants are in UTC and have milliseconds only if they have any.
func (c Column) AppendJSON(dst []byte, value any) []byte {
	switch v := value.(type) {
	case string:
		dst, _ = jsontext.AppendQuote(dst, v) // fails only for what is no UTF-8, which it replaces
	case bool:
		dst = strconv.AppendBool(dst, v)
	case int64:
		switch c.Kind {
		case Instant:
			dst = append(dst, '"')
			dst = AppendInstant(dst, v)
			dst = append(dst, '"')
		case Day:
			dst = append(dst, '"')
			dst = AppendDay(dst, v)
			dst = append(dst, '"')
		case Decimal:
			dst = AppendDecimal(dst, v, c.Scale)
		default:
			dst = strconv.AppendInt(dst, v, 10)
		}
	default:
		dst = append(dst, "null"...)
	}
	return dst
}

// AppendInstant appends milliseconds since 1970, as in "2026-11-22T08:30:00Z".
func AppendInstant(dst []byte, ms int64) []byte {
	return time.UnixMilli(ms).UTC().AppendFormat(dst, "2006-01-02T15:04:05.999Z")
}

// AppendDay appends the day of milliseconds since 1970, as in "2026-11-22".
func AppendDay(dst []byte, ms int64) []byte {
	return time.UnixMilli(ms).UTC().AppendFormat(dst, time.DateOnly)
}

// AppendDecimal appends n units of 10^-scale without trailing zeros, as in "482.5".
func AppendDecimal(dst []byte, n int64, scale int) []byte {
	unsigned := uint64(n)
	if n < 0 {
		dst, unsigned = append(dst, '-'), -unsigned
	}
	for scale > 0 && unsigned%10 == 0 {
		unsigned /= 10
		scale--
	}
	digits := strconv.AppendUint(nil, unsigned, 10)
	if scale == 0 {
		return append(dst, digits...)
	}
	for len(digits) <= scale {
		digits = append([]byte{'0'}, digits...)
	}
	point := len(digits) - scale
	dst = append(append(dst, digits[:point]...), '.')
	return append(dst, digits[point:]...)
}

// AppendMembers appends the columns of a row as the members of a JSON object, without its braces.
func (s Set) AppendMembers(dst []byte, row Row) []byte {
	for i, c := range s.Columns {
		dst = c.AppendJSON(AppendName(dst, i, c.Name), row[i])
	}
	return dst
}

// AppendName appends what stands before the value of member i of a JSON object.
func AppendName(dst []byte, i int, name string) []byte {
	if i > 0 {
		dst = append(dst, ',')
	}
	return append(append(append(dst, '"'), name...), '"', ':')
}
