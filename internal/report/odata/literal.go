package odata

import (
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// number reads what begins with a digit, or a minus and a digit: a date, an
// instant, a time, a GUID or a number.
func (p *parser) number(at int) token {
	s := p.src[at:]
	if n := guidLength(s); n > 0 {
		p.pos = at + n
		return p.literal(at, Type{Kind: GUID}, strings.ToLower(s[:n]))
	}
	n, kind := temporalLength(s, p.cases > 0)
	if n > 0 {
		p.pos = at + n
		return p.temporal(at, s[:n], kind)
	}
	if strings.HasPrefix(s[1:], "INF") {
		p.pos = at + len("-INF")
		return p.infinite(at, strings.TrimPrefix(s[:len("-INF")], "+"))
	}
	n = numberLength(s)
	p.pos = at + n
	if nameByte(p.src, p.pos) {
		end := p.pos
		p.nameEnd()
		tail := p.src[end:p.pos]
		if len(tail) == 1 && strings.Contains("mMdDfFlL", tail) {
			p.badf(at, "%s is of OData versions 2 and 3; here a number has no letter behind it",
				quote(p.src[at:p.pos]))
			return token{}
		}
		p.badf(at, "%s is not a number", quote(p.src[at:p.pos]))
		return token{}
	}
	return p.decimal(at, s[:n])
}

var (
	numberForm = regexp.MustCompile(`^[+-]?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?`)
	guidForm   = regexp.MustCompile(`^(?i)[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}`)
)

// numberLength returns the length of the number that s begins with.
func numberLength(s string) int { return len(numberForm.FindString(s)) }

func notDigit(r rune) bool { return r < '0' || r > '9' }

// digits returns how many digits s begins with.
func digits(s string) int {
	if n := strings.IndexFunc(s, notDigit); n >= 0 {
		return n
	}
	return len(s)
}

// maxLiteral is how many digits a number may be written with before it is only
// good for comparing: more cannot be a value of a column.
const maxLiteral = 18

// decimal returns the number that is written in s.
func (p *parser) decimal(at int, s string) token {
	l, ok := decimalLiteral(s)
	if !ok {
		p.badf(at, "%s has more than %d digits", quote(s), maxLiteral)
	}
	l.At = at
	return token{kind: tokLiteral, text: s, lit: l}
}

// decimalLiteral returns the number that is written in s, as an integer with a scale, or as one that is beyond those
// of every column. An exponent makes no Edm.Double of it, since decimals are exact.
func decimalLiteral(s string) (l *Literal, ok bool) {
	mantissa, exponent, exp := strings.Cut(strings.ToLower(s), "e")
	whole, fraction, dot := strings.Cut(mantissa, ".")
	fraction = strings.TrimRight(fraction, "0")
	power := 0
	if exp {
		if len(strings.TrimLeft(exponent, "+-0")) > 4 {
			exponent = exponent[:1] + "9999"
		}
		fmt.Sscanf(exponent, "%d", &power)
	}
	all := strings.TrimLeft(strings.TrimLeft(whole, "+-")+fraction, "0")
	scale := len(fraction) - power
	for scale < 0 && all != "" && len(all) <= maxLiteral {
		all, scale = all+"0", scale+1
	}
	if all == "" {
		all, scale = "0", 0
	}
	l = &Literal{}
	v, err := strconv.ParseInt(all, 10, 64)
	switch {
	case len(all)-scale > maxLiteral+1, err != nil && len(all) <= maxLiteral+1 && scale <= maxLiteral:
		l.Type.Kind = beyond
		l.Value, _ = strconv.ParseFloat(s, 64) // INF if it is too large for that too
		return l, true
	case len(all) > maxLiteral+1 || scale > maxLiteral:
		return l, false
	}
	if whole[0] == '-' {
		v = -v
	}
	l.Type, l.Value, l.Max = numberType(v, scale, dot || exp), v, abs(v)
	return l, true
}

func numberType(v int64, scale int, decimal bool) Type {
	switch {
	case decimal:
		return decimalOf(abs(v), scale)
	case v >= math.MinInt32 && v <= math.MaxInt32:
		return Type{Kind: Int32, Precision: digitsOf[Int32]}
	}
	return Type{Kind: Int64, Precision: digitsOf[Int64]}
}

// infinite returns INF, -INF or NaN, which only comparisons can use.
func (p *parser) infinite(at int, text string) token {
	v := math.NaN()
	switch text {
	case "INF":
		v = math.Inf(1)
	case "-INF":
		v = math.Inf(-1)
	}
	return p.literal(at, Type{Kind: beyond}, v)
}

func abs(v int64) float64 { return math.Abs(float64(v)) }

// precision returns how many digits the integers up to max have. A logarithm would be a little too
// small for some powers of ten.
func precision(max float64) int {
	n := 1
	for n <= maxDigits && max >= math.Pow10(n) {
		n++
	}
	return n
}

// guidLength returns 36 if s begins with a GUID, and 0 otherwise.
func guidLength(s string) int {
	if n := len(guidForm.FindString(s)); !nameByte(s, n) {
		return n
	}
	return 0
}

// temporal returns the literal of a text that has the shape of its kind.
func (p *parser) temporal(at int, text string, kind Kind) token {
	l, ok := temporalLiteral(text, kind)
	if !ok {
		hint := ""
		zone, plus := strings.CutPrefix(p.src[p.pos:], " ") // as a plus is decoded
		switch last := text[len(text)-1] | 0x20; {
		case kind == DateTimeOffset && plus && clockForm.MatchString(zone):
			hint = "; in an address a plus is written %2B"
		case kind == DateTimeOffset && last != 'z' && !strings.ContainsAny(text[len("2024-01-01T00:00"):], "+-"):
			hint = "; it needs a Z or an offset such as -05:00 at its end"
		}
		p.badf(at, "%s is no %s between the years 1 and 9999%s", quote(text), temporalNames[kind], hint)
		return token{}
	}
	l.At = at
	return token{kind: tokLiteral, text: text, lit: l}
}

var temporalNames = map[Kind]string{Date: "date", TimeOfDay: "time of day", DateTimeOffset: "instant",
	Duration: "duration", GUID: "GUID"}

// temporalLiteral reads text as a value of one of the kinds that temporalNames lists.
func temporalLiteral(text string, kind Kind) (*Literal, bool) {
	l := &Literal{Node: Node{Type: Type{Kind: kind}}}
	ok := false
	switch kind {
	case Date:
		l.Value, ok = parseDate(text)
	case TimeOfDay:
		l.Value, l.finer, ok = parseTimeOfDay(text)
		l.Type.Precision = 3
	case DateTimeOffset:
		l.Value, l.finer, ok = parseInstant(text)
		l.Type.Precision = 3
	case Duration:
		var ms int64
		ms, l.finer, ok = parseDuration(text)
		l.Value, l.Max = ms, abs(ms)
	case GUID:
		l.Value, ok = strings.ToLower(text), guidLength(text) == len(text)
	}
	return l, ok
}

// Instants are from here to there.
var (
	MinInstant = time.Date(1, 1, 1, 0, 0, 0, 0, time.UTC)
	MaxInstant = time.Date(9999, 12, 31, 23, 59, 59, 999e6, time.UTC)
)
