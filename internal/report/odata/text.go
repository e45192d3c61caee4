package odata

import (
	"strings"
	"unicode"
)

// Whitespace is what trim takes off: the characters that Unicode calls so.
const Whitespace = "\t\n\v\f\r \u0085\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a" +
	"\u2028\u2029\u202f\u205f\u3000"

// Lower replaces each code point of s by its one lower-case code point; neither
// its neighbours nor a language matter. PostgreSQL's lower does the same with
// the collation C.utf8, or pg_c_utf8 of its newer versions; with others it makes
// two code points of İ.
func Lower(s string) string { return strings.Map(unicode.ToLower, s) }

// Upper replaces each code point of s by its one upper-case code point, so that
// ß stays. PostgreSQL's upper agrees with the same collations.
func Upper(s string) string { return strings.Map(unicode.ToUpper, s) }

// textLength is how many bytes of a literal count as a text of a column.
const textLength = 100

// texts returns how many texts of columns a text is at most as long as; 0 for what is no text.
func texts(e Expr) int {
	n := e.Info().texts
	if n > 0 {
		return n
	}
	switch e := e.(type) {
	case *Literal:
		if s, ok := e.Value.(string); ok {
			n = 1 + len(s)/textLength
		}
	case *Ref:
		if e.Type.Kind == String {
			n = max(e.Property.texts, 1)
		}
	case *Call:
		for _, a := range e.Args {
			switch {
			case e.Func == Concat:
				n += texts(a)
			case e.Type.Kind == String:
				n = max(n, texts(a))
			}
		}
	case *Case:
		for _, w := range e.Whens {
			n = max(n, texts(w.Then))
		}
	case *Cast:
		if e.Type.Kind == String {
			n = 1
		}
	}
	return n
}
