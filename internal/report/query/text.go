package query

import (
	"fmt"
	"unicode/utf8"

	"gangway/internal/report/odata"
)

// call returns the value of a function.
func (t *translator) call(e *odata.Call) string {
	switch e.Func {
	case odata.Round, odata.Floor, odata.Ceiling:
		return t.withoutPlaces(e.Func, e.Args[0], isWide(&e.Node))
	case odata.Substring:
		return t.substring(e)
	}
	first := t.value(e.Args[0])
	if !isText(e.Args[0].Info().Type.Kind) {
		return t.timeFunction(e.Func, first, e.Args[0].Info().Type.Kind)
	}
	switch e.Func {
	case odata.Length:
		return t.count("length(" + first + ")")
	case odata.ToLower, odata.ToUpper:
		return t.folded(first, e.Func)
	case odata.Trim:
		if t.postgres {
			return "btrim(" + first + ", " + t.text(odata.Whitespace) + ")"
		}
		return "trim(" + first + ", " + t.text(odata.Whitespace) + ")"
	case odata.StartsWith, odata.EndsWith:
		return t.beginsOrEnds(e, first)
	}
	second := t.value(e.Args[1])
	at := "instr(" + first + ", " + second + ")"
	if t.postgres {
		at = "strpos(" + first + ", " + second + ")"
	}
	switch e.Func {
	case odata.Concat:
		return "(" + first + " || " + second + ")"
	case odata.Contains:
		return "(" + at + " > 0)"
	case odata.IndexOf:
		return "(" + t.count(at) + " - 1)"
	}
	panic(fmt.Sprintf("an unknown function %d", e.Func))
}

// count returns what is an int on PostgreSQL as the BIGINT that numbers are.
func (t *translator) count(x string) string {
	if t.postgres {
		return x + "::bigint"
	}
	return x
}

// beginsOrEnds returns whether a text begins or ends with another.
func (t *translator) beginsOrEnds(e *odata.Call, first string) string {
	begins := e.Func == odata.StartsWith
	n := 0 // the length of the other, if that is known and not 0
	if l, ok := e.Args[1].(*odata.Literal); ok {
		piece, _ := l.Value.(string)
		n = utf8.RuneCountInString(piece)
	}
	second := t.value(e.Args[1])
	switch {
	case begins && t.postgres:
		return "starts_with(" + first + ", " + second + ")"
	case begins && n > 0:
		return fmt.Sprintf("(substr(%s, 1, %d) = %s)", first, n, second)
	case begins:
		return "odata_starts(" + first + ", " + second + ")"
	case n > 0 && t.postgres:
		return fmt.Sprintf(`(right(%s, %d) = %s COLLATE "C")`, first, n, second)
	case n > 0:
		return fmt.Sprintf("(substr(%s, -%d) = %s)", first, n, second)
	case t.postgres: // written so that neither side stands there twice
		return "starts_with(reverse(" + first + "), reverse(" + second + "))"
	}
	return "odata_ends(" + first + ", " + second + ")"
}

// substring returns a part of a text. SQLite's own counts from the end in its own way, and
// PostgreSQL's does not at all.
func (t *translator) substring(e *odata.Call) string {
	s := t.value(e.Args[0])
	if !t.postgres {
		args := s
		for _, a := range e.Args[1:] {
			args += ", " + t.value(a)
		}
		return "odata_substring(" + args + ")"
	}
	// substr takes an int; no text is longer than a third of that
	const most = 1 << 30
	start, length := t.value(e.Args[1]), ""
	if len(e.Args) > 2 {
		length = ", q.n"
	}
	inner := fmt.Sprintf("SELECT %s AS s, %s AS i", s, start)
	if length != "" {
		inner += ", " + t.value(e.Args[2]) + " AS n"
	}
	from := fmt.Sprintf("(CASE WHEN q.i < 0 THEN greatest(q.i + length(q.s), 0) WHEN q.i > %d THEN %[1]d ELSE q.i END)"+
		"::int + 1", most)
	if length != "" {
		length = fmt.Sprintf(", (CASE WHEN q.n < 0 THEN 0 WHEN q.n > %d THEN %[1]d ELSE q.n END)::int", most)
	}
	return fmt.Sprintf("(SELECT substr(q.s, %s%s) FROM (%s OFFSET 0) AS q)", from, length, inner)
}
