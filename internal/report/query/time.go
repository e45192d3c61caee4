package query

import (
	"fmt"
	"strings"

	"gangway/internal/report/odata"
)

// day is how many milliseconds a day has.
const day = 24 * 60 * 60 * 1000

// first and last are the instants that there are. Adding -first to any makes it positive, so that
// a division rounds down; it is a midnight.
var first, last = odata.MinInstant.UnixMilli(), odata.MaxInstant.UnixMilli()

// timeArithmetic returns arithmetic whose result is an instant, a date or a duration.
func (t *translator) timeArithmetic(e *odata.Arithmetic) string {
	left, right := e.Left.Info(), e.Right.Info()
	places := right.Type.Scale
	switch {
	case e.Op == odata.Mul && t.postgres:
		return t.resized(fmt.Sprintf("round(%s * %s%s)", t.number(e.Left, false)+"::numeric", t.number(e.Right, true),
			shrink(places)), true, false)
	case e.Op == odata.Mul:
		return fmt.Sprintf("odata_quo((%s * %s), %s)", t.value(e.Left), t.number(e.Right, false), tenTo(places))
	case e.Op == odata.Div, e.Op == odata.DivBy:
		l := t.times(t.value(e.Left), places, false)
		if t.postgres {
			l += "::numeric"
		}
		return t.rounded(l, t.number(e.Right, t.postgres), false)
	}
	l, r := t.value(e.Left), t.value(e.Right)
	if e.Type.Kind == odata.Date {
		r = fmt.Sprintf("(%s / %d * %[2]d)", r, day)
	}
	x := "(" + l + arithmeticOps[e.Op].sign + r + ")"
	if e.Type.Kind == odata.Duration || left.Type.Kind == right.Type.Kind {
		return x
	}
	greatest, least := "max", "min"
	if t.postgres { // which skip null, so that it becomes one of the limits, and null again
		greatest, least = "greatest", "least"
	}
	return fmt.Sprintf("nullif(nullif(%s(%s(%s, %d), %d), %[4]d), %[5]d)", greatest, least, x, last+1, first-1)
}

// shrink is what a number with that many places is multiplied with.
func shrink(places int) string {
	if places == 0 {
		return ""
	}
	return " * 0." + strings.Repeat("0", places-1) + "1"
}

// timeFunction returns a function of an instant, a date, a time of day or a duration.
func (t *translator) timeFunction(f odata.Func, x string, of odata.Kind) string {
	clock := x
	if of == odata.DateTimeOffset {
		clock = timeOf(x)
	}
	switch f {
	case odata.Year:
		return t.datePart("year", "%Y", x)
	case odata.Month:
		return t.datePart("month", "%m", x)
	case odata.Day:
		return t.datePart("day", "%d", x)
	case odata.Hour:
		return fmt.Sprintf("(%s / 3600000)", clock)
	case odata.Minute:
		return fmt.Sprintf("(%s / 60000 %% 60)", clock)
	case odata.Second:
		return fmt.Sprintf("(%s / 1000 %% 60)", clock)
	case odata.FractionalSeconds:
		return fmt.Sprintf("(%s %% 1000)", clock)
	case odata.DateOf:
		return dateOf(x)
	case odata.TimeOf:
		return clock
	case odata.TotalOffsetMinutes:
		return "(" + x + " * 0)"
	case odata.TotalSeconds:
		return x
	}
	panic(fmt.Sprintf("an unknown function %d", f))
}

// dateOf returns the midnight before an instant, and timeOf the milliseconds from there.
func dateOf(x string) string { return fmt.Sprintf("((%s + %d) / %d * %[3]d - %[2]d)", x, -first, day) }
func timeOf(x string) string { return fmt.Sprintf("((%s + %d) %% %d)", x, -first, day) }

// datePart returns the year, month or day of an instant or a date.
func (t *translator) datePart(part, format, x string) string {
	if t.postgres {
		return "extract(" + part + " FROM " + postgresDate(x) + ")::bigint"
	}
	return "CAST(" + sqliteDate(format, x) + " AS INTEGER)"
}

func postgresDate(x string) string {
	return fmt.Sprintf("(date '0001-01-01' + ((%s + %d) / %d)::int)", x, -first, day)
}

// sqliteDate formats the date of an instant. SQLite takes whole seconds as they are.
func sqliteDate(format, x string) string {
	return fmt.Sprintf("strftime('%s', (%s + %d) / %d * 86400 - %d, 'unixepoch')", format, x, -first, day, -first/1000)
}

// cast returns a value as one of another type.
func (t *translator) cast(e *odata.Cast) string {
	from, to := e.X.Info().Type.Kind, e.Type.Kind
	switch {
	case to == odata.String:
		return t.asText(e.X)
	case isInteger(to):
		return t.integer(e)
	case to == odata.Decimal:
		return t.number(e.X, isWide(&e.Node))
	case from == odata.DateTimeOffset && to == odata.Date:
		return dateOf(t.value(e.X))
	case from == odata.DateTimeOffset && to == odata.TimeOfDay:
		return timeOf(t.value(e.X))
	}
	return t.value(e.X) // a Date is the instant of its midnight already
}

// asText returns a value as the text that a URL would have for it.
func (t *translator) asText(e odata.Expr) string {
	x := t.value(e)
	switch k := e.Info().Type.Kind; {
	case isText(k):
		return x
	case k == odata.Date && t.postgres:
		return "to_char(" + postgresDate(x) + ", 'YYYY-MM-DD')"
	case k == odata.Date:
		return sqliteDate("%Y-%m-%d", x)
	case t.postgres:
		return "(" + x + ")::text"
	case k == odata.Boolean:
		return "substr('falsetrue', 1 + 5 * " + x + ", 5)"
	case isWide(e.Info()):
		return "odata_text(" + x + ")"
	}
	return "CAST(" + x + " AS TEXT)"
}
