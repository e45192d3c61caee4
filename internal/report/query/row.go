package query

import (
	"bytes"
	"database/sql"
	"fmt"
	"math/big"
	"strconv"
	"time"

	"gangway/internal/report"
	"gangway/internal/report/odata"

	"github.com/go-json-experiment/json/jsontext"
)

// A Row is a row of a result.
type Row struct {
	statement *Statement
	members   sql.RawBytes
	values    []any
}

// Scan returns where a database puts the columns of a row; read reads it once it has. Both are for
// one row after the other.
func (s *Statement) Scan() (into []any, read func() (Row, error)) {
	r := Row{statement: s, values: make([]any, len(s.Columns))}
	if s.Whole {
		into = append(into, &r.members)
	}
	for i := range r.values {
		into = append(into, &r.values[i])
	}
	return into, func() (Row, error) {
		for i, c := range s.Columns {
			v, err := c.read(r.values[i])
			if err != nil {
				return Row{}, fmt.Errorf("column %d: %w", i, err)
			}
			r.values[i] = v
		}
		return r, nil
	}
}

// read returns a value of the database as one of a position.
func (c Column) read(v any) (any, error) {
	if b, ok := v.([]byte); ok {
		v = string(b)
	}
	switch v := v.(type) {
	case nil:
		return nil, nil
	case bool:
		if c.Type.Kind == odata.Boolean {
			return v, nil
		}
	case int64:
		switch {
		case c.Type.Kind == odata.Boolean:
			return v != 0, nil
		case !isText(c.Type.Kind) && !c.wide:
			return v, nil
		}
	case string:
		switch {
		case isText(c.Type.Kind):
			return v, nil
		case c.wide && len(v) == wideDigits:
			n, err := parseWide(v)
			return wideNumber{n}, err
		case c.wide:
			if n, ok := new(big.Int).SetString(v, 10); ok {
				return wideNumber{n}, nil
			}
		}
	}
	return nil, fmt.Errorf("a %T is no %v", v, c.Type.Kind)
}

// Position returns the row's place in the order.
func (r Row) Position() Position {
	p := make(Position, len(r.statement.order))
	for i, at := range r.statement.order {
		p[i] = r.values[at]
	}
	return p
}

// AppendMembers appends what was asked for as the members of a JSON object, without its braces.
func (r Row) AppendMembers(dst []byte) []byte {
	if r.statement.Whole {
		return r.appendWhole(dst)
	}
	for i, c := range r.statement.Columns[:r.statement.shown] {
		dst = c.appendJSON(report.AppendName(dst, i, c.Name), r.values[i])
	}
	return dst
}

// appendWhole appends the members, but for those that differ. A quote within a text is escaped, so
// that a name with its quotes is found only where it is a name.
func (r Row) appendWhole(dst []byte) []byte {
	members := r.members
	for i, c := range r.statement.Columns[:r.statement.shown] {
		name := []byte(`"` + c.Name + `":`)
		at := bytes.Index(members, name)
		if at < 0 {
			continue
		}
		dst = append(dst, members[:at+len(name)]...)
		dst = c.appendJSON(dst, r.values[i])
		members = members[at+len(name):]
		if end := bytes.IndexByte(members, ','); end >= 0 { // the value is a number or null
			members = members[end:]
		} else {
			members = nil
		}
	}
	return append(dst, members...)
}

// Value returns what a row has in a column that was asked for: nil, a bool, a string, an int64, or
// a *big.Int.
func (r Row) Value(i int) any {
	if n, ok := r.values[i].(wideNumber); ok {
		return n.Int
	}
	return r.values[i]
}

// AppendJSON appends a value as the report writes it.
func (r Row) AppendJSON(dst []byte, i int) []byte {
	return r.statement.Columns[i].appendJSON(dst, r.values[i])
}

func (c Column) appendJSON(dst []byte, v any) []byte {
	switch v := v.(type) {
	case bool:
		return strconv.AppendBool(dst, v)
	case string:
		dst, _ = jsontext.AppendQuote(dst, v) // fails only for what is no UTF-8, which it replaces
		return dst
	case wideNumber:
		return appendDecimal(dst, v.Int, c.Type.Scale)
	case int64:
		switch c.Type.Kind {
		case odata.DateTimeOffset:
			return append(report.AppendInstant(append(dst, '"'), v), '"')
		case odata.Date:
			return time.UnixMilli(v).UTC().AppendFormat(dst, `"2006-01-02"`)
		case odata.TimeOfDay:
			return time.UnixMilli(v).UTC().AppendFormat(dst, `"15:04:05.999"`)
		case odata.Duration:
			return appendDuration(dst, v)
		}
		return report.AppendDecimal(dst, v, c.Type.Scale)
	}
	return append(dst, "null"...)
}

// appendDecimal is report.AppendDecimal for any number.
func appendDecimal(dst []byte, n *big.Int, scale int) []byte {
	if n.IsInt64() && scale <= digits {
		return report.AppendDecimal(dst, n.Int64(), scale)
	}
	if n.Sign() < 0 {
		dst = append(dst, '-')
	}
	text := new(big.Int).Abs(n).Append(nil, 10)
	if missing := scale + 1 - len(text); missing > 0 {
		text = append(bytes.Repeat([]byte{'0'}, missing), text...)
	}
	point := len(text) - scale
	places := bytes.TrimRight(text[point:], "0")
	if dst = append(dst, text[:point]...); len(places) > 0 {
		dst = append(append(dst, '.'), places...)
	}
	return dst
}

// appendDuration appends milliseconds as in "PT36H0.5S" would be, but with days: "P1DT12H0.5S".
func appendDuration(dst []byte, ms int64) []byte {
	dst = append(dst, '"')
	if ms < 0 {
		dst, ms = append(dst, '-'), -ms
	}
	dst = append(dst, 'P')
	if days := ms / day; days > 0 {
		dst = append(strconv.AppendInt(dst, days, 10), 'D')
	}
	if left := ms % day; left > 0 || ms == 0 {
		dst = append(dst, 'T')
		if h := left / 3600000; h > 0 {
			dst = append(strconv.AppendInt(dst, h, 10), 'H')
		}
		if m := left / 60000 % 60; m > 0 {
			dst = append(strconv.AppendInt(dst, m, 10), 'M')
		}
		if s := left % 60000; s > 0 || ms == 0 {
			dst = append(report.AppendDecimal(dst, s, 3), 'S')
		}
	}
	return append(dst, '"')
}
