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
