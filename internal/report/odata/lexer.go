package odata

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

type tokenKind uint8

const (
	tokEnd     tokenKind = iota
	tokName              // a property, function, operator or type, with dots if it is qualified
	tokDollar            // $it and the like; text has the dollar
	tokAlias             // @name; text has no @
	tokLiteral           // lit is the value
	tokJSON              // a string in double quotes; text is its content
	tokPunct             // one character
)

// A token is a piece of an option's value.
type token struct {
	kind  tokenKind
	text  string
	at    int  // where it begins
	space bool // blanks stand before it
	lit   *Literal
}

// is reports whether the token is the character c.
func (t token) is(c string) bool { return t.kind == tokPunct && t.text == c }

// word returns the name in lower case, in which operators and functions are
// compared, since their case does not matter (P 13.2.1 item 7).
func (t token) word() string {
	if t.kind != tokName {
		return ""
	}
	return strings.ToLower(t.text)
}

// next reads the next token into p.tok. It looks at each byte once, but for a
// look ahead of constant length.
func (p *parser) next() {
	from := p.pos
	for p.pos < len(p.src) && strings.IndexByte(" \t\r\n", p.src[p.pos]) >= 0 {
		p.pos++
	}
	at, space := p.pos, p.pos > from
	p.tok = token{kind: tokEnd, at: at, space: space}
	if p.err != nil {
		return
	}
	p.work.tokens++
	if at == len(p.src) {
		return
	}
	switch c := p.src[at]; {
	case c == '\'':
		p.tok = p.quoted(at)
	case c == '"':
		p.tok = p.jsonString(at)
	case c >= '0' && c <= '9', (c == '-' || c == '+') && signed(p.src[at+1:]):
		p.tok = p.number(at)
	case c == '$' || c == '@':
		p.tok = p.marked(at)
	case strings.IndexByte("()[]{},/:=-*;", c) >= 0:
		p.pos++
		p.tok = token{kind: tokPunct, text: p.src[at:p.pos]}
	default:
		p.tok = p.name(at)
	}
	p.tok.at, p.tok.space = at, space
}

// signed reports whether a sign before s is part of a number.
func signed(s string) bool {
	return s != "" && s[0] >= '0' && s[0] <= '9' || strings.HasPrefix(s, "INF") && !nameByte(s, 3)
}

// quoted reads a string in single quotes; a quote within is written twice.
func (p *parser) quoted(at int) token {
	for i := at + 1; i < len(p.src); i++ {
		if p.src[i] != '\'' {
			continue
		}
		if i+1 < len(p.src) && p.src[i+1] == '\'' {
			i++
			continue
		}
		p.pos = i + 1
		text := strings.ReplaceAll(p.src[at+1:i], "''", "'")
		return p.literal(at, Type{Kind: String}, text)
	}
	p.badf(at, "the text has no closing quote (a quote within a text is written twice)")
	return token{}
}

// jsonString reads a string in double quotes, as lists in JSON have them.
func (p *parser) jsonString(at int) token {
	var b strings.Builder
	for i := at + 1; i < len(p.src); i++ {
		switch c := p.src[i]; {
		case c == '"':
			p.pos = i + 1
			return token{kind: tokJSON, text: b.String()}
		case c == '\\' && i+1 < len(p.src) && strings.IndexByte(`"\/`, p.src[i+1]) >= 0:
			i++
			b.WriteByte(p.src[i])
		case c == '\\':
			p.badf(i, `after \ there may be ", \ or /`)
			return token{}
		default:
			b.WriteByte(c)
		}
	}
	p.badf(at, "the text has no closing double quote")
	return token{}
}

// marked reads $name or @name.
func (p *parser) marked(at int) token {
	p.pos = at + 1
	p.nameEnd()
	if p.src[at] == '@' {
		return token{kind: tokAlias, text: p.src[at+1 : p.pos]}
	}
	return token{kind: tokDollar, text: p.src[at:p.pos]}
}

// name reads an identifier, or a literal that looks like one.
func (p *parser) name(at int) token {
	if n := guidLength(p.src[at:]); n > 0 {
		p.pos = at + n
		return p.literal(at, Type{Kind: GUID}, strings.ToLower(p.src[at:p.pos]))
	}
	p.nameEnd()
	text := p.src[at:p.pos]
	if text == "" {
		r, _ := utf8.DecodeRuneInString(p.src[at:])
		if strings.ContainsRune("<>!", r) {
			p.badf(at, "comparisons are words: write eq, ne, gt, ge, lt or le")
			return token{}
		}
		p.badf(at, "%s does not belong here", quote(string(r)))
		return token{}
	}
	if p.pos < len(p.src) && p.src[p.pos] == '\'' {
		return p.prefixed(at, text)
	}
	switch {
	case text == "null":
		return p.literal(at, Type{Kind: Null}, nil)
	case strings.EqualFold(text, "true"), strings.EqualFold(text, "false"):
		return p.literal(at, Type{Kind: Boolean}, len(text) == len("true"))
	case text == "INF" || text == "NaN":
		return p.infinite(at, text)
	}
	return token{kind: tokName, text: text}
}

// nameEnd moves p.pos behind the identifiers, joined by dots, that it stands before.
func (p *parser) nameEnd() {
	for p.pos < len(p.src) && nameByte(p.src, p.pos) {
		_, n := utf8.DecodeRuneInString(p.src[p.pos:])
		p.pos += n
	}
}

// nameByte reports whether a character of a name begins at byte i of s.
func nameByte(s string, i int) bool {
	if i >= len(s) {
		return false
	}
	c := s[i]
	if c < utf8.RuneSelf {
		return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c == '.'
	}
	r, _ := utf8.DecodeRuneInString(s[i:])
	return unicode.IsLetter(r) || unicode.Is(unicode.Mn, r) || unicode.Is(unicode.Nd, r)
}

// identifier reports whether s can be the name of a property.
func identifier(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	if r != '_' && !unicode.IsLetter(r) || utf8.RuneCountInString(s) > 128 {
		return false
	}
	for i := 0; i < len(s); {
		if !nameByte(s, i) || s[i] == '.' {
			return false
		}
		_, n := utf8.DecodeRuneInString(s[i:])
		i += n
	}
	return true
}

func (p *parser) literal(at int, t Type, value any) token {
	l := &Literal{Node: Node{Type: t, Nullable: value == nil, At: at}, Value: value}
	return token{kind: tokLiteral, text: p.src[at:p.pos], lit: l}
}

// prefixed reads a literal that begins with the name of its type.
func (p *parser) prefixed(at int, prefix string) token {
	t := p.quoted(p.pos)
	if p.err != nil {
		return t
	}
	text := t.lit.Value.(string)
	switch strings.ToLower(prefix) {
	case "duration":
		ms, finer, ok := parseDuration(text)
		if !ok {
			p.badf(at, "%s is not a duration such as duration'P1DT12H30M', or is too long", quote(text))
			return token{}
		}
		t = p.literal(at, Type{Kind: Duration}, ms)
		t.lit.Max, t.lit.finer = abs(ms), finer
		return t
	case "datetime", "datetimeoffset", "time", "guid":
		p.badf(at, "%s'…' is of OData versions 2 and 3; here the value is written bare: "+
			"2024-02-29T10:00:00Z, 2024-02-29, 10:00:00", prefix)
		return token{}
	case "binary", "geography", "geometry":
		p.unsupported(at, "a literal of "+prefix)
		return token{}
	case "x":
		p.badf(at, "%s'…' is no literal", prefix)
		return token{}
	}
	if binaryOps[strings.ToLower(prefix)] != nil || strings.EqualFold(prefix, "in") {
		p.badf(at, "there must be a space behind %s", prefix)
		return token{}
	}
	if strings.Contains(prefix, ".") {
		p.unsupported(at, "an enumeration such as "+quote(prefix))
		return token{}
	}
	p.badf(at, "%s'…' is no literal", prefix)
	return token{}
}
